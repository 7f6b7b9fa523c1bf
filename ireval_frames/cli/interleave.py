"""`ireval interleave`: lists made of several runs, and whom their clicks prefer."""

from __future__ import annotations

from typing import Annotated

import typer

from ireval_frames.cli.kept import found as kept
from ireval_frames.cli.options import (
    By,
    Columns,
    Confidence,
    EngineName,
    OutputFile,
    OutputFormat,
    PerUnit,
    at_most_one,
    mapping,
    no_trec,
)
from ireval_frames.cli.output import chosen, deliver_table
from ireval_frames.cli.progress import working

EXAMPLES = """\b
Examples:
  ireval interleave lists bm25.run dense.run -o lists.parquet
  ireval interleave lists a.run b.run c.run --method probabilistic --pages pages.csv --seed 7 -o lists.csv
  ireval interleave outcomes log.parquet
  ireval interleave outcomes log.parquet --cluster user --tests
  ireval interleave outcomes log.parquet --method probabilistic --long-tail significance

\b
A list follows from the seed and the id of its page alone.  A log has a row per shown result
(serp_id, query_id, doc_id, position, click) with what `lists` wrote beside it.
"""
Method = Annotated[str, typer.Option("--method", help="team-draft, balanced, probabilistic, optimized or pairwise.")]

interleave = typer.Typer(help="Interleave runs, and compare them by clicks.", epilog=EXAMPLES, no_args_is_help=True)


@interleave.command(epilog=EXAMPLES)
def lists(
    runs: Annotated[list[str], typer.Argument(metavar="RUN", help="Two runs or more.")],
    method: Method = "team-draft",
    seed: Annotated[int, typer.Option("--seed", help="Another seed gives other lists.")] = 0,
    depth: Annotated[int, typer.Option("--depth", help="How long lists are.")] = 10,
    pages: Annotated[
        str | None, typer.Option("--pages", metavar="FILE", help="A table of serp_id and query_id: a list for each.")
    ] = None,
    name: Annotated[
        list[str] | None, typer.Option("--name", help="What the runs are called, one after another.")
    ] = None,
    credit: Annotated[str, typer.Option("--credit", help="Of optimized lists: inverse or negative.")] = "inverse",
    format: OutputFormat = None,
    output: OutputFile = None,
) -> None:
    """One list of several runs for every query, or page."""
    from ireval_frames.interleaving import interleave as make

    shape = no_trec(chosen(format, output))
    with working("interleaving"):
        given = runs[0] if len(runs) == 1 else [*runs]
        made = make(_tables(given), None, method, seed, depth=depth, pages=pages, names=name or None, credit=credit)
    deliver_table(made, shape, output)


@interleave.command(epilog=EXAMPLES)
def outcomes(
    log: Annotated[str, typer.Argument(metavar="LOG", help="What was shown and clicked: CSV, JSON lines, Parquet …")],
    method: Method = "team-draft",
    run: Annotated[list[str] | None, typer.Option("--run", help="The rankings, one after another.")] = None,
    credit: Annotated[str, typer.Option("--credit", help="Which clicks count: clicks, any, first or last.")] = "clicks",
    unit: Annotated[str, typer.Option("--unit", help="What has an outcome: page, query or user.")] = "page",
    cluster: Annotated[str | None, typer.Option("--cluster", help="What is drawn independently.")] = None,
    min_dwell: Annotated[float | None, typer.Option("--min-dwell", help="Clicks of so many seconds count.")] = None,
    confidence: Confidence = 0.95,
    tests: Annotated[bool, typer.Option("--tests", help="p-values, with a correction.")] = False,
    matrix: Annotated[bool, typer.Option("--matrix", help="A row and a column per ranking.")] = False,
    long_tail: Annotated[
        str | None, typer.Option("--long-tail", help="Over queries, weighed: significance, pruning or equal.")
    ] = None,
    per_unit: PerUnit = False,
    by: By = None,
    column: Columns = None,
    engine: EngineName = None,
    format: OutputFormat = None,
    output: OutputFile = None,
) -> None:
    """Who wins how often, and by how much."""
    at_most_one(tests=tests, matrix=matrix, long_tail=long_tail is not None, per_unit=per_unit)
    from ireval_frames.clicks import Impressions
    from ireval_frames.interleaving import Interleaving

    shape = no_trec(chosen(format, output))
    with working("evaluating"):
        found = Interleaving(
            Impressions(log, columns=mapping(column), engine=engine),
            method,
            runs=run or None,
            credit=credit,
            unit=unit,
            cluster=cluster,
            min_dwell=min_dwell,
            confidence=confidence,
            by=by or (),
        )
        kept(found)
        if tests:
            table = found.tests()
        elif matrix:
            table = found.matrix()
        elif long_tail is not None:
            table = found.long_tail(long_tail)
        else:
            table = found.per_unit() if per_unit else found.summary()
    deliver_table(table, shape, output)


def _tables(given: str | list[str]) -> object:
    """The files as runs of their own; one file holds several."""
    from ireval_frames import io

    return given if isinstance(given, str) else [io.scan_run(file) for file in given]
