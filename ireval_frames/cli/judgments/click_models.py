"""`ireval clicks fit` and `judgments`: click models of a log, and judgments from them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from ireval_frames import io
from ireval_frames.cli.options.click_log import ClickLog, LogFile
from ireval_frames.cli.options.command import Argument, Option, command
from ireval_frames.cli.options.common import By, Confidence, OutputOptions, at_most_one
from ireval_frames.cli.output.running import capture, working
from ireval_frames.cli.output.tables import say
from ireval_frames.clicks.models.options import CONVENTION, Options
from ireval_frames.parameters import Parameter, numbers

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
Judgments without --grades are decimal numbers: ireval evaluate qrels.csv new.run --float-grades.
"""
Name = Annotated[str, Argument(metavar="MODEL", help="GCTR, RCTR, DCTR, DRCTR, CM, DCM, SDBN, PBM, UBM, DBN, CCM.")]


def _grades(text: str) -> int | list[float]:
    return int(text) if text.isdecimal() else numbers(text)


GRADES = Parameter(
    None,
    "the number of grades by quantiles, or ascending thresholds x,y…; else 0 to 1",
    lambda value: value,
    kind=_grades,
    example=4,
)
FIT = Options.parameters()


@dataclass(frozen=True)
class FittingOptions:
    """How a click model is fitted; by default as in the convention."""

    iterations: Annotated[int | None, FIT["iterations"]] = None
    tolerance: Annotated[float | None, FIT["tolerance"]] = None
    prior: Annotated[list[float] | None, FIT["prior"]] = None
    no_clicks: Annotated[str | None, FIT["no_clicks"]] = None
    convention: Annotated[str | None, CONVENTION] = None

    def fit(self, log: Impressions | GradedLog, name: str, confidence: float = 0.95) -> FittedModel:
        """The model of the log."""
        return log.fit(name, confidence=confidence, **vars(self))


@command(epilog=EXAMPLES)
def fit(
    file: LogFile,
    name: Name,
    intervals: Annotated[
        str | None,
        Option(
            "--intervals",
            metavar="METHOD",
            help="Intervals of PBM, UBM, DBN or CCM: information, profile or bootstrap.",
        ),
    ] = None,
    relevance: Annotated[bool, Option("--relevance", help="A row per query and document.")] = False,
    convergence: Annotated[bool, Option("--convergence", help="A row per iteration.")] = False,
    explain: Annotated[bool, Option("--explain", help="The conventions in force, in words.")] = False,
    grades: Annotated[
        str | None,
        Option("--grades", metavar="QRELS", help="Judgments: parameters by grade instead of document."),
    ] = None,
    save: Annotated[str | None, Option("--save", metavar="FILE", help="Also save the model as a Parquet file.")] = None,
    confidence: Confidence = 0.95,
    by: By = None,
    *,
    fitting: FittingOptions,
    log: ClickLog,
    out: OutputOptions,
) -> None:
    """Fit a click model: its parameters, or the relevance of documents."""
    at_most_one(relevance=relevance, convergence=convergence, explain=explain)
    with working("fitting"):
        impressions = log.open(file, by=by)
        model = fitting.fit(impressions if grades is None else impressions.graded(grades), name, confidence)
    if intervals is not None:
        with working("intervals"):
            model = model.intervals(intervals)
    capture(model)
    if save is not None:
        model.save(save)
    if explain:
        say(model.explain())
    elif convergence:
        out.table(model.convergence())
    else:
        out.table(model.relevance() if relevance else model.parameters())


@command(epilog=EXAMPLES)
def judgments(
    file: LogFile,
    name: Name,
    grades: Annotated[Any, GRADES] = None,
    min_n: Annotated[float, Option("--min-n", help="Documents with fewer impressions get none.")] = 0.0,
    against: Annotated[
        str | None,
        Option("--against", metavar="QRELS", help="Judgments of people: the agreement with them, instead."),
    ] = None,
    by: By = None,
    *,
    fitting: FittingOptions,
    log: ClickLog,
    out: OutputOptions,
) -> None:
    """Derive judgments for `ireval evaluate` from the clicks of the log.

    A file with another ending than those of tables has the layout of TREC.
    """
    with working("fitting"):
        model = fitting.fit(log.open(file, by=by), name)
    table = model.judgments(grades=grades, min_n=min_n)
    if against is not None:
        from ireval_frames.judging import click_agreement

        with working("comparing"):
            table = click_agreement(table, against)
    elif not by and out.names_no_table:
        io.write_qrels(table.select("query_id", "doc_id", "relevance"), Path(str(out.output)))
        return
    out.table(table)
