"""The options of A/B tests: which variants are compared, what is asked of them, and how the answer is written."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, Any

import polars as pl

from ireval_frames.cli.options.command import Option
from ireval_frames.cli.options.common import By, Confidence, OutputFile, Seed, at_most_one, key_values, several
from ireval_frames.cli.output.capture import found as kept
from ireval_frames.cli.output.documents import Shape, deliver_written, shape_of, written_so
from ireval_frames.cli.output.tables import Format, deliver_table, write_bytes
from ireval_frames.errors import InvalidParameter

if TYPE_CHECKING:
    from ireval_frames.comparison.text.written import Tables
    from ireval_frames.experiments import Experiment


@dataclass(frozen=True)
class Variants:
    """Who is compared."""

    variant: Annotated[str, Option("--variant", metavar="COLUMN", help="What tells variants apart.")] = "variant"
    control: Annotated[
        str | None, Option("--control", metavar="VARIANT", help="Compare all others with it, not every two.")
    ] = None
    time: Annotated[str | None, Option("--time", metavar="COLUMN", help="The column of days.")] = None
    by: By = None
    units: Annotated[
        str, Option("--units", metavar="NAME", help="Rows without a unit or variant: error, or drop-null.")
    ] = "error"
    several_variants: Annotated[
        str,
        Option("--several-variants", metavar="NAME", help="Units in several variants: error, drop, or keep."),
    ] = "error"


@dataclass(frozen=True)
class Questions:
    """What is asked: an analysis, or one of the results that stand for themselves."""

    metrics: Annotated[
        list[str] | None, Option("-m", "--metric", metavar="TEXT", help="Metrics, one or several; repeatable.")
    ] = None
    strata: Annotated[
        list[str] | None, Option("--strata", metavar="COLUMN", help="Post-stratify by this column; repeatable.")
    ] = None
    correction: Annotated[str, Option("--correction", metavar="NAME", help="Of p-values.")] = "holm"
    family: Annotated[
        str, Option("--family", metavar="NAME", help="Corrected together: of one metric, group, or all.")
    ] = "metric"
    confidence: Confidence = 0.95
    alternative: Annotated[
        str, Option("--alternative", metavar="NAME", help="two-sided, greater (better) or less (worse).")
    ] = "two-sided"
    coefficient: Annotated[
        str, Option("--coefficient", metavar="NAME", help="Of CUPED: within the variants, or pooled.")
    ] = "within"
    sequential: Annotated[
        float | None,
        Option("--sequential", metavar="UNITS", help="Intervals for any number of looks, tuned for so many units."),
    ] = None
    looks: Annotated[
        str | None, Option("--looks", metavar="SHARES", help="Shares of the planned units at the looks so far.")
    ] = None
    spending: Annotated[
        str, Option("--spending", metavar="NAME", help="Of --looks: obrien-fleming, pocock or power.")
    ] = "obrien-fleming"
    exponent: Annotated[float, Option("--exponent", help="Of --spending power.")] = 1.0
    heterogeneity: Annotated[
        bool, Option("--heterogeneity", help="Whether the groups of --by differ in their differences.")
    ] = False
    check: Annotated[bool, Option("--check", help="What makes the test wrong.")] = False
    randomised: Annotated[
        str | None, Option("--randomised", metavar="COLUMN", help="Of --check: what was randomised.")
    ] = None
    srm: Annotated[bool, Option("--srm", help="Sample ratio mismatch.")] = False
    share: Annotated[
        list[str] | None,
        Option("--share", metavar="VARIANT=SHARE", help="Of --srm and --check: what a variant should get."),
    ] = None
    aa: Annotated[bool, Option("--aa", help="A/A check: do the tests keep their level?")] = False
    n_resamples: Annotated[int, Option("--n-resamples", help="Of --aa.")] = 1000
    seed: Seed = 0
    bayes: Annotated[bool, Option("--bayes", help="Posteriors, and which variant is probably best.")] = False
    normal: Annotated[
        str | None,
        Option("--normal", metavar="MEAN,SD", help="Of --bayes: the prior of values; flat by default."),
    ] = None
    beta: Annotated[str, Option("--beta", metavar="A,B", help="Of --bayes: the prior of proportions.")] = "1,1"
    margin: Annotated[
        str | None, Option("--margin", metavar="NUMBER", help="Non-inferiority: 0.1, or 2% of the baseline.")
    ] = None
    plan: Annotated[
        str | None, Option("--plan", metavar="WHAT=NUMBER", help="From history: relative=, difference= or n=.")
    ] = None
    power: Annotated[float, Option("--power", help="Of --plan.")] = 0.8
    split: Annotated[float, Option("--split", help="Of --plan: the share of the units that see the variant.")] = 0.5
    over_time: Annotated[bool, Option("--over-time", help="The difference of each day.")] = False
    trend: Annotated[bool, Option("--trend", help="Whether the difference grows or fades.")] = False
    aggregates: Annotated[bool, Option("--aggregates", help="The table that merges over days.")] = False
    explain: Annotated[bool, Option("--explain", help="The conventions in force, in words.")] = False
    format: Annotated[
        Shape | None, Option("--format", "-f", help="How to write the result; by default as -o's name tells.")
    ] = None
    output: OutputFile = None
    shape: Shape = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "shape", shape_of(self.format, self.output))
        own: dict[str, bool] = {
            "heterogeneity": self.heterogeneity, "check": self.check, "srm": self.srm, "aa": self.aa,
            "bayes": self.bayes, "margin": self.margin is not None, "plan": self.plan is not None,
            "over_time": self.over_time, "trend": self.trend, "aggregates": self.aggregates, "explain": self.explain,
        }  # fmt: skip
        at_most_one(**own)
        written_so(self.shape, **own)

    def answer(self, of: Experiment) -> pl.DataFrame | Tables | str:
        """What is asked of the experiment: a table in full, tables to read, or text."""
        asked: Any = self.metrics or None
        told = (
            of.check(asked or (), shares=self._shares(), randomised=self.randomised) if self.check
            else of.srm(self._shares()) if self.srm
            else of.aa(asked, n_resamples=self.n_resamples, seed=self.seed, confidence=self.confidence) if self.aa
            else of.bayes(
                asked, strata=self.strata or (), normal=None if self.normal is None else _pair(self.normal, "--normal"),
                beta=_pair(self.beta, "--beta"), confidence=self.confidence,
            ) if self.bayes
            else of.noninferiority(
                asked, **_margin(self.margin), correction=self.correction, confidence=self.confidence
            ) if self.margin is not None
            else of.plan(
                asked, **_plan(self.plan), power=self.power, split=self.split, looks=_numbers(self.looks),
                spending=self.spending, exponent=self.exponent, confidence=self.confidence,
            ) if self.plan is not None
            else of.over_time(asked, confidence=self.confidence) if self.over_time
            else of.trend(asked, confidence=self.confidence) if self.trend
            else of.aggregates(asked).frame if self.aggregates
            else None
        )  # fmt: skip
        if told is not None:
            return kept(told)
        analysis = of.analyze(
            asked, strata=self.strata or (), correction=self.correction, family=self.family,
            confidence=self.confidence, alternative=self.alternative, coefficient=self.coefficient,
            sequential=self.sequential, looks=_numbers(self.looks), spending=self.spending, exponent=self.exponent,
        )  # fmt: skip
        if self.heterogeneity:
            return kept(analysis.heterogeneity())
        kept(analysis)
        if self.explain:
            return f"{analysis.explain()}\n"
        return analysis.table() if self.shape in (Shape.csv, Shape.json, Shape.parquet) else analysis.written()

    def deliver(self, answer: pl.DataFrame | Tables | str) -> None:
        """Write the answer."""
        if isinstance(answer, str):
            write_bytes(answer.encode(), self.output)
        elif isinstance(answer, pl.DataFrame):
            deliver_table(answer, Format(self.shape), self.output)
        else:
            deliver_written(answer, self.shape, self.output)

    def _shares(self) -> dict[str, float] | None:
        pairs = key_values(self.share, "--share", "VARIANT=SHARE", "a=0.5")
        return {name: _number(value, "--share", "--share a=0.5") for name, value in pairs.items()} or None


def _numbers(text: str | None) -> list[float] | None:
    return None if text is None else [_number(t, "--looks", "--looks 0.25,0.5") for t in several([text])]


def _pair(text: str, option: str) -> tuple[float, float]:
    found = [_number(t, option, f"{option} 1,2") for t in several([text])]
    if len(found) != 2:
        raise InvalidParameter(f"{option} is {text!r}; it holds two numbers.", f"Write {option} 1,2")
    return found[0], found[1]


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
