"""`ireval clicks`: what a click log holds, and its measures."""

from __future__ import annotations

from typing import Annotated

import click

from ireval_frames.cli.options.click_log import ClickLog, LogFile
from ireval_frames.cli.options.command import Option, command
from ireval_frames.cli.options.common import By, Confidence, Written
from ireval_frames.cli.options.evaluation import ItemOptions
from ireval_frames.cli.output.capture import found as kept
from ireval_frames.cli.output.progress import working

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
    written: Written,
) -> None:
    """Measures of the log."""
    measures = items.parsed("clicks", DEFAULT)
    with working("evaluating"):
        evaluation = kept(log.opened(file, unit=items.unit, by=items.by).evaluate(measures))
        found = items.values(evaluation, measures)
    written.result(found)


@command(epilog=EXAMPLES)
def check(
    file: LogFile,
    everything: Annotated[bool, Option("--all", help="Tell what was looked for and not found, too.")] = False,
    bot_pages: Annotated[int, Option("--bot-pages", help="A user of more pages is told.")] = 1000,
    *,
    log: ClickLog,
    written: Written,
) -> None:
    """What is odd about the log; exit code 1 if evaluating would refuse it."""
    with working("looking"):
        found = log.opened(file).check(bot_pages=bot_pages, everything=everything)
    written.table(found)
    if "error" in found.filter(found["count"] > 0)["level"]:
        raise click.exceptions.Exit(1)


@command(epilog=EXAMPLES)
def rates(
    file: LogFile,
    by: By = None,
    shrinkage: Annotated[float, Option("--shrinkage", help="Clicks added to both sides of COEC.")] = 0.0,
    confidence: Confidence = 0.95,
    *,
    log: ClickLog,
    written: Written,
) -> None:
    """The click-through rate of every position, query, document, or what --by names."""
    with working("evaluating"):
        found = log.opened(file).rates(by=by or (), shrinkage=shrinkage, confidence=confidence)
    written.table(found)
