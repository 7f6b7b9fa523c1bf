"""Rankings as handed in, of documents or of any items, as one canonical frame of an engine."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import narwhals.stable.v2 as nw
import polars as pl

from ireval_frames import io
from ireval_frames.engines.base import Engine, Rule
from ireval_frames.engines.frame import Frame, stacked
from ireval_frames.engines.sources import Source, names_of, opened
from ireval_frames.errors import (
    Argument,
    DuplicateRows,
    Hint,
    InvalidValue,
    MismatchedTables,
    MissingColumn,
    listed,
    rows_to_fix,
)
from ireval_frames.schema import (
    DOC_ID,
    QUERY_ID,
    RANK,
    RUN_ID,
    SCORE,
    Column,
    Schema,
    canonical,
    grouping_column,
    one_zero,
    resolve,
)

# What two runs found for the queries, and anything else that is put into an order: systems by a measure, say.
RUNS = Schema("runs", (RUN_ID, QUERY_ID, DOC_ID, SCORE, RANK), ("run_id", "query_id", "doc_id"))
ITEM = Column(
    "item",
    "id",
    ("item_id", *(n for n in (DOC_ID.name, *DOC_ID.aliases) if n != "item_id"), "system", "system_id", "run_id", "run"),
)
RANKING = Column("ranking", "id", ("measure", "run_id", "run", "ranker", "rater_id"), required=False)
VALUE = Column("score", "number", (*SCORE.aliases, "value"), required=False)
ITEMS = Schema(
    "rankings",
    (ITEM, RANKING, Column("query_id", "id", QUERY_ID.aliases, required=False), VALUE, RANK),
    ("ranking", "query_id", "item"),
)

Given = Mapping[str, Any]


class Inputs:
    """The canonical frame: [side] system [by_0 …] [query] item value, larger values first.

    Args:
        given: `runs`, and `against` where two tables are compared.
        columns: the user's names of our columns.
        by: columns that group units.
        descending: whether larger scores stand first.
    """

    def __init__(
        self, given: Given, columns: Mapping[str, str], by: Sequence[str], engine: Engine, *, descending: bool
    ) -> None:
        self.by, self.columns, self.descending = tuple(by), columns, descending
        self.by_aliases = tuple(f"by_{i}" for i in range(len(by)))
        frames = {name: opened(Source(table, name, scan), engine) for name, table in given.items() if table is not None}
        first = names_of(frames["runs"])
        has_query, has_document = (
            _has(first, columns, ours, c) for ours, c in (("query_id", QUERY_ID), ("doc_id", DOC_ID))
        )
        self.schema = RUNS if has_query and has_document else ITEMS
        self.several_units = has_query
        parts = [
            self._canonical(frame, name, side if len(frames) > 1 else None)
            for side, (name, frame) in enumerate(frames.items())
        ]
        self.two_sides = len(parts) > 1
        self.frame = self._together(parts) if self.two_sides else parts[0]

    @property
    def ranking(self) -> str:
        """The name of the column that tells the rankings apart, in results."""
        return "run_id" if self.schema is RUNS else "ranking"

    def _canonical(self, frame: Frame, name: str, side: int | None) -> Frame:
        names = names_of(frame)
        known = {c.name for c in self.schema.columns}
        found = resolve(self.schema, names, {k: v for k, v in self.columns.items() if k in known and v in names})
        if "score" not in found and "rank" not in found:
            raise MissingColumn(
                f"The {name} table has no column 'score' (it has: {listed(names, 20)}).",
                Hint(
                    "Name it: ",
                    Argument("columns", {"score": "their_name"}),
                    "; rankings without scores need a rank column.",
                ),
            )
        lacking = [b for b in self.by if b not in names]
        if lacking:
            raise MissingColumn(
                f"The {name} table has no by column {lacking[0]!r} (it has: {listed(names, 20)}).",
                "Group by columns of the runs.",
            )
        order = "score" if "score" in found else "rank"
        ours = {"run_id": "system", "ranking": "system", "query_id": "query_id", "doc_id": "item", "item": "item"}
        found = {k: v for k, v in found.items() if k in ours or k == order}
        frame = frame.select(
            *canonical(self.schema, frame, found),
            **{a: grouping_column(name, frame, b) for a, b in zip(self.by_aliases, self.by, strict=True)},
        )
        frame = frame.rename({k: ours[k] for k in found if k in ours})
        value = nw.col(order).cast(nw.Float64)
        larger_first = self.descending if order == "score" else False
        more = {"value": one_zero(value if larger_first else -value)}
        if "system" not in frame.collect_schema().names():
            more["system"] = nw.lit("against" if name == "against" else "run")
        if side is not None:
            more["side"] = nw.lit(side).cast(nw.Int64)
        return frame.with_columns(**more).drop(order)

    def _together(self, parts: Sequence[Frame]) -> Frame:
        """Both tables in one, told apart by `side`."""
        types = [part.collect_schema() for part in parts]
        for column in ("query_id", "item", *self.by_aliases):
            present = [t[column] for t in types if column in t.names()]
            if len(present) == 1:
                raise MissingColumn(
                    f"Only one of the two tables has a column for the {column}.", "Hand in two tables of one kind."
                )
            if present and present[0] != present[1]:
                raise MismatchedTables(
                    f"The two tables' {column} columns are {present[0]} and {present[1]}.",
                    "Give both one type: frame.with_columns(pl.col(…).cast(pl.String)).",
                )
        if types[0]["system"] != types[1]["system"]:
            parts = [part.with_columns(nw.col("system").cast(nw.String)) for part in parts]
        order = ["side", "system", *self.by_aliases, *(["query_id"] if self.several_units else []), "item", "value"]
        return stacked([part.select(*order) for part in parts])


def scan(path: Any) -> pl.LazyFrame:
    """A run from its file."""
    return io.scan_run(path)


def rules(columns: Sequence[str]) -> tuple[Rule, ...]:
    """No null ids, no null or NaN scores."""
    ids = [c for c in ("system", "query_id", "item") if c in columns]
    value = nw.col("value")
    return (
        *(Rule(nw.col(c).is_null(), _bad(_NAMES[c], "null", "every row needs one")) for c in ids),
        Rule(value.is_null() | value.is_nan(), _bad("score", "null or NaN", "scores must be numbers", ".is_nan()")),
    )


_NAMES = {"system": "run_id", "query_id": "query_id", "item": "item"}


def _bad(column: str, what: str, allowed: str, *tests: str) -> Callable[[pl.DataFrame, int], InvalidValue]:
    def error(rows: pl.DataFrame, count: int) -> InvalidValue:
        first = ", ".join(f"{_NAMES.get(k, k)} {v!r}" for k, v in rows.row(0, named=True).items() if k != "side")
        return InvalidValue(
            f"Column {column!r} of the rankings is {what} in {count} rows; {allowed}. The first: {first}.",
            rows_to_fix("runs", column, ".is_null()", *tests),
        )

    return error


def duplicate_items(rows: pl.DataFrame, count: int) -> DuplicateRows:
    """An item stands twice in one ranking."""
    keys = [c for c in ("system", "query_id", "item") if c in rows.columns]
    shown = [
        ", ".join(f"{_NAMES[k]} {v!r}" for k, v in row.items())
        for row in rows.select(keys).unique(maintain_order=True).iter_rows(named=True)
    ]
    return DuplicateRows(
        f"The rankings have {count} rows that are not the only ones of their item: {listed(shown, 3)}.",
        "Keep one row of each item in each ranking: frame.unique([…]).",
    )


def _has(names: Sequence[str], columns: Mapping[str, str], ours: str, column: Column) -> bool:
    folded = {n.lower() for n in names}
    return columns.get(ours) in names or any(a in folded for a in (column.name, *column.aliases))
