"""`ireval experiment`: A/B tests."""

from __future__ import annotations

from typing import Annotated

from ireval_frames.cli.comparison.experiment_options import Questions, Variants
from ireval_frames.cli.options.command import Argument, Option, command
from ireval_frames.cli.options.common import EngineName, StorageOptions, storage
from ireval_frames.cli.output.progress import working
from ireval_frames.experiments.options import AnalysisOptions

EXAMPLES = """\b
Examples:
  ireval experiment visits.parquet -m "Mean(revenue) Ratio(clicks, pages)" --baseline a
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


@command(epilog=EXAMPLES)
def experiment(
    table: Annotated[
        str, Argument(metavar="FILE", help="Rows of units: CSV, TSV, JSON lines, Parquet, Arrow; or aggregates.")
    ],
    unit: Annotated[str, Option("--unit", metavar="COLUMN", help="What was randomised.")] = "user_id",
    row_units: Annotated[bool, Option("--row-units", help="Each row is a unit, and has no id.")] = False,
    one_row: Annotated[bool, Option("--one-row", help="Each unit has one row.")] = False,
    from_aggregates: Annotated[bool, Option("--from-aggregates", help="FILE holds what --aggregates wrote.")] = False,
    engine: EngineName = None,
    storage_option: StorageOptions = None,
    *,
    variants: Variants,
    analysis: AnalysisOptions,
    questions: Questions,
) -> None:
    """Analyse an A/B test: differences, intervals, tests, and what makes them wrong."""
    stores, compared, by = storage(storage_option), variants, variants.by or ()
    from ireval_frames.experiments import Experiment

    with working("analysing"):
        if from_aggregates:
            found = Experiment.of_aggregates(table, baseline=analysis.baseline, by=by, time=compared.time)
        else:
            found = Experiment(
                table, compared.variant, None if row_units else unit, baseline=analysis.baseline, time=compared.time,
                by=by, one_row=one_row, units=compared.units, several_variants=compared.several_variants,
                engine=engine, storage_options=stores,
            )  # fmt: skip
        answer = questions.answer(found, analysis)
    questions.deliver(answer)
