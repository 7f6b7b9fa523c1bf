"""`ireval clicks LOG …`: click logs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from ireval_frames import catalog
from ireval_frames.cli.kept import found as kept
from ireval_frames.cli.options import (
    Arguments,
    By,
    Columns,
    Confidence,
    EngineName,
    Measures,
    OutputFile,
    OutputFormat,
    Over,
    PerUnit,
    PolicyText,
    StorageOptions,
    Unit,
    mapping,
    no_trec,
    storage,
)
from ireval_frames.cli.output import chosen, deliver, deliver_table
from ireval_frames.cli.progress import working
from ireval_frames.errors import Argument, Hint, InvalidParameter

if TYPE_CHECKING:
    from ireval_frames.clicks import Impressions

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

Layout = Annotated[
    str, typer.Option("--layout", metavar="NAME", help="table, ubi, yandex-2012, yandex-2013 or baidu-ultr.")
]
Pages = Annotated[
    str | None,
    typer.Option("--pages", metavar="FILE", help="A table of all result pages, for those that show nothing."),
]
Events = Annotated[str | None, typer.Option("--events", metavar="FILE", help="Of the layout ubi: the events.")]

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


def opened(
    file: str,
    *,
    layout: str = "table",
    pages: str | None = None,
    events: str | None = None,
    column: list[str] | None = None,
    unit: list[str] | None = None,
    by: list[str] | None = None,
    engine: str | None = None,
    policy: str | None = None,
    storage_option: list[str] | None = None,
) -> Impressions:
    """The log that a command reads.

    Raises:
        InvalidParameter: the layout ubi has no events.
    """
    from ireval_frames.clicks import Impressions, from_ubi, read_clicks

    if layout == "ubi":
        if events is None:
            raise InvalidParameter(
                "The layout ubi is two tables.", Hint("Name that of events: ", Argument("events", "events.jsonl"))
            )
        return from_ubi(file, events, unit=unit or (), by=by or (), policy=policy, engine=engine)
    given = file if layout == "table" else read_clicks(file, layout)
    return Impressions(
        given,
        pages,
        columns=mapping(column),
        unit=unit or (),
        by=by or (),
        engine=engine,
        policy=policy,
        storage_options=storage(storage_option),
    )


@clicks.command(epilog=EXAMPLES)
def evaluate(
    context: typer.Context,
    arguments: Arguments = None,
    measures: Measures = None,
    layout: Layout = "table",
    pages: Pages = None,
    events: Events = None,
    column: Columns = None,
    unit: Unit = None,
    by: By = None,
    over: Over = None,
    per_unit: PerUnit = False,
    engine: EngineName = None,
    storage_option: StorageOptions = None,
    policy: PolicyText = None,
    format: OutputFormat = None,
    output: OutputFile = None,
) -> None:
    """Measures of the log."""
    asked = catalog.parse_all([*(measures or ()), *(arguments or ())] or DEFAULT, "clicks")
    shape = no_trec(chosen(format, output))
    with working("evaluating"):
        subject = opened(
            context.obj, layout=layout, pages=pages, events=events, column=column, unit=unit, by=by, engine=engine,
            policy=policy, storage_option=storage_option,
        )  # fmt: skip
        evaluation = kept(subject.evaluate(asked))
        summary, units = evaluation.summary(over=over or ()), evaluation.per_unit() if per_unit else None
    deliver(summary, units, asked, shape, output)


@clicks.command(epilog=EXAMPLES)
def check(
    context: typer.Context,
    everything: Annotated[bool, typer.Option("--all", help="Tell what was looked for and not found, too.")] = False,
    bot_pages: Annotated[int, typer.Option("--bot-pages", help="A user of more pages is told.")] = 1000,
    layout: Layout = "table",
    pages: Pages = None,
    events: Events = None,
    column: Columns = None,
    engine: EngineName = None,
    storage_option: StorageOptions = None,
    policy: PolicyText = None,
    format: OutputFormat = None,
    output: OutputFile = None,
) -> None:
    """What is odd about the log; exit code 1 if evaluating would refuse it."""
    shape = no_trec(chosen(format, output))
    with working("looking"):
        subject = opened(
            context.obj, layout=layout, pages=pages, events=events, column=column, engine=engine, policy=policy,
            storage_option=storage_option,
        )  # fmt: skip
        found = subject.check(bot_pages=bot_pages, everything=everything)
    deliver_table(found, shape, output)
    if "error" in found.filter(found["count"] > 0)["level"]:
        raise typer.Exit(1)


@clicks.command(epilog=EXAMPLES)
def rates(
    context: typer.Context,
    by: By = None,
    shrinkage: Annotated[float, typer.Option("--shrinkage", help="Clicks added to both sides of COEC.")] = 0.0,
    confidence: Confidence = 0.95,
    layout: Layout = "table",
    pages: Pages = None,
    events: Events = None,
    column: Columns = None,
    engine: EngineName = None,
    storage_option: StorageOptions = None,
    policy: PolicyText = None,
    format: OutputFormat = None,
    output: OutputFile = None,
) -> None:
    """The click-through rate of every position, query, document, or what --by names."""
    shape = no_trec(chosen(format, output))
    with working("evaluating"):
        subject = opened(
            context.obj, layout=layout, pages=pages, events=events, column=column, engine=engine, policy=policy,
            storage_option=storage_option,
        )  # fmt: skip
        found = subject.rates(by=by or (), shrinkage=shrinkage, confidence=confidence)
    deliver_table(found, shape, output)
