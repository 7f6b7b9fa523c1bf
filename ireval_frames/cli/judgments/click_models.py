"""`ireval clicks fit LOG` and `judgments`: click models of a log, and judgments made of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

from ireval_frames.cli.options.click_log import ClickLog, LogFile
from ireval_frames.cli.options.command import Argument, Option, command
from ireval_frames.cli.options.common import By, Confidence, Written, at_most_one
from ireval_frames.cli.output.capture import found as kept
from ireval_frames.cli.output.progress import working
from ireval_frames.cli.output.tables import say
from ireval_frames.errors import InvalidParameter

if TYPE_CHECKING:
    from ireval_frames.clicks import Impressions
    from ireval_frames.clicks.models import FittedModel, GradedLog

EXAMPLES = """\b
Examples:
  ireval clicks fit log.parquet SDBN --prior 0,0
  ireval clicks fit log.parquet UBM --iterations 100 --save ubm.parquet
  ireval clicks fit log.parquet DBN --by locale --relevance -o relevance.parquet
  ireval clicks fit log.parquet PBM --intervals information -o parameters.parquet
  ireval clicks fit log.parquet PBM --convergence
  ireval clicks judgments log.parquet SDBN -o qrels.csv
  ireval clicks judgments log.parquet DBN --grades 4 --min-n 20 -o qrels.parquet
  ireval clicks judgments log.parquet SDBN --against qrels.txt
  ireval clicks fit log.parquet SDBN --grades qrels.txt --save by-grade.parquet

\b
Models: GCTR, RCTR, DCTR, DRCTR, CM, DCM, SDBN in closed form; PBM, UBM, DBN, CCM by iteration.
"""
Name = Annotated[str, Argument(metavar="MODEL", help="GCTR, RCTR, DCTR, DRCTR, CM, DCM, SDBN, PBM, UBM, DBN, CCM.")]


@dataclass(frozen=True)
class Fitting:
    """How a click model is fitted."""

    iterations: Annotated[int | None, Option("--iterations", help="At most so many; 500 by default.")] = None
    tolerance: Annotated[float | None, Option("--tolerance", help="The change at which they end; 1e-6 by default.")] = (
        None
    )
    prior: Annotated[
        str | None,
        Option("--prior", metavar="A,B", help="Pseudo-counts, 1,1 by default; 0,0 is maximum likelihood."),
    ] = None
    no_clicks: Annotated[
        str | None,
        Option("--no-clicks", metavar="RULE", help="Pages without clicks: examined (default) or dropped."),
    ] = None
    convention: Annotated[
        str | None, Option("--convention", metavar="NAME", help="pyclick or clickmodels: as these do it.")
    ] = None

    def fitted(self, log: Impressions | GradedLog, name: str, confidence: float = 0.95) -> FittedModel:
        """The model of the log."""
        return log.fit(
            name,
            iterations=self.iterations,
            tolerance=self.tolerance,
            prior=_pair(self.prior),
            no_clicks=self.no_clicks,
            convention=self.convention,
            confidence=confidence,
        )


@command(epilog=EXAMPLES)
def fit(
    file: LogFile,
    name: Name,
    intervals: Annotated[
        str | None,
        Option("--intervals", metavar="METHOD", help="Of PBM, UBM, DBN, CCM: information, profile or bootstrap."),
    ] = None,
    relevance: Annotated[bool, Option("--relevance", help="A row per query and document.")] = False,
    convergence: Annotated[bool, Option("--convergence", help="A row per iteration.")] = False,
    explain: Annotated[bool, Option("--explain", help="The conventions in force, in words.")] = False,
    grades: Annotated[
        str | None,
        Option("--grades", metavar="QRELS", help="Judgments: parameters by grade in the place of documents."),
    ] = None,
    save: Annotated[str | None, Option("--save", metavar="FILE", help="Keep the model as a Parquet file, too.")] = None,
    confidence: Confidence = 0.95,
    by: By = None,
    *,
    fitting: Fitting,
    log: ClickLog,
    written: Written,
) -> None:
    """Fit a click model: its parameters, or the relevance of documents."""
    at_most_one(relevance=relevance, convergence=convergence, explain=explain)
    with working("fitting"):
        opened = log.opened(file, by=by)
        model = fitting.fitted(opened if grades is None else opened.graded(grades), name, confidence)
    if intervals is not None:
        with working("intervals"):
            model = model.intervals(intervals)
    kept(model)
    if save is not None:
        model.save(save)
    if explain:
        say(model.explain())
    elif convergence:
        written.table(model.convergence())
    else:
        written.table(model.relevance() if relevance else model.parameters())


@command(epilog=EXAMPLES)
def judgments(
    file: LogFile,
    name: Name,
    grades: Annotated[
        str | None,
        Option("--grades", metavar="K | X,Y…", help="K grades by quantiles, or ascending thresholds; else 0 to 1."),
    ] = None,
    min_n: Annotated[float, Option("--min-n", help="Documents with fewer impressions get none.")] = 0.0,
    against: Annotated[
        str | None,
        Option("--against", metavar="QRELS", help="Judgments of people: how far both agree, instead."),
    ] = None,
    by: By = None,
    *,
    fitting: Fitting,
    log: ClickLog,
    written: Written,
) -> None:
    """Judgments for `ireval evaluate`, made of the clicks of the log."""
    with working("fitting"):
        model = fitting.fitted(log.opened(file, by=by), name)
    made = model.judgments(grades=_grades(grades), min_n=min_n)
    if against is None:
        written.table(made)
        return
    from ireval_frames.judging import click_agreement

    with working("comparing"):
        agreement = click_agreement(made, against)
    written.table(agreement)


def _pair(text: str | None) -> tuple[float, float] | None:
    if text is None:
        return None
    found = _numbers(text, "--prior", "0,0")
    if len(found) != 2:
        raise InvalidParameter(f"--prior is {text!r}; it must be two numbers.", "Write --prior 0,0")
    return found[0], found[1]


def _grades(text: str | None) -> int | list[float] | None:
    if text is None:
        return None
    return int(text) if text.isdecimal() else _numbers(text, "--grades", "4, or --grades 0.1,0.5")


def _numbers(text: str, option: str, example: str) -> list[float]:
    try:
        return [float(part) for part in text.split(",")]
    except ValueError:
        raise InvalidParameter(f"{option} is {text!r}; it must be numbers.", f"Write {option} {example}") from None
