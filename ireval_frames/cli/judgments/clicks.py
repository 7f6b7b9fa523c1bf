"""`ireval clicks`: click logs, their measures, and A/B tests of them."""

from __future__ import annotations

from typing import Annotated

import click

from ireval_frames.cli.comparison.experiment import ResultOptions, Variants
from ireval_frames.cli.judgments.click_counterfactual import counterfactual, propensities
from ireval_frames.cli.judgments.click_models import fit, judgments
from ireval_frames.cli.options.click_log import ClickLog, LogFile
from ireval_frames.cli.options.command import Option, command, group
from ireval_frames.cli.options.common import By, Confidence, OutputOptions
from ireval_frames.cli.options.evaluation import ItemOptions
from ireval_frames.cli.output.running import capture, working
from ireval_frames.experiments.options import AnalysisOptions

EXAMPLES = """\b
Examples:
  ireval clicks check log.parquet
  ireval clicks evaluate log.parquet                        CTR, abandonment, MRR of first clicks
  ireval clicks evaluate log.csv "CTR@1 COEC" --by day --policy positions=zero
  ireval clicks evaluate log.parquet PageCTR --unit user_id --unit session_id --over user_id
  ireval clicks rates log.parquet --by query_id --by doc_id --shrinkage 5 -o rates.parquet
  ireval clicks check train.tsv --layout yandex-2013
  ireval clicks evaluate queries.jsonl --layout ubi --events events.jsonl

\b
LOG has a row per shown result (serp_id, query_id, doc_id, position, click), or one per result page
with lists.  `ireval measures clicks` lists the measures.  Formats: table (four decimals), and csv,
json, parquet (in full).
"""
DEFAULT = "CTR PageCTR Abandonment MRRFirstClick ClicksPerPage"


@command(epilog=EXAMPLES)
def evaluate(
    file: LogFile,
    *,
    items: ItemOptions,
    log: ClickLog,
    out: OutputOptions,
) -> None:
    """Evaluate the measures of the log."""
    measures = items.parse("clicks", DEFAULT)
    with working("evaluating"):
        evaluation = capture(log.open(file, unit=items.unit, by=items.by).evaluate(measures))
        values = items.values(evaluation, measures)
    out.result(values)


@command(epilog=EXAMPLES)
def check(
    file: LogFile,
    everything: Annotated[bool, Option("--all", help="Also list the checks that pass.")] = False,
    bot_pages: Annotated[int, Option("--bot-pages", help="Users of more pages are reported.")] = 1000,
    *,
    log: ClickLog,
    out: OutputOptions,
) -> None:
    """Check the log; exit code 1 if evaluating would refuse it."""
    with working("checking"):
        checks = log.open(file).check(bot_pages=bot_pages, everything=everything)
    out.table(checks)
    if "error" in checks.filter(checks["count"] > 0)["level"]:
        raise click.exceptions.Exit(1)


@command(epilog=EXAMPLES)
def rates(
    file: LogFile,
    by: By = None,
    shrinkage: Annotated[float, Option("--shrinkage", help="Clicks added to both sides of COEC.")] = 0.0,
    confidence: Confidence = 0.95,
    *,
    log: ClickLog,
    out: OutputOptions,
) -> None:
    """Compute the click-through rate of every position, query or document, or of the groups of --by."""
    with working("evaluating"):
        table = log.open(file).rates(by=by or (), shrinkage=shrinkage, confidence=confidence)
    out.table(table)


EXPERIMENT_EXAMPLES = """\b
Examples:
  ireval clicks experiment log.parquet --baseline a          CTR, abandonment, MRR of first clicks
  ireval clicks experiment log.parquet -m "Ratio(clicks, pages)" --by device
  ireval clicks experiment log.parquet --judgments qrels.txt --cutoff 5
  ireval clicks experiment log.parquet --check

\b
The rows are pages with pages (1), shown, clicks, clicked, abandoned and first_click; users are
randomised.  See `ireval experiment --help` for metrics, and for tables that are not click logs.
"""


@command(epilog=EXPERIMENT_EXAMPLES)
def experiment(
    file: LogFile,
    unit: Annotated[
        str | None, Option("--unit", metavar="COLUMN", help="The randomised unit; users by default.")
    ] = None,
    judgments: Annotated[
        str | None, Option("--judgments", metavar="QRELS", help="Adds nDCG, the mean over judged pages.")
    ] = None,
    cutoff: Annotated[int, Option("--cutoff", help="The cutoff of the nDCG of --judgments.")] = 10,
    *,
    variants: Variants,
    analysis: AnalysisOptions,
    results: ResultOptions,
    log: ClickLog,
) -> None:
    """Analyse the log as an A/B test of users."""
    with working("analysing"):
        subject = log.open(file).experiment(
            variants.variant, unit=unit, baseline=analysis.baseline, time=variants.time, by=variants.by or (),
            units=variants.units, several_variants=variants.several_variants, judgments=judgments, cutoff=cutoff,
        )  # fmt: skip
        result = results.result(subject, analysis)
    results.deliver(result)


clicks = group(
    "clicks",
    "Evaluate click logs.",
    EXAMPLES,
    [evaluate, check, rates, fit, judgments, counterfactual, propensities, experiment],
)
