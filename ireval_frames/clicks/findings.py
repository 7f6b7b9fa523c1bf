"""Findings about a log: rows that evaluating refuses, and rows that are suspicious."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import polars as pl

from ireval_frames.clicks.checks import no_clicks, page_keys, place_sums, unclear_places
from ireval_frames.clicks.inputs import ClickInputs
from ireval_frames.engines.base import Aggregate, How
from ireval_frames.engines.frame import Frame
from ireval_frames.engines.row_checks import count_bad
from ireval_frames.expr import Expr, col, lit, when
from ireval_frames.ratios import indicator

SHOWN = 5
# Results at positions beyond this are suspicious, and so are users with more pages than `BOT_PAGES`.
SUSPICIOUS_POSITION = 1000
BOT_PAGES = 1000
# The number of pages with all results clicked from which a user is suspicious.
ALL_CLICKED = 10
SCHEMA = {
    "check": pl.String,
    "level": pl.String,
    "count": pl.Int64,
    "of": pl.String,
    "examples": pl.String,
    "message": pl.String,
}


@dataclass(frozen=True)
class Finding:
    """Suspicious rows of a table.

    Attributes:
        check: the name of the check.
        level: "error" where evaluating the log refuses it, "warning" where numbers may mean something else, or "note".
        of: what a row of the table is.
        table: the table.
        bad: which rows are suspicious; null is no.
        key: the column that names a row.
        message: what it means.
    """

    check: str
    level: str
    of: str
    table: Frame
    bad: Expr
    key: str
    message: str


def log_findings(inputs: ClickInputs, *, bot_pages: int = BOT_PAGES, everything: bool = False) -> pl.DataFrame:
    """A row per finding, in a fixed order; with `everything` also those of checks that find nothing."""
    engine = inputs.engine
    findings = list(all_findings(inputs, bot_pages))
    counts = count_bad(engine, findings)
    rows = []
    for finding, count in zip(findings, counts, strict=True):
        if count or everything:
            examples = ""
            if count:
                named = finding.table.filter(finding.bad).select(key=col(finding.key))
                some = engine.collect(inputs.distinct(named).sort("key").head(SHOWN))
                examples = ", ".join("null" if v is None else str(v) for v in some["key"])
            rows.append((finding.check, finding.level, count, finding.of, examples, finding.message))
    return pl.DataFrame(rows, schema=SCHEMA, orient="row")


def all_findings(inputs: ClickInputs, bot_pages: int) -> Iterator[Finding]:
    """All checks."""
    yield from _rows(inputs)
    engine = inputs.engine
    pages = engine.materialise(_pages(inputs))
    yield from _positions(inputs, pages)
    yield from _clicks(pages)
    yield from _constant(inputs, pages)
    yield from _people(inputs, pages, bot_pages)


def _rows(inputs: ClickInputs) -> Iterator[Finding]:
    """Rows that evaluating refuses."""
    raw, position, click = inputs.raw, col("position"), col("click")
    document = ~col("doc_id").is_null()
    is_whole = ~position.is_null() & position.is_finite() & (position == position.floor())
    first = 1 if inputs.policy.positions == "one" else 0

    def row(check: str, bad: Expr, message: str, level: str = "error", key: str = "serp_id") -> Finding:
        return Finding(check, level, "rows", raw, bad, key, message)

    yield row("no_page", col("serp_id").is_null(), "The page id is null.", key="doc_id")
    yield row("no_document", ~document & (~position.is_null() | (click > 0)), "A shown result has no document.")
    unshown = document & position.is_null() & (click > 0)
    yield row("not_shown", unshown, "A click on a document that its page did not show; policy unshown=skip.")
    yield row("no_position", document & position.is_null() & ~(click > 0), "A shown result has no position.")
    if first == 1:
        yield row(
            "position_zero", document & (position == 0), "Position 0: are positions from 0? policy positions=zero."
        )
    wrong = (
        ~position.is_null() & (~is_whole | (position < first)) & ~((position == 0) if first else (position < first - 1))
    )
    yield row("position", document & wrong, f"The position is no whole number from {first}.")
    yield row(
        "far_down", document & (position > SUSPICIOUS_POSITION), f"A position beyond {SUSPICIOUS_POSITION}.", "warning"
    )
    yield row("click", document & no_clicks(click), "The click is neither true nor false, nor a number of clicks.")
    for column in ("weight", "dwell", "click_time", "page_dwell"):
        if column in inputs.columns:
            value = col(column)
            bad = ~value.is_null() & (~value.is_finite() | (value < 0))
            bad = bad | value.is_null() if column == "weight" else bad
            yield row(column, bad, f"The {column} is negative or no number.")


def _pages(inputs: ClickInputs) -> Frame:
    """A row per page: what it shows, its clicks, and the smallest and largest value of its other columns."""
    is_shown = (col("shown") > 0) & ~col("position").is_null()
    position = when(is_shown).then(col("position"))
    clicked = when(is_shown).then(col("click")).otherwise(0).cast(pl.Float64)
    ends: tuple[How, ...] = ("min", "max")
    aggregates = [
        *place_sums(indicator(is_shown), position),
        Aggregate("clicks", "sum", clicked),
        Aggregate("first", "min", position),
        *(Aggregate(f"{how}_{c}", how, col(c)) for c in _known(inputs) for how in ends),
    ]
    return inputs.engine.group(inputs.loose, page_keys(inputs), aggregates)


def _known(inputs: ClickInputs) -> Sequence[str]:
    """The columns that all rows of a page should share."""
    return [c for c in ("query_id", "user_id", "session_id", "timestamp", "weight") if c in inputs.columns]


def _positions(inputs: ClickInputs, pages: Frame) -> Iterator[Finding]:
    """The positions of results."""
    placed = inputs.loose.filter(~col("doc_id").is_null() & ~col("position").is_null())
    unclear = pages.filter(unclear_places()).select(*page_keys(inputs))
    twice = inputs.engine.join(unclear, placed, page_keys(inputs), "inner").count_by(*page_keys(inputs), "position")
    yield Finding("same_position", "error" if inputs.policy.duplicates == "error" else "warning", "positions", twice,
                  col("n") > 1, "serp_id", "Several results at one position of a page.")  # fmt: skip
    again = placed.count_by(*page_keys(inputs), "doc_id")
    yield Finding("same_document", "warning", "documents", again, col("n") > 1, "serp_id",
                  "A document at several positions of a page.")  # fmt: skip
    yield Finding("starts_below", "warning", "pages", pages, col("first") > 1, "serp_id",
                  "The first result is not at position 1: a later page, or results are missing.")  # fmt: skip
    gap = col("last") - col("first") + 1 > col("shown")
    yield Finding("gaps", "warning", "pages", pages, gap, "serp_id", "Positions between those shown are missing.")


def _clicks(pages: Frame) -> Iterator[Finding]:
    """Pages by their clicks."""
    shown, clicks = col("shown"), col("clicks")
    yield Finding("empty", "note", "pages", pages, shown == 0, "serp_id", "The page shows nothing; policy empty=….")
    yield Finding("no_click", "note", "pages", pages, (shown > 0) & (clicks == 0), "serp_id", "Nothing was clicked.")
    yield Finding("all_clicked", "warning", "pages", pages, (shown > 1) & (clicks == shown), "serp_id",
                  "Everything was clicked.")  # fmt: skip


def _constant(inputs: ClickInputs, pages: Frame) -> Iterator[Finding]:
    """Pages whose rows do not agree."""
    for column in _known(inputs):
        differs = col(f"min_{column}") != col(f"max_{column}")
        yield Finding(f"several_{column}", "warning", "pages", pages, differs, "serp_id",
                      f"The rows of a page differ in {column}.")  # fmt: skip


def _people(inputs: ClickInputs, pages: Frame, bot_pages: int) -> Iterator[Finding]:
    """Users and sessions."""
    engine, known = inputs.engine, _known(inputs)
    one = lit(1.0)
    if "user_id" in known:
        own = pages.filter(~col("min_user_id").is_null())
        every = indicator((col("shown") > 1) & (col("clicks") == col("shown")))
        sums = [Aggregate("pages", "sum", one), Aggregate("every", "sum", every)]
        users = engine.group(own.select(user_id="min_user_id", shown="shown", clicks="clicks"), ("user_id",), sums)
        yield Finding("bot_pages", "warning", "users", users, col("pages") > bot_pages, "user_id",
                      f"A user of more than {bot_pages} pages: a bot?")  # fmt: skip
        clicks_all = (col("every") >= ALL_CLICKED) & (col("every") == col("pages"))
        yield Finding("bot_clicks", "warning", "users", users, clicks_all, "user_id",
                      f"A user who clicks everything on all of {ALL_CLICKED} pages or more: a bot?")  # fmt: skip
        if "run_id" in inputs.keys:
            runs = inputs.distinct(own.select(user_id="min_user_id", run_id="run_id")).count_by("user_id")
            yield Finding("several_runs", "warning", "users", runs, col("n") > 1, "user_id", "A user of several runs.")
        if "session_id" in known:
            pairs = own.select(session_id="min_session_id", user_id="min_user_id")
            shared = inputs.distinct(pairs.filter(~col("session_id").is_null())).count_by("session_id")
            yield Finding("shared_session", "warning", "sessions", shared, col("n") > 1, "session_id",
                          "A session of several users.")  # fmt: skip
