"""`ireval experiment`: A/B tests."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, Any

import polars as pl

from ireval_frames.cli.options.command import Argument, Option, command
from ireval_frames.cli.options.common import (
    By,
    EngineName,
    OutputFile,
    Seed,
    StorageOptions,
    at_most_one,
    key_values,
    storage,
)
from ireval_frames.cli.output.documents import Shape, check_shape, deliver_tables, shape_of
from ireval_frames.cli.output.running import capture, working
from ireval_frames.cli.output.tables import Format, deliver_table, write_bytes
from ireval_frames.displayed import displays_of
from ireval_frames.errors import InvalidParameter
from ireval_frames.experiments.options import AnalysisOptions
from ireval_frames.experiments.planning import SPLIT
from ireval_frames.experiments.units import SEVERAL_VARIANTS, UNKNOWN_UNITS
from ireval_frames.experiments.validity.aa_tests import HALVES
from ireval_frames.parameters import POWER, Parameter, numbers

if TYPE_CHECKING:
    from ireval_frames.comparison.text.tables import Tables
    from ireval_frames.experiments import Experiment

NORMAL = Parameter(None, "mean and SD of the prior of values, for --bayes; flat by default", tuple, kind=numbers)
BETA = Parameter((1.0, 1.0), "the prior of proportions, for --bayes", tuple, kind=numbers)


@dataclass(frozen=True)
class Variants:
    """The variants that are compared."""

    variant: Annotated[str, Option("--variant", metavar="COLUMN", help="The column of variants.")] = "variant"
    time: Annotated[str | None, Option("--time", metavar="COLUMN", help="The column of days.")] = None
    by: By = None
    units: Annotated[str, UNKNOWN_UNITS] = "error"
    several_variants: Annotated[str, SEVERAL_VARIANTS] = "error"


@dataclass(frozen=True)
class ResultOptions:
    """The requested result: an analysis, or one of the other tables."""

    metrics: Annotated[
        list[str] | None, Option("-m", "--metric", metavar="TEXT", help="Metrics, one or several; repeatable.")
    ] = None
    heterogeneity: Annotated[
        bool, Option("--heterogeneity", help="Whether the groups of --by differ in their differences.")
    ] = False
    check: Annotated[bool, Option("--check", help="Checks of the test's validity.")] = False
    randomised: Annotated[
        str | None, Option("--randomised", metavar="COLUMN", help="The randomised unit, for --check.")
    ] = None
    srm: Annotated[bool, Option("--srm", help="Sample ratio mismatch.")] = False
    share: Annotated[
        list[str] | None,
        Option("--share", metavar="VARIANT=SHARE", help="The intended share of a variant, for --srm and --check."),
    ] = None
    aa: Annotated[bool, Option("--aa", help="A/A check: do the tests keep their level?")] = False
    n_resamples: Annotated[int, HALVES] = 1000
    seed: Seed = 0
    bayes: Annotated[bool, Option("--bayes", help="Posteriors, and which variant is probably best.")] = False
    normal: Annotated[list[float] | None, NORMAL] = None
    beta: Annotated[tuple[float, ...], BETA] = (1.0, 1.0)
    margin: Annotated[
        str | None, Option("--margin", metavar="NUMBER", help="Non-inferiority: 0.1, or 2% of the baseline.")
    ] = None
    plan: Annotated[
        str | None, Option("--plan", metavar="WHAT=NUMBER", help="From history: relative=, difference= or n=.")
    ] = None
    power: Annotated[float, POWER] = 0.8
    split: Annotated[float, SPLIT] = 0.5
    over_time: Annotated[bool, Option("--over-time", help="The difference of each day.")] = False
    trend: Annotated[bool, Option("--trend", help="Whether the difference grows or fades.")] = False
    aggregates: Annotated[bool, Option("--aggregates", help="The table that merges over days.")] = False
    explain: Annotated[bool, Option("--explain", help="The conventions in force, in words.")] = False
    format: Annotated[
        Shape | None, Option("--format", "-f", help="The format of the result; by default that of -o's name.")
    ] = None
    output: OutputFile = None
    shape: Shape = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "shape", shape_of(self.format, self.output))
        requested: dict[str, bool] = {
            "heterogeneity": self.heterogeneity, "check": self.check, "srm": self.srm, "aa": self.aa,
            "bayes": self.bayes, "margin": self.margin is not None, "plan": self.plan is not None,
            "over_time": self.over_time, "trend": self.trend, "aggregates": self.aggregates, "explain": self.explain,
        }  # fmt: skip
        at_most_one(**requested)
        check_shape(self.shape, **requested)

    def result(self, experiment: Experiment, options: AnalysisOptions) -> pl.DataFrame | Tables | str:
        """The requested result of the experiment: a table, tables with titles and notes, or text."""
        arguments = options.arguments()
        del arguments["baseline"]
        sequential = {name: arguments[name] for name in ("looks", "spending", "exponent")}
        # The experiment refuses to have no metrics, where it needs some.
        metrics: Any = self.metrics or None
        confidence = options.confidence
        table = (
            experiment.check(metrics or (), shares=self._shares(), randomised=self.randomised) if self.check
            else experiment.srm(self._shares()) if self.srm
            else experiment.aa(metrics, n_resamples=self.n_resamples, seed=self.seed, confidence=confidence) if self.aa
            else experiment.bayes(
                metrics, strata=options.strata, normal=self.normal, beta=self.beta, confidence=confidence,
            ) if self.bayes
            else experiment.noninferiority(
                metrics, **_margin(self.margin), correction=options.correction, confidence=confidence
            ) if self.margin is not None
            else experiment.plan(
                metrics, **_plan(self.plan), power=self.power, split=self.split, **sequential, confidence=confidence,
            ) if self.plan is not None
            else experiment.over_time(metrics, confidence=confidence) if self.over_time
            else experiment.trend(metrics, confidence=confidence) if self.trend
            else experiment.aggregates(metrics).frame if self.aggregates
            else None
        )  # fmt: skip
        if table is not None:
            return capture(table)
        analysis = experiment.analyze(metrics, **arguments)
        if self.heterogeneity:
            return capture(analysis.heterogeneity())
        capture(analysis)
        if self.explain:
            return f"{analysis.explain()}\n"
        return analysis.table() if self.shape in (Shape.csv, Shape.json, Shape.parquet) else displays_of(analysis)[0]

    def deliver(self, result: pl.DataFrame | Tables | str) -> None:
        """Write the result."""
        if isinstance(result, str):
            write_bytes(result.encode(), self.output)
        elif isinstance(result, pl.DataFrame):
            deliver_table(result, Format(self.shape), self.output)
        else:
            deliver_tables(result, self.shape, self.output)

    def _shares(self) -> dict[str, float] | None:
        pairs = key_values(self.share, "--share", "VARIANT=SHARE", "a=0.5")
        return {name: _number(value, "--share", "--share a=0.5") for name, value in pairs.items()} or None


def _margin(text: str | None) -> dict[str, Any]:
    relative = str(text).endswith("%")
    number = _number(str(text).removesuffix("%"), "--margin", "--margin 2%")
    return {"margin": number / 100.0 if relative else number, "relative": relative}


def _plan(text: str | None) -> dict[str, Any]:
    pairs = key_values([str(text)], "--plan", "WHAT=NUMBER", "relative=0.01")
    ((name, value),) = pairs.items()
    if name not in ("n", "difference", "relative"):
        raise InvalidParameter(f"--plan is of {name!r}.", "Write --plan relative=0.01, or difference= or n=.")
    return {name: _number(value, "--plan", "--plan relative=0.01")}


def _number(text: str, option: str, example: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise InvalidParameter(f"{option} is {text!r}; it must be a number.", f"Write {example}") from None


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
    unit: Annotated[str, Option("--unit", metavar="COLUMN", help="The randomised unit.")] = "user_id",
    row_units: Annotated[bool, Option("--row-units", help="Each row is a unit, without an id.")] = False,
    one_row: Annotated[bool, Option("--one-row", help="Each unit has one row.")] = False,
    from_aggregates: Annotated[bool, Option("--from-aggregates", help="FILE is the output of --aggregates.")] = False,
    engine: EngineName = None,
    storage_option: StorageOptions = None,
    *,
    variants: Variants,
    analysis: AnalysisOptions,
    results: ResultOptions,
) -> None:
    """Analyse an A/B test: differences, intervals, tests, and checks of its validity."""
    by = variants.by or ()
    from ireval_frames.experiments import Experiment

    with working("analysing"):
        if from_aggregates:
            subject = Experiment.of_aggregates(table, baseline=analysis.baseline, by=by, time=variants.time)
        else:
            subject = Experiment(
                table, variants.variant, None if row_units else unit, baseline=analysis.baseline, time=variants.time,
                by=by, one_row=one_row, units=variants.units, several_variants=variants.several_variants,
                engine=engine, storage_options=storage(storage_option),
            )  # fmt: skip
        result = results.result(subject, analysis)
    results.deliver(result)
