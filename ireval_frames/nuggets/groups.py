"""Groups of gold passages, of each of which one suffices, as judgments."""

from __future__ import annotations

from typing import Any

import polars as pl

from ireval_frames.columns.nuggets import QUERY
from ireval_frames.columns.schema import DOC_ID, Column, Schema
from ireval_frames.columns.user_names import named_columns
from ireval_frames.engines.opening import Source, open_engine, open_source
from ireval_frames.errors import Argument, Hint, InvalidValue, MissingColumn, listed, rows_to_fix
from ireval_frames.io.reading import TABLE
from ireval_frames.items.inputs import ItemNames, found_in

GROUP = Column("group_id", "id", ("group", "fact_id", "fact", "subtopic_id", "hop"), required=False)
GOLD = Schema("gold", (QUERY, DOC_ID, GROUP), ())


def any_of(gold: Any, *, query: str | None = None, doc: str | None = None, group: str | None = None) -> pl.DataFrame:
    """Judgments of gold passages in groups: one passage of a group suffices, and a query needs all of its groups.

    The groups are the subtopics: `StRecall@k` is the share of the groups with a passage among the first k,
    `StRecall(complete=True)@k` whether all have one, and `Success@k` whether any has.

    Args:
        gold: a row per query, group and passage; or per query and group with a list of passages (doc_id); or per query
            with a list of groups, each a list of passages.  Without groups in any of these forms each passage is a
            group of its own: all are needed.
        query: the name of the column of queries, where it is not query_id.
        doc: that of passages, where it is not doc_id.
        group: that of groups, where it is not group_id.

    Returns:
        query_id doc_id subtopic_id relevance, where relevance is 1: judgments for `ir.Rankings`.  Groups of lists are
        numbered from 1 in each query.

    Raises:
        MissingColumn: there are no queries or passages.
        InvalidValue: a group has no passage.

    Example:
        >>> import polars as pl, ireval_frames as ir
        >>> gold = pl.DataFrame({"query_id": ["q"], "doc_id": [[["a", "b"], ["c"]]]})
        >>> qrels = any_of(gold)
        >>> qrels.rows()
        [('q', 'a', 1, 1), ('q', 'b', 1, 1), ('q', 'c', 2, 1)]
        >>> run = pl.DataFrame({"query_id": ["q"] * 2, "doc_id": ["b", "c"], "score": [2.0, 1.0]})
        >>> names = "StRecall@1 StRecall@2 StRecall(complete=True)@1 StRecall(complete=True)@2"
        >>> ir.evaluate(qrels, run, names).summary()["value"].to_list()
        [0.5, 1.0, 0.0, 1.0]
    """
    engine = open_engine(gold, None, None)
    with engine.errors():
        table = open_source(Source(gold, GOLD.name, TABLE), engine)
        named = named_columns(None, {"query_id": query, "doc_id": doc, "group_id": group})
        matches = found_in(GOLD, table, ItemNames(named))
        frame = engine.collect(table.lazy())
    if group is not None and group not in frame.columns:
        raise MissingColumn(
            f"The gold table has no column {group!r} (it has: {listed(frame.columns, 20)}).",
            Hint("Name that of groups: ", Argument("group", "their_name"), "."),
        )
    rows = _with_lists(frame.select(**{ours: pl.col(theirs) for ours, theirs in matches.items()}))
    several = isinstance(rows.schema["doc_id"], pl.List) and isinstance(rows.schema["doc_id"].inner, pl.List)
    if several:
        rows = rows.explode("doc_id", empty_as_null=True)
    if "group_id" not in rows.columns:
        lists = isinstance(rows.schema["doc_id"], pl.List)
        number = pl.int_range(1, pl.len() + 1).over("query_id") if lists else pl.col("doc_id")
        rows = rows.with_columns(group_id=number)
    if isinstance(rows.schema["doc_id"], pl.List):
        rows = rows.explode("doc_id", empty_as_null=True)
    for name in ("query_id", "doc_id", "group_id"):
        if n := rows[name].null_count():
            what = "passage" if name == "doc_id" else "query" if name == "query_id" else "group"
            raise InvalidValue(
                f"{n:,} row{'s' * (n > 1)} of the gold table {'have' if n > 1 else 'has'} no {what}.",
                rows_to_fix("gold", matches.get(name, name), ".is_null()"),
            )
    keys = ("query_id", "doc_id", "group_id")
    return (
        rows.select(keys)
        .unique(maintain_order=True)
        .select("query_id", "doc_id", subtopic_id="group_id", relevance=pl.lit(1, pl.Int64))
    )


def _with_lists(rows: pl.DataFrame) -> pl.DataFrame:
    """The rows, with arrays of passages as lists."""
    dtype = rows.schema["doc_id"]
    if isinstance(dtype, pl.Array) or (isinstance(dtype, pl.List) and isinstance(dtype.inner, pl.Array)):
        nested = isinstance(dtype.inner, pl.Array | pl.List)
        inner = dtype.inner.inner if isinstance(dtype.inner, pl.Array | pl.List) else dtype.inner
        return rows.cast({"doc_id": pl.List(pl.List(inner)) if nested else pl.List(inner)})
    return rows
