"""What lists, groups and judgments have in common: an error where that is nothing, and a warning where it is little."""

from __future__ import annotations

from ireval_frames.engines.base import Aggregate
from ireval_frames.engines.frame import Frame
from ireval_frames.errors import Argument, OverlapWarning, warn
from ireval_frames.exposure.tables import ExposureTables
from ireval_frames.expr import col, lit
from ireval_frames.overlap import COMPARED_IDS, Side, first_ids, nothing_in_common
from ireval_frames.ratios import indicator

INSTEAD = Argument("policy", "overlap=allow")


def check_groups(tables: ExposureTables) -> None:
    """Warn of documents of lists without a group, which are left out.

    Raises:
        NothingInCommon: no document of a list has a group.
    """
    groups = tables.base.groups
    if groups is None or tables.policy.unknown == "group":
        return
    _compare(tables, "groups", groups, "doc_id", "no group and are left out where groups are compared")


def check_queries(tables: ExposureTables) -> None:
    """Warn of queries with a list and without judgments.

    Raises:
        NothingInCommon: no query with a list is judged.
    """
    relevant = tables.base.relevant
    if relevant is not None:
        _compare(tables, "relevant", relevant, "item_id", "no judged document")


def check_target(tables: ExposureTables) -> None:
    """Warn of queries without a target, and of groups of the target that no document has.

    Raises:
        NothingInCommon: no query with a list has a target, or no group of it has a document.
    """
    target, groups = tables.base.target, tables.base.groups
    if target is None or groups is None:
        return
    if "item_id" in target.columns:
        _compare(tables, "target", target, "item_id", "no target")
    _compare(tables, "groups", groups, "group", "no document", of="target", frame=target)


def _compare(
    tables: ExposureTables,
    table: str,
    other: Frame,
    column: str,
    without: str,
    of: str = "run",
    frame: Frame | None = None,
) -> None:
    """Compare the ids of a table, by default of the run, with those of another."""
    base, engine = tables.base, tables.plan.engine
    ids = base.distinct((base.lists if frame is None else frame).select(column))
    known = base.distinct(other.select(column))
    beside = engine.join(ids, known.with_columns(known=lit(1.0)), (column,), "left")
    missing = indicator(col("known").is_null())
    counted = engine.numbers(
        engine.group(beside, (), [Aggregate("n", "count", lit(1.0)), Aggregate("missing", "sum", missing)])
    )
    n, n_missing = int(counted["n"] or 0), int(counted["missing"] or 0)
    if not n_missing:
        return
    user_column = "query_id" if column == "item_id" else column
    names = [base.columns[t].get(user_column, user_column) for t in (of, table)]
    if n_missing == n:
        first, second = (
            engine.collect(rows.sort(column).head(COMPARED_IDS))[column].to_list() for rows in (ids, known)
        )
        if not second:
            return
        word = base.words.get(user_column, user_column)
        raise nothing_in_common(
            f"No {word} of the {of} table is in the {table} table",
            Side(of, names[0], first),
            Side(table, names[1], second),
            INSTEAD,
        )
    some = engine.collect(beside.filter(col("known").is_null()).sort(column).head(3))[column].to_list()
    words = {"doc_id": "documents", "item_id": "queries", "group": "groups"}[column]
    warn(
        f"{n_missing:,} of {n:,} {words} of the {of} have {without}, such as {first_ids(some, len(some))}.",
        OverlapWarning,
    )
