"""`ireval interleave`: lists made of several runs, and whom their clicks prefer."""

from __future__ import annotations

from typing import Annotated

import click

from ireval_frames.cli.options.click_log import ClickLog
from ireval_frames.cli.options.command import Argument, Option, command, group
from ireval_frames.cli.options.common import By, EngineName, PerUnit, Written, at_most_one
from ireval_frames.cli.options.reading import RunReading
from ireval_frames.cli.output.capture import found as kept
from ireval_frames.cli.output.progress import working
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
A list follows from the seed and the id of its page alone.  A log has a row per shown result
(serp_id, query_id, doc_id, position, click) with what `lists` wrote beside it.
"""


@command(epilog=EXAMPLES)
def lists(
    runs: Annotated[list[str], Argument(metavar="RUN", help="Two runs or more.")],
    pages: Annotated[
        str | None, Option("--pages", metavar="FILE", help="A table of serp_id and query_id: a list for each.")
    ] = None,
    name: Annotated[list[str] | None, Option("--name", help="What the runs are called, one after another.")] = None,
    engine: EngineName = None,
    *,
    options: ListOptions,
    reading: RunReading,
    written: Written,
) -> None:
    """One list of several runs for every query, or page."""
    from ireval_frames.interleaving import interleave as make

    with working("interleaving"):
        made = make(_tables(runs, reading), None, pages=pages, names=name or None, engine=engine, **options.arguments())
    written.table(made)


@command(epilog=EXAMPLES)
def outcomes(
    file: Annotated[str, Argument(metavar="LOG", help="What was shown and clicked: CSV, JSON lines, Parquet …")],
    tests: Annotated[bool, Option("--tests", help="p-values, with a correction.")] = False,
    correction: Annotated[str, CORRECTION] = "holm",
    matrix: Annotated[bool, Option("--matrix", help="A row and a column per ranking.")] = False,
    credits: Annotated[bool, Option("--credits", help="A row per ranking: its credit in all.")] = False,
    long_tail: Annotated[
        str | None, Option("--long-tail", help="Over queries, weighed: significance, pruning or equal.")
    ] = None,
    per_unit: PerUnit = False,
    by: By = None,
    *,
    options: OutcomeOptions,
    log: ClickLog,
    written: Written,
) -> None:
    """Who wins how often, and by how much."""
    at_most_one(tests=tests, matrix=matrix, credits=credits, long_tail=long_tail is not None, per_unit=per_unit)
    from ireval_frames.interleaving import Interleaving

    with working("evaluating"):
        found = Interleaving(log.opened(file), by=by or (), **options.arguments())
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
    power: Annotated[float, POWER] = 0.8,
    alpha: Annotated[float, ALPHA] = 0.05,
) -> None:
    """How many pages, or users, show who wins."""
    from ireval_frames.interleaving import sample_size

    click.echo(sample_size(wins, losses, power=power, alpha=alpha))


def _tables(files: list[str], reading: RunReading) -> object:
    """The files as runs of their own; one file holds several."""
    from ireval_frames import io

    return reading.runs(files[0]) if len(files) == 1 else [io.scan_run(file, **reading.of_runs()) for file in files]


interleave = group("interleave", "Interleave runs, and compare them by clicks.", EXAMPLES, [lists, outcomes, size])
