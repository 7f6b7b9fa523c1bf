"""Rankings as handed in, of documents or of any items, as one canonical frame of an engine."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

import polars as pl

from ireval_frames import io
from ireval_frames.columns.schema import canonical, grouping_column, one_zero, resolve
from ireval_frames.columns.user_names import TableNames
from ireval_frames.engines.base import Engine, Rule
from ireval_frames.engines.frame import Frame, concat
from ireval_frames.engines.inputs.frames import Read
from ireval_frames.engines.opening import Source, open_source
from ireval_frames.engines.row_checks import Check
from ireval_frames.errors import (
    Argument,
    DuplicateRows,
    Hint,
    InvalidValue,
    MissingColumn,
    best_of_each,
    listed,
    rows_to_fix,
)
from ireval_frames.expr import col, lit
from ireval_frames.io.reading import streams
from ireval_frames.items.checks import exact, floats_of_integers
from ireval_frames.items.inputs import same_kinds
from ireval_frames.similarity.files import is_of_items, scan, tables
from ireval_frames.similarity.schemas import ITEMS, RUNS, of_runs

# Our names of the columns, by those of the schemas.
OURS = {"run_id": "system", "ranking": "system", "query_id": "query_id", "doc_id": "item", "item": "item"}


class SimilarityInputs:
    """The canonical frame: [side] system [by_0 …] [query] item value, larger values first.

    Args:
        given: `runs`, and `against` where two tables are compared.
        names: what the tables' columns are called.
        by: columns that group units.
        engine: where the plan runs.
        descending: whether larger scores stand first.
        from_files: tables that were read from files, so have our names already.
    """

    def __init__(
        self,
        given: Mapping[str, Any],
        names: TableNames,
        by: Sequence[str],
        engine: Engine,
        *,
        descending: bool,
        from_files: Collection[str] = (),
    ) -> None:
        self.engine = engine
        self.by, self.descending, self._table_names, self._from_files = tuple(by), descending, names, from_files
        self.by_aliases = tuple(f"by_{i}" for i in range(len(by)))
        self._names = {table: names.of(table) for table in given}
        # Columns of text files are text, and numbers among them are cast.
        self._text: set[str] = set()
        self.score_rules: tuple[Rule, ...] = ()
        self.checks: list[Check] = []
        there = {name: table for name, table in given.items() if table is not None or name == "runs"}
        frames = {name: self._opened(name, table, engine) for name, table in there.items()}
        self.schema = RUNS if of_runs(list(frames["runs"].columns), self._names["runs"]) else ITEMS
        self.several_units = "query_id" in self._found("runs", frames["runs"])
        self.two_sides = len(frames) > 1
        found = {name: self._found(name, frame) for name, frame in frames.items()}
        self._theirs = found["runs"]
        names.check_used()
        for name, frame in frames.items():
            self._refuse_lacking(name, list(frame.columns), found[name])
        if self.two_sides:
            frames = self._of_one_type(frames, found)
        self.frame = self._together([self._canonical(name, frame, found[name]) for name, frame in frames.items()])

    @property
    def ranking(self) -> str:
        """The name of the column that tells the rankings apart, in results."""
        return "run_id" if self.schema is RUNS else "ranking"

    def called(self, column: str) -> str:
        """What the user calls a column of the first table."""
        return next((self._theirs[name] for name in self._theirs if OURS.get(name) == column), column)

    def _opened(self, table: str, given: Any, engine: Engine) -> Frame:
        own = self._table_names.of(table)
        of_items = not engine.names_table(given) and is_of_items(given, own)
        if of_items and io.is_text_table(given):
            self._text.add(table)

        def read(path: Any) -> pl.LazyFrame:
            frame = scan(path, own)
            if not of_items:
                self._names[table] = self._table_names.left(table)
            return frame

        frame = open_source(Source(given, table, Read(read, lambda path: tables(path, own), streams)), engine)
        if table in self._from_files:
            # SQL text reads the file under our names.
            self._names[table] = self._table_names.left(table)
        return frame

    def _found(self, table: str, frame: Frame) -> dict[str, str]:
        """The table's own names of our columns."""
        try:
            found = resolve(self.schema, list(frame.columns), self._names[table])
        except MissingColumn:
            # What was named and is not there says more than what is missing.
            self._table_names.check_used()
            raise
        order = "score" if "score" in found else "rank"
        return {ours: theirs for ours, theirs in found.items() if ours in OURS or ours == order}

    def _refuse_lacking(self, table: str, names: Sequence[str], found: Mapping[str, str]) -> None:
        if "score" not in found and "rank" not in found:
            raise MissingColumn(
                f"The {table} table has no column 'score' (it has: {listed(names, 20)}).",
                Hint(
                    "Name it: ",
                    Argument("columns", {"score": "their_name"}),
                    "; rankings without scores need a rank column.",
                ),
            )
        lacking = [b for b in self.by if b not in names]
        if lacking:
            raise MissingColumn(
                f"The {table} table has no by column {lacking[0]!r} (it has: {listed(names, 20)}).",
                "Group by columns of the runs.",
            )

    def _of_one_type(self, frames: Mapping[str, Frame], found: Mapping[str, Mapping[str, str]]) -> dict[str, Frame]:
        """Both tables, with what they are compared by in one type."""
        first, second = frames
        for column in found[first].keys() ^ found[second].keys():
            if column == "query_id":
                raise MissingColumn(
                    f"Only one of the two tables has a column for the {column}.", "Hand in two tables of one kind."
                )
        shared = [c for c in ("query_id", "doc_id", "item") if c in found[first]]
        columns = {found[first][c]: found[second][c] for c in shared} | {b: b for b in self.by}
        return dict(zip(frames, same_kinds(frames, columns), strict=True))

    def _canonical(self, table: str, frame: Frame, found: Mapping[str, str]) -> Frame:
        order, schema = "score" if "score" in found else "rank", frame.collect_schema()
        if order == "score" and not schema[found[order]].is_integer():
            self.checks += exact(frame, found[order], text=table in self._text)
        if table in self._text:
            number = col(found[order]).cast(pl.Float64 if order == "score" else pl.Int64)
            frame = frame.with_columns(**{found[order]: number})
        frame = frame.select(
            *canonical(self.schema, frame, found),
            **{a: grouping_column(table, frame, b) for a, b in zip(self.by_aliases, self.by, strict=True)},
        ).rename({k: OURS[k] for k in found if k in OURS})
        if order == "score" and table not in self._text:
            # Two tables may have them of one kind each.
            self.score_rules = self.score_rules or floats_of_integers(schema[found[order]], "value", found[order])
        value = col(order).cast(pl.Float64)
        larger_first = self.descending and order == "score"
        more = {"value": one_zero(value if larger_first else -value)}
        if "system" not in frame.collect_schema().names():
            more["system"] = lit("against" if table == "against" else "run")
        if self.two_sides:
            more["side"] = lit(int(table == "against")).cast(pl.Int64)
        return frame.with_columns(**more).drop(order)

    def _together(self, parts: Sequence[Frame]) -> Frame:
        """Both tables in one, told apart by `side`."""
        if not self.two_sides:
            return parts[0]
        one, other = (part.collect_schema()["system"] for part in parts)
        if one != other:
            parts = [part.with_columns(system=col("system").cast(pl.String)) for part in parts]
        order = ["side", "system", *self.by_aliases, *(["query_id"] if self.several_units else []), "item", "value"]
        return concat([part.select(*order) for part in parts])


def rules(columns: Sequence[str]) -> tuple[Rule, ...]:
    """No null ids, no null or NaN scores."""
    ids = [c for c in ("system", "query_id", "item") if c in columns]
    value = col("value")
    return (
        *(Rule(col(c).is_null(), _bad(_NAMES[c], "null", "every row needs one")) for c in ids),
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
        best_of_each("runs", [{**_NAMES, "item": "doc_id"}[k] for k in keys], "score"),
    )
