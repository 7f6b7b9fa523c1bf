"""`ireval interleave`: interleaved lists of several runs, and which run their clicks prefer."""

from __future__ import annotations

from typing import Annotated

import click

from ireval_frames.cli.options.click_log import ClickLog
from ireval_frames.cli.options.command import Argument, Option, command, group
from ireval_frames.cli.options.common import (
    By,
    Columns,
    EngineName,
    OutputOptions,
    PerUnit,
    at_most_one,
    mapping,
    table_names,
)  # fmt: skip
from ireval_frames.cli.options.rankings import RunOptions
from ireval_frames.cli.output.running import capture, working
from ireval_frames.columns.schema import REQUESTED_PAGES, RUN
from ireval_frames.comparison.options import CORRECTION
from ireval_frames.interleaving.options import ListOptions, OutcomeOptions
from ireval_frames.parameters import ALPHA, POWER

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
A list depends only on the seed and the id of its page.  A log has a row per shown result
(serp_id, query_id, doc_id, position, click) with the columns of `lists`.
"""


@command(epilog=EXAMPLES)
def lists(
    runs: Annotated[list[str], Argument(metavar="RUN", help="Two runs or more.")],
    pages: Annotated[
        str | None, Option("--pages", metavar="FILE", help="A table of serp_id and query_id: a list for each.")
    ] = None,
    name: Annotated[list[str] | None, Option("--name", help="The names of the runs, in their order.")] = None,
    column: Columns = None,
    engine: EngineName = None,
    *,
    options: ListOptions,
    reading: RunOptions,
    out: OutputOptions,
) -> None:
    """Interleave several runs into one list for every query, or page."""
    from ireval_frames import io
    from ireval_frames.interleaving import interleave as make_lists
    from ireval_frames.interleaving.rankings import read_pages

    with working("interleaving"):
        own_names = table_names(mapping(column), RUN, REQUESTED_PAGES)
        tables = [io.scan_run(f, columns=own_names.of("run"), **reading.run_arguments()) for f in runs]
        requested = None if pages is None else read_pages(pages, own_names.of("pages"))
        own_names.check_used()
        rows = make_lists(
            tables if len(tables) > 1 else tables[0],
            None,
            pages=requested,
            names=name or None,
            engine=engine,
            **options.arguments(),
        )
    out.table(rows)


@command(epilog=EXAMPLES)
def outcomes(
    file: Annotated[str, Argument(metavar="LOG", help="A log of shown lists and clicks: CSV, JSON lines, Parquet …")],
    tests: Annotated[bool, Option("--tests", help="The p-values, corrected and not.")] = False,
    correction: Annotated[str, CORRECTION] = "holm",
    matrix: Annotated[bool, Option("--matrix", help="A row and a column per ranking.")] = False,
    credits: Annotated[bool, Option("--credits", help="A row per ranking: its total credit.")] = False,
    long_tail: Annotated[
        str | None, Option("--long-tail", help="Weighted by query: significance, pruning or equal.")
    ] = None,
    per_unit: PerUnit = False,
    by: By = None,
    *,
    options: OutcomeOptions,
    log: ClickLog,
    out: OutputOptions,
) -> None:
    """Show how often each ranking wins, and by how much."""
    at_most_one(tests=tests, matrix=matrix, credits=credits, long_tail=long_tail is not None, per_unit=per_unit)
    from ireval_frames.interleaving import Interleaving

    with working("evaluating"):
        interleaving = capture(Interleaving(log.open(file), by=by or (), **options.arguments()))
        table = (
            interleaving.tests(correction=correction) if tests
            else interleaving.matrix() if matrix
            else interleaving.credits() if credits
            else interleaving.long_tail(long_tail) if long_tail is not None
            else interleaving.per_unit() if per_unit
            else interleaving.summary()
        )  # fmt: skip
    out.table(table)


@command(epilog=EXAMPLES)
def size(
    wins: Annotated[float, Argument(metavar="WINS", help="The share of pages that a ranking wins.")],
    losses: Annotated[float, Argument(metavar="LOSSES", help="The share that it loses; the rest are ties.")],
    power: Annotated[float, POWER] = 0.8,
    alpha: Annotated[float, ALPHA] = 0.05,
) -> None:
    """Print the number of pages, or users, that show which ranking wins."""
    from ireval_frames.interleaving import sample_size

    click.echo(sample_size(wins, losses, power=power, alpha=alpha))


interleave = group("interleave", "Interleave runs, and compare them by clicks.", EXAMPLES, [lists, outcomes, size])
