"""The tables of sessions: pages in their order, and counts of sessions and users."""

from __future__ import annotations

from ireval_frames.clicks.tables import ClickTables
from ireval_frames.expr import Expr, col
from ireval_frames.plan import Table


def requests(tables: ClickTables) -> tuple[Table, Expr, Expr]:
    """The pages with session, time and query: the table, the next query of the session, and the seconds until it."""
    tables.inputs.needs("session_id", "timestamp", "query_id")
    log, pages = tables.log, tables.pages
    session, query = (log.any(col(c), into=pages) for c in ("session_id", "query_id"))
    time = log.min(col("timestamp"), into=pages)
    known = ~session.is_null() & ~query.is_null() & ~time.is_null()
    known = known if tables.counted is None else known & tables.counted
    table = tables.plan.selected(
        "requests",
        (*tables.keys, "serp_id"),
        pages,
        known,
        session=session,
        query=query,
        time=time,
        page_weight=tables.page_weight,
    )
    within, order = (*tables.several, "session"), ("time", "serp_id")
    following, later = (table.over(col(c).shift(-1), within, order, f"next_{c}") for c in ("query", "time"))
    return table, following, tables.inputs.seconds(later, col("time"))


def in_sessions(tables: ClickTables, *columns: str) -> Table:
    """The rows of the log with a session and further columns, of pages that count."""
    tables.inputs.needs("session_id", *columns)
    known = ~col("session_id").is_null()
    for column in columns:
        known &= ~col(column).is_null()
    if tables.policy.empty == "skip":
        known &= col("shown") > 0
    name = "_".join(["in_sessions", *columns])
    return tables.plan.selected(name, (*tables.log.keys, "session_id", *columns), tables.log, known)


def counted(tables: ClickTables, rows: Table, name: str, *columns: str) -> Expr:
    """The number of distinct values of columns in a unit."""
    return tables.plan.grouped(name, rows, *tables.keys, *columns).count()
