"""`ireval clicks LOG …`: click logs."""

from __future__ import annotations

from typing import Annotated

import typer

from ireval_frames import catalog
from ireval_frames.cli.options.bundles import spread
from ireval_frames.cli.options.click_log import ClickLog
from ireval_frames.cli.options.common import Arguments, By, Confidence, Measures, Over, PerUnit, Unit, Written
from ireval_frames.cli.output.capture import found as kept
from ireval_frames.cli.output.progress import working
from ireval_frames.cli.output.tables import deliver

EXAMPLES = """\b
Examples:
  ireval clicks log.parquet check
  ireval clicks log.parquet evaluate                        CTR, abandonment, MRR of first clicks
  ireval clicks log.csv evaluate "CTR@1 COEC" --by day --policy positions=zero
  ireval clicks log.parquet evaluate PageCTR --unit user_id --unit session_id --over user_id
  ireval clicks log.parquet rates --by query_id --by doc_id --shrinkage 5 -o rates.parquet
  ireval clicks train.tsv check --layout yandex-2013
  ireval clicks queries.jsonl evaluate --layout ubi --events events.jsonl

\b
LOG has a row per shown result (serp_id, query_id, doc_id, position, click), or one per result page
with lists.  `ireval measures clicks` lists the measures.  Formats: table (four decimals), and csv,
json, parquet (in full).
"""
DEFAULT = "CTR PageCTR Abandonment MRRFirstClick ClicksPerPage"

clicks = typer.Typer(help="Evaluate click logs.", epilog=EXAMPLES, no_args_is_help=True)


@clicks.callback()
def log(
    context: typer.Context,
    file: Annotated[
        str, typer.Argument(metavar="LOG", help="A click log: CSV, TSV, JSON lines, Parquet, Arrow, or by --layout.")
    ],
) -> None:
    """Evaluate click logs."""
    context.obj = file


@clicks.command(epilog=EXAMPLES)
@spread
def evaluate(
    context: typer.Context,
    arguments: Arguments = None,
    measures: Measures = None,
    unit: Unit = None,
    by: By = None,
    over: Over = None,
    per_unit: PerUnit = False,
    *,
    log: ClickLog,
    written: Written,
) -> None:
    """Measures of the log."""
    asked = catalog.parse_all([*(measures or ()), *(arguments or ())] or DEFAULT, "clicks")
    with working("evaluating"):
        evaluation = kept(log.opened(context.obj, unit=unit, by=by).evaluate(asked))
        summary, units = evaluation.summary(over=over or ()), evaluation.per_unit() if per_unit else None
    deliver(summary, units, asked, written.shape, written.output)


@clicks.command(epilog=EXAMPLES)
@spread
def check(
    context: typer.Context,
    everything: Annotated[bool, typer.Option("--all", help="Tell what was looked for and not found, too.")] = False,
    bot_pages: Annotated[int, typer.Option("--bot-pages", help="A user of more pages is told.")] = 1000,
    *,
    log: ClickLog,
    written: Written,
) -> None:
    """What is odd about the log; exit code 1 if evaluating would refuse it."""
    with working("looking"):
        found = log.opened(context.obj).check(bot_pages=bot_pages, everything=everything)
    written.table(found)
    if "error" in found.filter(found["count"] > 0)["level"]:
        raise typer.Exit(1)


@clicks.command(epilog=EXAMPLES)
@spread
def rates(
    context: typer.Context,
    by: By = None,
    shrinkage: Annotated[float, typer.Option("--shrinkage", help="Clicks added to both sides of COEC.")] = 0.0,
    confidence: Confidence = 0.95,
    *,
    log: ClickLog,
    written: Written,
) -> None:
    """The click-through rate of every position, query, document, or what --by names."""
    with working("evaluating"):
        found = log.opened(context.obj).rates(by=by or (), shrinkage=shrinkage, confidence=confidence)
    written.table(found)
