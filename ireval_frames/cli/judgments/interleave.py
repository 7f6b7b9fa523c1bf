"""`ireval interleave`: lists made of several runs, and whom their clicks prefer."""

from __future__ import annotations

from typing import Annotated

import click

from ireval_frames.cli.options.click_log import ClickLog
from ireval_frames.cli.options.command import Argument, Option, command, group
from ireval_frames.cli.options.common import By, Confidence, EngineName, PerUnit, Written, at_most_one
from ireval_frames.cli.options.reading import RunReading
from ireval_frames.cli.output.capture import found as kept
from ireval_frames.cli.output.progress import working

EXAMPLES = """\b
Examples:
  ireval interleave lists bm25.run dense.run -o lists.parquet
  ireval interleave lists a.run b.run c.run --method probabilistic --pages pages.csv --seed 7 -o lists.csv
  ireval interleave outcomes log.parquet
  ireval interleave outcomes log.parquet --cluster user --tests
  ireval interleave outcomes log.parquet --long-tail significance
  ireval interleave outcomes log.parquet --credits
  ireval interleave size 0.12 0.10

\b
A list follows from the seed and the id of its page alone.  A log has a row per shown result
(serp_id, query_id, doc_id, position, click) with what `lists` wrote beside it.
"""
Method = Annotated[str, Option("--method", help="team-draft, balanced, probabilistic, optimized or pairwise.")]


@command(epilog=EXAMPLES)
def lists(
    runs: Annotated[list[str], Argument(metavar="RUN", help="Two runs or more.")],
    method: Method = "team-draft",
    seed: Annotated[int, Option("--seed", help="Another seed gives other lists.")] = 0,
    depth: Annotated[int, Option("--depth", help="How long lists are.")] = 10,
    pages: Annotated[
        str | None, Option("--pages", metavar="FILE", help="A table of serp_id and query_id: a list for each.")
    ] = None,
    name: Annotated[list[str] | None, Option("--name", help="What the runs are called, one after another.")] = None,
    credit: Annotated[str, Option("--credit", help="Of optimized lists: inverse or negative.")] = "inverse",
    engine: EngineName = None,
    *,
    reading: RunReading,
    written: Written,
) -> None:
    """One list of several runs for every query, or page."""
    from ireval_frames.interleaving import interleave as make

    with working("interleaving"):
        made = make(
            _tables(runs, reading), None, method, seed, depth=depth, pages=pages, names=name or None, credit=credit,
            engine=engine,
        )  # fmt: skip
    written.table(made)


@command(epilog=EXAMPLES)
def outcomes(
    file: Annotated[str, Argument(metavar="LOG", help="What was shown and clicked: CSV, JSON lines, Parquet …")],
    method: Method = "team-draft",
    run: Annotated[list[str] | None, Option("--run", help="The rankings, one after another.")] = None,
    credit: Annotated[str, Option("--credit", help="Which clicks count: clicks, any, first or last.")] = "clicks",
    unit: Annotated[str, Option("--unit", help="What has an outcome: page, query or user.")] = "page",
    cluster: Annotated[str | None, Option("--cluster", help="What is drawn independently.")] = None,
    common_prefix: Annotated[
        bool,
        Option("--common-prefix/--no-common-prefix", help="Whether clicks count where all runs begin alike."),
    ] = True,
    min_dwell: Annotated[float | None, Option("--min-dwell", help="Clicks of so many seconds count.")] = None,
    depth: Annotated[int, Option("--depth", help="Of probabilistic lists without credits: of the runs.")] = 10,
    confidence: Confidence = 0.95,
    tests: Annotated[bool, Option("--tests", help="p-values, with a correction.")] = False,
    correction: Annotated[str, Option("--correction", metavar="NAME", help="Of --tests.")] = "holm",
    matrix: Annotated[bool, Option("--matrix", help="A row and a column per ranking.")] = False,
    credits: Annotated[bool, Option("--credits", help="A row per ranking: its credit in all.")] = False,
    long_tail: Annotated[
        str | None, Option("--long-tail", help="Over queries, weighed: significance, pruning or equal.")
    ] = None,
    per_unit: PerUnit = False,
    by: By = None,
    *,
    log: ClickLog,
    written: Written,
) -> None:
    """Who wins how often, and by how much."""
    at_most_one(tests=tests, matrix=matrix, credits=credits, long_tail=long_tail is not None, per_unit=per_unit)
    from ireval_frames.interleaving import Interleaving

    with working("evaluating"):
        found = Interleaving(
            log.opened(file),
            method,
            runs=run or None,
            credit=credit,
            unit=unit,
            cluster=cluster,
            common_prefix=common_prefix,
            min_dwell=min_dwell,
            depth=depth,
            confidence=confidence,
            by=by or (),
        )
        kept(found)
        if tests:
            table = found.tests(correction=correction)
        elif matrix:
            table = found.matrix()
        elif credits:
            table = found.credits()
        elif long_tail is not None:
            table = found.long_tail(long_tail)
        else:
            table = found.per_unit() if per_unit else found.summary()
    written.table(table)


@command(epilog=EXAMPLES)
def size(
    wins: Annotated[float, Argument(metavar="WINS", help="The share of pages that a ranking wins.")],
    losses: Annotated[float, Argument(metavar="LOSSES", help="The share that it loses; the rest are ties.")],
    power: Annotated[float, Option("--power", help="How likely the difference is to be found.")] = 0.8,
    alpha: Annotated[float, Option("--alpha", help="The level of the test.")] = 0.05,
) -> None:
    """How many pages, or users, show who wins."""
    from ireval_frames.interleaving import sample_size

    click.echo(sample_size(wins, losses, power=power, alpha=alpha))


def _tables(files: list[str], reading: RunReading) -> object:
    """The files as runs of their own; one file holds several."""
    from ireval_frames import io

    return reading.runs(files[0]) if len(files) == 1 else [io.scan_run(file, **reading.of_runs()) for file in files]


interleave = group("interleave", "Interleave runs, and compare them by clicks.", EXAMPLES, [lists, outcomes, size])
