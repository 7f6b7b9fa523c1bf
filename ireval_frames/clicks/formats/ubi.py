"""User Behavior Insights: a table of queries with their results, and one of events, as impressions and pages."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import polars as pl

from ireval_frames.clicks.subject import Impressions
from ireval_frames.columns.user_names import columns_named
from ireval_frames.conventions.rankings import ClickPolicy
from ireval_frames.engines.base import Aggregate, Engine
from ireval_frames.engines.frame import Frame, concat
from ireval_frames.engines.opening import Source, open_engine, open_source
from ireval_frames.engines.row_checks import Check, run_checks
from ireval_frames.errors import Argument, Hint, InvalidValue, MismatchedTables, MissingColumn
from ireval_frames.expr import Expr, col, lit
from ireval_frames.io.reading import TABLE
from ireval_frames.items.iso_times import is_iso, seconds
from ireval_frames.parameters import choice

HITS = "query_response_hit_ids"
# The columns of pages: ours → UBI's.
OF_PAGES = {"query_id": "user_query", "user_id": "client_id", "timestamp": "timestamp"}
OBJECT, ORDINAL = ("event_attributes", "object", "object_id"), ("event_attributes", "position", "ordinal")
KEY = ("serp_id", "doc_id")


def from_ubi(
    queries: Any,
    events: Any,
    *,
    clicks: str | Sequence[str] = "click",
    shown: str = "hits",
    missing: str = "error",
    unit: str | Sequence[str] = (),
    by: str | Sequence[str] = (),
    policy: ClickPolicy | str | Mapping[str, Any] | None = None,
    engine: str | Engine | None = None,
    con: Any = None,
) -> Impressions:
    """The log of User Behavior Insights (schema 1.3): the tables `ubi_queries` and `ubi_events`.

    A page is a query (`query_id`), its query the text (`user_query`), its user `client_id`; what it shows are its
    `query_response_hit_ids` in their order.  Clicks are joined by page and `object_id`; those on what the page did not
    show have no position (policy `unshown`), and those of queries that are not in the table are left out.

    Times are instants, text (`2026-03-01T12:00:00.000Z`; without a zone in UTC), or milliseconds since 1970.

    Args:
        queries: the table of queries: a frame, a relation, or the path of a Parquet file or of JSON lines.
        events: the table of events, whose `event_attributes` are structs, or columns such as `object_id`.
        clicks: the actions that are clicks.
        shown: "hits", or the action of the events that say what was shown and at which `ordinal`, such as
            "impression"; the schema leaves open whether ordinals count from 0 (`policy="positions=zero"`) or 1.
        missing: queries without known results are an "error", left out ("skip"), or pages that show nothing
            ("empty").
        unit: as in `Impressions`; columns of the queries.
        by: as in `Impressions`; columns of the queries.
        policy: the conventions (see `ClickPolicy`).
        engine: "polars", "duckdb" or "spark"; by default where the queries are.
        con: a DuckDB connection or a Spark session; strings are then names of its tables (or paths).

    Raises:
        MissingColumn, MismatchedTables: the tables lack columns, or queries have no known results.
        InvalidParameter: `missing` is none of these.

    Example:
        >>> import polars as pl, ireval_frames as ir
        >>> queries = {"query_id": ["1"], "user_query": ["tea"], "query_response_hit_ids": [["a", "b"]]}
        >>> events = pl.DataFrame({"query_id": ["1"], "action_name": ["click"], "object_id": ["b"]})
        >>> ir.clicks.from_ubi(pl.DataFrame(queries), events).evaluate("CTR MRRFirstClick").wide().row(0)
        (0.5, 0.5)
    """
    choice("error", "skip", "empty").check("missing", missing)
    opened_engine = open_engine(queries, engine, con)
    further = {c: None for c in (*columns_named(by), *columns_named(unit)) if c not in OF_PAGES}
    actions = [clicks] if isinstance(clicks, str) else list(clicks)
    with opened_engine.errors():
        impressions, pages = tables(
            queries, events, opened_engine, actions=actions, shown=shown, missing=missing, further=list(further)
        )
    return Impressions(impressions, pages, unit=unit, by=by, policy=policy, engine=engine)


def tables(
    queries: Any,
    events: Any,
    engine: Engine,
    *,
    actions: Sequence[str],
    shown: str,
    missing: str,
    further: Sequence[str],
) -> tuple[Any, Any]:
    """The impressions and the pages, in the engine's own kind.

    Args:
        queries: the table of queries.
        events: the table of events.
        engine: where they are.
        actions: the actions that are clicks.
        shown: "hits" for what queries returned, or the action of events that say what was shown.
        missing: what becomes of queries without known results: "error", "skip" or "empty".
        further: further columns of queries.

    Raises:
        MissingColumn: a table lacks a column.
        MismatchedTables: queries have no known results.
    """
    query_rows = open_source(Source(queries, "queries", TABLE), engine)
    event_rows = open_source(Source(events, "events", TABLE), engine)
    for name, frame, column in (
        ("queries", query_rows, "query_id"),
        ("events", event_rows, "query_id"),
        ("events", event_rows, "action_name"),
    ):
        if column not in frame.columns:
            raise MissingColumn(f"The {name} table has no column {column!r}.", "It is one of the UBI schema 1.3.")
    for name, frame in (("queries", query_rows), ("events", event_rows)):
        if "timestamp" in frame.columns and frame.collect_schema()["timestamp"] == pl.String:
            time = col("timestamp")
            run_checks(engine, [Check(frame, ~time.is_null() & ~is_iso(time), _not_a_time(name))])
    known = {"serp_id": col("query_id")} | {
        ours: col(own) for ours, own in OF_PAGES.items() if own in query_rows.columns
    }
    known |= {c: col(c) for c in further}
    if "timestamp" in known:
        known["timestamp"] = _time(query_rows)
    listed = HITS in query_rows.columns and shown == "hits"
    if shown == "hits" and not listed:
        raise MissingColumn(
            f"The queries table has no column {HITS!r}.",
            Hint("Take what was shown from events: ", Argument("shown", "impression")),
        )
    pages = query_rows.select(**known, **({"hits": col(HITS)} if listed else {}))
    document = _field(event_rows, *OBJECT)
    if listed:
        unknown = col("hits").is_null()
        if missing == "error":
            run_checks(engine, [Check(pages, unknown, _unknown)])
        pages = pages if missing == "empty" else pages.filter(~unknown)
        placed = pages.rename({"hits": "doc_id"}).explode_lists(["doc_id"], "position")
        placed = placed.filter(~col("doc_id").is_null())
        pages = pages.drop("hits")
    else:
        shown_rows = event_rows.filter((col("action_name") == shown) & ~col("query_id").is_null())
        position = _field(event_rows, *ORDINAL).cast(pl.Int64)
        # A result that came into view again was shown once.
        rows = shown_rows.select(serp_id=col("query_id"), doc_id=document, position=position)
        placed = engine.join(engine.group(rows, rows.columns, ()), pages, ("serp_id",), "inner")
    clicked = event_rows.filter(col("action_name").is_in(list(actions)) & ~col("query_id").is_null())
    timed = {"clicked_at": _time(event_rows)} if "timestamp" in event_rows.columns else {}
    clicks = engine.group(
        clicked.select(serp_id=col("query_id"), doc_id=document, **timed),
        KEY,
        [Aggregate("click", "count", lit(1.0)), *(Aggregate(c, "min", col(c)) for c in timed)],
    )
    return _together(engine, placed, clicks, pages).to_native(), pages.to_native()


def _together(engine: Engine, placed: Frame, clicks: Frame, pages: Frame) -> Frame:
    """Shown results with their clicks, and clicks on unshown ones, which have no position."""
    columns = [*placed.columns, "click"]
    click = {"click": col("click").fill_null(0).cast(pl.Float64)}
    joined = engine.join(placed, clicks, KEY, "left").with_columns(**click)
    was_shown = engine.group(placed, KEY, ()).with_columns(was_shown=lit(1.0))
    unshown = engine.join(clicks, was_shown, KEY, "left").filter(col("was_shown").is_null())
    # Clicks of queries that are not in the table belong to no page of it.
    unshown = engine.join(unshown, pages, ("serp_id",), "inner")
    unshown = unshown.with_columns(position=lit(None, dtype=pl.Int64), click=col("click").cast(pl.Float64))
    joined = joined.with_columns(position=col("position").cast(pl.Int64))
    if "timestamp" in columns and "clicked_at" in clicks.columns:
        instants = [
            isinstance(f.collect_schema()[c], pl.Datetime) for f, c in ((pages, "timestamp"), (clicks, "clicked_at"))
        ]
        if len({*instants}) > 1:
            raise MismatchedTables(
                "The timestamps of one table are instants, and those of the other numbers or text.",
                'Give both one type: frame.with_columns(pl.col("timestamp").str.to_datetime(time_zone="UTC"))',
            )
        after = col("clicked_at") - col("timestamp")
        after = after.dt.total_microseconds() / 1e6 if all(instants) else after
        joined, unshown = (f.with_columns(click_time=after) for f in (joined, unshown))
        columns.append("click_time")
    return concat([joined.select(*columns), unshown.select(*columns)])


def _time(frame: Frame) -> Expr:
    """The times: instants as they are; text and milliseconds since 1970 as seconds."""
    dtype, time = frame.collect_schema()["timestamp"], col("timestamp")
    if dtype == pl.String:
        return seconds(time)
    return time.cast(pl.Float64) / 1000.0 if dtype.is_numeric() else time


def _not_a_time(table: str) -> Callable[[Any, int], InvalidValue]:
    def error(rows: Any, count: int) -> InvalidValue:
        return InvalidValue(
            f"{count} timestamps of the {table} table are no times, such as {rows['timestamp'][0]!r}.",
            "A time is written as 2026-03-01T12:00:00.000Z, or is milliseconds since 1970.",
        )

    return error


def _field(frame: Frame, *path: str) -> Expr:
    """A field of a column of structs, or a column that is called as the field is.

    Raises:
        MissingColumn: there is neither.
    """
    for flat in (".".join(path), "_".join(path), path[-1]):
        if flat in frame.columns:
            return col(flat)
    if path[0] not in frame.columns:
        raise MissingColumn(
            f"The events table has no column {path[0]!r}, and none {path[-1]!r}.", "See UBI schema 1.3."
        )
    out = col(path[0])
    for name in path[1:]:
        out = out.struct.field(name)
    return out


def _unknown(rows: Any, count: int) -> MismatchedTables:
    return MismatchedTables(
        f"{count} queries, such as {rows['serp_id'][0]!r}, have no known results: {HITS} is null.",
        Hint(
            "Leave them out: ",
            Argument("missing", "skip"),
            ", or take what was shown from events: ",
            Argument("shown", "impression"),
        ),
    )
