"""`ireval experiment` and `ireval clicks LOG experiment`: A/B tests."""

from __future__ import annotations

from typing import Annotated

import typer

from ireval_frames.cli.comparison.experiment_options import Questions, Variants
from ireval_frames.cli.judgments.clicks import clicks
from ireval_frames.cli.options.bundles import spread
from ireval_frames.cli.options.click_log import ClickLog
from ireval_frames.cli.options.common import EngineName, StorageOptions, storage
from ireval_frames.cli.output.progress import working

EXAMPLES = """\b
Examples:
  ireval experiment visits.parquet -m "Mean(revenue) Ratio(clicks, pages)" --control a
  ireval experiment users.parquet -m "Mean(revenue, before=revenue_before)" --one-row
  ireval experiment visits.parquet -m "Ratio(clicks, pages)" --by country --family all
  ireval experiment visits.parquet -m "Mean(revenue)" --looks 0.25,0.5
  ireval experiment visits.parquet -m "Mean(revenue)" --check --randomised user_id
  ireval experiment visits.parquet --srm --share a=9 --share b=1
  ireval experiment visits.parquet -m "Mean(revenue)" --plan relative=0.01
  ireval experiment visits.parquet -m "Mean(revenue)" --time day --over-time -f csv

\b
Metrics: Mean(column), Ratio(numerator, denominator), Proportion(column),
Capped(column, at=0.99), Quantile(column, 0.95, of=rows); before=column adjusts
by what the unit did before.  Columns are summed over the rows of a unit.
Formats: table, markdown, latex and html to read, and csv, json, parquet in full.
"""
SEARCH_EXAMPLES = """\b
Examples:
  ireval clicks log.parquet experiment --control a          CTR, abandonment, MRR of first clicks
  ireval clicks log.parquet experiment -m "Ratio(clicks, pages)" --by device
  ireval clicks log.parquet experiment --judgments qrels.txt --cutoff 5
  ireval clicks log.parquet experiment --check

\b
The rows are pages with pages (1), shown, clicks, clicked, abandoned and first_click; users are what is
randomised.  `ireval experiment --help` tells of metrics and of tables that are no click logs.
"""


@spread
def experiment(
    table: Annotated[
        str, typer.Argument(metavar="FILE", help="Rows of units: CSV, TSV, JSON lines, Parquet, Arrow; or aggregates.")
    ],
    unit: Annotated[str, typer.Option("--unit", metavar="COLUMN", help="What was randomised.")] = "user_id",
    row_units: Annotated[bool, typer.Option("--row-units", help="Each row is a unit, and has no id.")] = False,
    one_row: Annotated[bool, typer.Option("--one-row", help="Each unit has one row.")] = False,
    from_aggregates: Annotated[
        bool, typer.Option("--from-aggregates", help="FILE holds what --aggregates wrote.")
    ] = False,
    engine: EngineName = None,
    storage_option: StorageOptions = None,
    *,
    variants: Variants,
    questions: Questions,
) -> None:
    """Analyse an A/B test: differences, intervals, tests, and what makes them wrong."""
    stores, compared, by = storage(storage_option), variants, variants.by or ()
    from ireval_frames.experiments import Experiment

    with working("analysing"):
        if from_aggregates:
            found = Experiment.of_aggregates(table, control=compared.control, by=by, time=compared.time)
        else:
            found = Experiment(
                table, compared.variant, None if row_units else unit, control=compared.control, time=compared.time,
                by=by, one_row=one_row, units=compared.units, several_variants=compared.several_variants,
                engine=engine, storage_options=stores,
            )  # fmt: skip
        answer = questions.answer(found)
    questions.deliver(answer)


@clicks.command("experiment", epilog=SEARCH_EXAMPLES)
@spread
def of_log(
    context: typer.Context,
    unit: Annotated[
        str | None, typer.Option("--unit", metavar="COLUMN", help="What was randomised; users by default.")
    ] = None,
    judgments: Annotated[
        str | None, typer.Option("--judgments", metavar="QRELS", help="Adds nDCG, the mean over judged pages.")
    ] = None,
    cutoff: Annotated[int, typer.Option("--cutoff", help="Of the nDCG of --judgments.")] = 10,
    *,
    variants: Variants,
    questions: Questions,
    log: ClickLog,
) -> None:
    """Analyse the log as an A/B test of users."""
    with working("analysing"):
        found = log.opened(context.obj).experiment(
            variants.variant, unit=unit, control=variants.control, time=variants.time, by=variants.by or (),
            units=variants.units, several_variants=variants.several_variants, judgments=judgments, cutoff=cutoff,
        )  # fmt: skip
        answer = questions.answer(found)
    questions.deliver(answer)
