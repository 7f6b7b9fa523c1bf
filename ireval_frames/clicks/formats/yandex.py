"""Yandex's two public click logs: Relevance Prediction (WSCD 2012) and Personalized Web Search (2013)."""

from __future__ import annotations

from pathlib import Path

import polars as pl

from ireval_frames.clicks.formats.lines import FIELDS, LINE, are_whole, field, fields, is_whole, refuse, whole

COLUMNS = ("serp_id", "session_id", "query_id", "doc_id", "position", "click", "timestamp", "click_time", "dwell")


def read_2012(path: str | Path) -> pl.DataFrame:
    """`SessionID TimePassed Q QueryID RegionID URLs…` and `SessionID TimePassed C URLID`, by tabs.

    A click names no page: it is one on the last page of its session before it that showed the document.
    """
    lines = fields(path)
    n, kind = pl.col(FIELDS).list.len(), field(2)
    query, click = kind.eq_missing(pl.lit("Q")) & (n >= 5), kind.eq_missing(pl.lit("C")) & (n == 4) & is_whole(3)
    documents = pl.col(FIELDS).list.slice(5)
    known = (query & is_whole(3) & are_whole(documents)) | click
    refuse(
        lines,
        ~(known & is_whole(0) & is_whole(1)).fill_null(value=False),
        path,
        "Write SessionID TimePassed Q QueryID RegionID URLs…",
    )
    about_line = {"session_id": whole(0), "timestamp": whole(1).cast(pl.Float64)}
    pages = lines.filter(query).select(
        LINE, serp_id=LINE, **about_line, query_id=whole(3), region_id=field(4), doc_id=documents
    )
    clicks = _with_dwell(lines.select(LINE, **about_line, is_click=click, doc_id=pl.when(click).then(whole(3))))
    return _joined(pages, clicks, ("session_id", "doc_id"), ("region_id",))


def read_2013(path: str | Path) -> pl.DataFrame:
    """`SessionID M Day USERID`, `SessionID TimePassed Q|T SERPID QueryID Terms URL,Domain…`, and
    `SessionID TimePassed C SERPID URLID`, by tabs.
    """  # noqa: D205 - the lines of the file
    lines = fields(path)
    n, kind = pl.col(FIELDS).list.len(), field(2)
    documents = pl.col(FIELDS).list.slice(6).list.eval(pl.element().str.split(",").list.first())
    about = field(1).eq_missing(pl.lit("M")) & (n == 4) & is_whole(2) & is_whole(3)
    query = kind.is_in(["Q", "T"]).fill_null(value=False) & (n >= 6) & ~about & is_whole(3) & is_whole(4)
    query = query & are_whole(documents)
    click = kind.eq_missing(pl.lit("C")) & (n == 5) & ~about & is_whole(3) & is_whole(4)
    known = about | ((query | click) & is_whole(1))
    refuse(
        lines,
        ~(known & is_whole(0)).fill_null(value=False),
        path,
        "Write SessionID TimePassed Q SERPID QueryID Terms URL,Domain…",
    )
    sessions = lines.filter(about).select(session_id=whole(0), day=whole(2), user_id=whole(3))
    about_line = {
        "session_id": whole(0),
        "timestamp": pl.when(~about).then(whole(1)).cast(pl.Float64),
        "page": whole(3),
    }
    pages = lines.filter(query).select(
        LINE, serp_id=LINE, **about_line, query_id=whole(4), is_test=field(2) == "T", doc_id=documents
    )
    pages = pages.join(sessions, on="session_id", how="left", maintain_order="left")
    events = lines.filter(~about).select(LINE, **about_line, is_click=click, doc_id=pl.when(click).then(whole(4)))
    return _joined(pages, _with_dwell(events), ("session_id", "page", "doc_id"), ("day", "user_id", "is_test"))


def _with_dwell(events: pl.LazyFrame) -> pl.LazyFrame:
    """The clicks, with the time until the next event of their session; of the last one it is not known."""
    following = pl.col("timestamp").shift(-1).over("session_id", order_by=LINE) - pl.col("timestamp")
    return events.with_columns(dwell=following).filter("is_click").drop("is_click").sort(LINE)


def _joined(pages: pl.LazyFrame, clicks: pl.LazyFrame, on: tuple[str, ...], more: tuple[str, ...]) -> pl.DataFrame:
    """A row per shown result with its clicks; clicks on unshown documents have no position."""
    rows = pages.with_columns(position=pl.int_ranges(1, pl.col("doc_id").list.len().cast(pl.Int64) + 1))
    shown = (
        rows.explode("doc_id", "position", empty_as_null=True).with_columns(pl.col("doc_id").cast(pl.Int64)).sort(LINE)
    )
    # The last page before the click; a document that it shows twice is taken at its first place.
    places = shown.filter(pl.col("doc_id").is_not_null()).unique([*on, LINE], keep="first", maintain_order=True)
    places = places.select(*on, LINE, "serp_id", "position", shown_at="timestamp").sort(LINE)
    matched = clicks.join_asof(places, on=LINE, by=list(on), strategy="backward", check_sortedness=False)
    of_page = (
        matched.filter(pl.col("serp_id").is_not_null())
        .group_by("serp_id", "position", maintain_order=True)
        .agg(
            click=pl.len().cast(pl.Int64),
            click_time=(pl.col("timestamp") - pl.col("shown_at")).min(),
            dwell=pl.col("dwell").sort_by(LINE).first(),
        )
    )
    table = shown.join(of_page, on=["serp_id", "position"], how="left", maintain_order="left")
    known = [c for c in on if c != "doc_id"]
    pages_before = pages.select(*known, LINE, "serp_id", "query_id", *more, shown_at="timestamp").sort(LINE)
    unshown = (
        matched.filter(pl.col("serp_id").is_null()).select(*known, LINE, "doc_id", "timestamp", "dwell").sort(LINE)
    )
    unshown = unshown.join_asof(
        pages_before, on=LINE, by=known, strategy="backward", check_sortedness=False
    ).with_columns(
        click=pl.lit(1, dtype=pl.Int64),
        position=pl.lit(None, dtype=pl.Int64),
        click_time=pl.col("timestamp") - pl.col("shown_at"),
        timestamp=pl.col("shown_at"),
    )
    columns = [*COLUMNS, *more]
    out = pl.concat([table.with_columns(pl.col("click").fill_null(0)).select(columns), unshown.select(columns)])
    return out.sort("serp_id", "position", nulls_last=True).collect()
