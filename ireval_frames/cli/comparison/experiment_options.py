"""The options of A/B tests: which variants are compared, what is asked of them, and how the answer is written."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, Any

import polars as pl

from ireval_frames.cli.options.command import Option
from ireval_frames.cli.options.common import By, OutputFile, Seed, at_most_one, key_values
from ireval_frames.cli.output.capture import found as kept
from ireval_frames.cli.output.documents import Shape, deliver_written, shape_of, written_so
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

NORMAL = Parameter(None, "of --bayes: mean and SD of the prior of values; flat by default", tuple, kind=numbers)
BETA = Parameter((1.0, 1.0), "of --bayes: the prior of proportions", tuple, kind=numbers)


@dataclass(frozen=True)
class Variants:
    """Who is compared."""

    variant: Annotated[str, Option("--variant", metavar="COLUMN", help="What tells variants apart.")] = "variant"
    time: Annotated[str | None, Option("--time", metavar="COLUMN", help="The column of days.")] = None
    by: By = None
    units: Annotated[str, UNKNOWN_UNITS] = "error"
    several_variants: Annotated[str, SEVERAL_VARIANTS] = "error"


@dataclass(frozen=True)
class Questions:
    """What is asked: an analysis, or one of the results that stand for themselves."""

    metrics: Annotated[
        list[str] | None, Option("-m", "--metric", metavar="TEXT", help="Metrics, one or several; repeatable.")
    ] = None
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

    def answer(self, of: Experiment, options: AnalysisOptions) -> pl.DataFrame | Tables | str:
        """What is asked of the experiment: a table in full, tables to read, or text."""
        how = options.arguments()
        del how["baseline"]
        confidence, looked = options.confidence, {name: how[name] for name in ("looks", "spending", "exponent")}
        asked: Any = self.metrics or None
        told = (
            of.check(asked or (), shares=self._shares(), randomised=self.randomised) if self.check
            else of.srm(self._shares()) if self.srm
            else of.aa(asked, n_resamples=self.n_resamples, seed=self.seed, confidence=confidence) if self.aa
            else of.bayes(
                asked, strata=options.strata, normal=self.normal, beta=self.beta, confidence=confidence,
            ) if self.bayes
            else of.noninferiority(
                asked, **_margin(self.margin), correction=options.correction, confidence=confidence
            ) if self.margin is not None
            else of.plan(
                asked, **_plan(self.plan), power=self.power, split=self.split, **looked, confidence=confidence,
            ) if self.plan is not None
            else of.over_time(asked, confidence=confidence) if self.over_time
            else of.trend(asked, confidence=confidence) if self.trend
            else of.aggregates(asked).frame if self.aggregates
            else None
        )  # fmt: skip
        if told is not None:
            return kept(told)
        analysis = of.analyze(asked, **how)
        if self.heterogeneity:
            return kept(analysis.heterogeneity())
        kept(analysis)
        if self.explain:
            return f"{analysis.explain()}\n"
        return analysis.table() if self.shape in (Shape.csv, Shape.json, Shape.parquet) else displays_of(analysis)[0]

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
