"""`ireval experiment`: A/B tests."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from ireval_frames.cli.kept import found as kept
from ireval_frames.cli.options import (
    By,
    Confidence,
    EngineName,
    OutputFile,
    Seed,
    StorageOptions,
    at_most_one,
    key_values,
    several,
    storage,
)
from ireval_frames.cli.output import Format, deliver_table, write_bytes
from ireval_frames.cli.progress import working
from ireval_frames.cli.written import Shape, deliver_written, shape_of, written_so
from ireval_frames.errors import InvalidParameter

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


def experiment(
    table: Annotated[
        str, typer.Argument(metavar="FILE", help="Rows of units: CSV, TSV, JSON lines, Parquet, Arrow; or aggregates.")
    ],
    metrics: Annotated[
        list[str] | None, typer.Option("-m", "--metric", metavar="TEXT", help="Metrics, one or several; repeatable.")
    ] = None,
    variant: Annotated[str, typer.Option("--variant", metavar="COLUMN", help="What tells variants apart.")] = "variant",
    unit: Annotated[str, typer.Option("--unit", metavar="COLUMN", help="What was randomised.")] = "user_id",
    row_units: Annotated[bool, typer.Option("--row-units", help="Each row is a unit, and has no id.")] = False,
    one_row: Annotated[bool, typer.Option("--one-row", help="Each unit has one row.")] = False,
    control: Annotated[
        str | None, typer.Option("--control", metavar="VARIANT", help="Compare all others with it, not every two.")
    ] = None,
    time: Annotated[str | None, typer.Option("--time", metavar="COLUMN", help="The column of days.")] = None,
    by: By = None,
    strata: Annotated[
        list[str] | None, typer.Option("--strata", metavar="COLUMN", help="Post-stratify by this column; repeatable.")
    ] = None,
    correction: Annotated[str, typer.Option("--correction", metavar="NAME", help="Of p-values.")] = "holm",
    family: Annotated[
        str, typer.Option("--family", metavar="NAME", help="Corrected together: of one metric, group, or all.")
    ] = "metric",
    confidence: Confidence = 0.95,
    alternative: Annotated[
        str, typer.Option("--alternative", metavar="NAME", help="two-sided, greater (better) or less (worse).")
    ] = "two-sided",
    sequential: Annotated[
        float | None,
        typer.Option(
            "--sequential", metavar="UNITS", help="Intervals for any number of looks, tuned for so many units."
        ),
    ] = None,
    looks: Annotated[
        str | None, typer.Option("--looks", metavar="SHARES", help="Shares of the planned units at the looks so far.")
    ] = None,
    spending: Annotated[
        str, typer.Option("--spending", metavar="NAME", help="Of --looks: obrien-fleming, pocock or power.")
    ] = "obrien-fleming",
    check: Annotated[bool, typer.Option("--check", help="What makes the test wrong.")] = False,
    randomised: Annotated[
        str | None, typer.Option("--randomised", metavar="COLUMN", help="Of --check: what was randomised.")
    ] = None,
    srm: Annotated[bool, typer.Option("--srm", help="Sample ratio mismatch.")] = False,
    share: Annotated[
        list[str] | None,
        typer.Option("--share", metavar="VARIANT=SHARE", help="Of --srm and --check: what a variant should get."),
    ] = None,
    aa: Annotated[bool, typer.Option("--aa", help="A/A check: do the tests keep their level?")] = False,
    seed: Seed = 0,
    bayes: Annotated[bool, typer.Option("--bayes", help="Posteriors, and which variant is probably best.")] = False,
    margin: Annotated[
        str | None, typer.Option("--margin", metavar="NUMBER", help="Non-inferiority: 0.1, or 2% of the baseline.")
    ] = None,
    plan: Annotated[
        str | None,
        typer.Option("--plan", metavar="WHAT=NUMBER", help="From history: relative=, difference= or n=."),
    ] = None,
    power: Annotated[float, typer.Option("--power", help="Of --plan.")] = 0.8,
    over_time: Annotated[bool, typer.Option("--over-time", help="The difference of each day.")] = False,
    trend: Annotated[bool, typer.Option("--trend", help="Whether the difference grows or fades.")] = False,
    aggregates: Annotated[bool, typer.Option("--aggregates", help="The table that merges over days.")] = False,
    from_aggregates: Annotated[
        bool, typer.Option("--from-aggregates", help="FILE holds what --aggregates wrote.")
    ] = False,
    explain: Annotated[bool, typer.Option("--explain", help="The conventions in force, in words.")] = False,
    engine: EngineName = None,
    storage_option: StorageOptions = None,
    format: Annotated[
        Shape | None, typer.Option("--format", "-f", help="How to write the result; by default as -o's name tells.")
    ] = None,
    output: OutputFile = None,
) -> None:
    """Analyse an A/B test: differences, intervals, tests, and what makes them wrong."""
    shape = shape_of(format, output)
    own: dict[str, bool] = {
        "check": check, "srm": srm, "aa": aa, "bayes": bayes, "margin": margin is not None, "plan": plan is not None,
        "over_time": over_time, "trend": trend, "aggregates": aggregates, "explain": explain,
    }  # fmt: skip
    at_most_one(**own)
    written_so(shape, **own)
    stores, shares = storage(storage_option), _shares(share)
    from ireval_frames.experiments import Experiment

    with working("analysing"):
        if from_aggregates:
            found = Experiment.of_aggregates(table, control=control, by=by or (), time=time)
        else:
            found = Experiment(
                table, variant, None if row_units else unit, control=control, time=time, by=by or (), one_row=one_row,
                engine=engine, storage_options=stores,
            )  # fmt: skip
        asked: Any = metrics or None
        told = (
            found.check(asked or (), shares=shares, randomised=randomised) if check
            else found.srm(shares) if srm
            else found.aa(asked, seed=seed, confidence=confidence) if aa
            else found.bayes(asked, strata=strata or (), confidence=confidence) if bayes
            else found.noninferiority(asked, **_margin(margin), correction=correction, confidence=confidence)
            if margin is not None
            else found.plan(asked, **_plan(plan), power=power, confidence=confidence) if plan is not None
            else found.over_time(asked, confidence=confidence) if over_time
            else found.trend(asked, confidence=confidence) if trend
            else found.aggregates(asked).frame if aggregates
            else None
        )  # fmt: skip
        analysis = None
        if told is None:
            analysis = found.analyze(
                asked, strata=strata or (), correction=correction, family=family, confidence=confidence,
                alternative=alternative, sequential=sequential, looks=_numbers(looks), spending=spending,
            )  # fmt: skip
            if not explain and shape in (Shape.csv, Shape.json, Shape.parquet):
                told = analysis.table()
        kept(told if analysis is None else analysis)
        made = analysis.written() if analysis is not None and told is None and not explain else None
    if analysis is not None and explain:
        write_bytes(f"{analysis.explain()}\n".encode(), output)
    elif told is not None:
        deliver_table(told, Format(shape) if shape.value in set(Format) else Format.table, output)
    elif made is not None:
        deliver_written(made, shape, output)


def _shares(given: list[str] | None) -> dict[str, float] | None:
    pairs = key_values(given, "--share", "VARIANT=SHARE", "a=0.5")
    return {name: _number(value, "--share", "--share a=0.5") for name, value in pairs.items()} or None


def _numbers(text: str | None) -> list[float] | None:
    return None if text is None else [_number(t, "--looks", "--looks 0.25,0.5") for t in several([text])]


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
        raise InvalidParameter(f"{option} holds {text!r}, which is no number.", f"Write {example}") from None
