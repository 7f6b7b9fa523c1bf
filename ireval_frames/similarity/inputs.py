"""The user's rankings, of documents or of any items, as one canonical frame of an engine."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

import polars as pl

from ireval_frames import io
from ireval_frames.columns.exact_numbers import one_zero
from ireval_frames.columns.schema import canonical, grouping_column, resolve
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
    NothingInCommon,
    best_of_each,
    listed,
    rows_to_fix,
)
from ireval_frames.expr import col, lit
from ireval_frames.io.reading import streams
from ireval_frames.items.checks import exact, floats_of_integers
from ireval_frames.items.inputs import same_kinds
from ireval_frames.overlap import COMPARED_IDS, Side, nothing_in_common
from ireval_frames.similarity import files
from ireval_frames.similarity.files import ITEMS, RUNS, is_of_items, of_runs, scan

# Our names of the columns, by those of the schemas.
OURS = {"run_id": "system", "ranking": "system", "query_id": "query_id", "doc_id": "item", "item": "item"}


class SimilarityInputs:
    """The canonical frame: [side] system [by_0 …] [query] item value, larger values first.

    Args:
        tables: `runs`, and `against` if two tables are compared.
        names: the names of the tables' columns.
        by: columns that group units.
        engine: where the plan runs.
        descending: whether larger scores come first.
        from_files: tables that were read from files, so have our names.
    """

    def __init__(
        self,
        tables: Mapping[str, Any],
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
        self._names = {table: names.of(table) for table in tables}
        # Columns of text files are text, and numbers among them are cast.
        self._text: set[str] = set()
        self.score_rules: tuple[Rule, ...] = ()
        self.checks: list[Check] = []
        tables_by_name = {name: table for name, table in tables.items() if table is not None or name == "runs"}
        frames = {name: self._open(name, table, engine) for name, table in tables_by_name.items()}
        self.schema = RUNS if of_runs(list(frames["runs"].columns), self._names["runs"]) else ITEMS
        self.several_units = "query_id" in self._resolve("runs", frames["runs"])
        self.two_sides = len(frames) > 1
        resolved = {name: self._resolve(name, frame) for name, frame in frames.items()}
        self._columns_of_runs = resolved["runs"]
        names.check_used()
        for name, frame in frames.items():
            self._require_columns(name, list(frame.columns), resolved[name])
        if self.two_sides:
            frames = self._of_one_type(frames, resolved)
        self.frame = self._concat([self._canonical(name, frame, resolved[name]) for name, frame in frames.items()])

    @property
    def ranking(self) -> str:
        """The name of the column of rankings in results."""
        return "run_id" if self.schema is RUNS else "ranking"

    def called(self, column: str) -> str:
        """The user's name of a column of the first table."""
        return next((self._columns_of_runs[name] for name in self._columns_of_runs if OURS.get(name) == column), column)

    def _open(self, table: str, source: Any, engine: Engine) -> Frame:
        own = self._table_names.of(table)
        of_items = not engine.names_table(source) and is_of_items(source, own)
        if of_items and io.is_text_table(source):
            self._text.add(table)

        def read(path: Any) -> pl.LazyFrame:
            frame = scan(path, own)
            if not of_items:
                self._names[table] = self._table_names.unused(table)
            return frame

        frame = open_source(Source(source, table, Read(read, lambda path: files.tables(path, own), streams)), engine)
        if table in self._from_files:
            # SQL text reads the file under our names.
            self._names[table] = self._table_names.unused(table)
        return frame

    def _resolve(self, table: str, frame: Frame) -> dict[str, str]:
        """The user's names of our columns."""
        try:
            resolved = resolve(self.schema, list(frame.columns), self._names[table])
        except MissingColumn:
            # The error of a named column that does not exist says more than that of a missing one.
            self._table_names.check_used()
            raise
        order = "score" if "score" in resolved else "rank"
        return {ours: name for ours, name in resolved.items() if ours in OURS or ours == order}

    def _require_columns(self, table: str, names: Sequence[str], resolved: Mapping[str, str]) -> None:
        if "score" not in resolved and "rank" not in resolved:
            raise MissingColumn(
                f"The {table} table has no column 'score' (it has: {listed(names, 20)}).",
                Hint(
                    "Name it: ",
                    Argument("columns", {"score": "their_name"}),
                    "; rankings without scores need a rank column.",
                ),
            )
        missing = [b for b in self.by if b not in names]
        if missing:
            raise MissingColumn(
                f"The {table} table has no by column {missing[0]!r} (it has: {listed(names, 20)}).",
                "Group by columns of the runs.",
            )

    def _of_one_type(self, frames: Mapping[str, Frame], resolved: Mapping[str, Mapping[str, str]]) -> dict[str, Frame]:
        """Both tables, with the columns that they are compared by in one type."""
        first, second = frames
        for column in resolved[first].keys() ^ resolved[second].keys():
            if column == "query_id":
                raise MissingColumn(
                    f"Only one of the two tables has a column for the {column}.",
                    "Pass two tables with the same columns.",
                )
        shared = [c for c in ("query_id", "doc_id", "item") if c in resolved[first]]
        columns = {resolved[first][c]: resolved[second][c] for c in shared} | {b: b for b in self.by}
        return dict(zip(frames, same_kinds(frames, columns), strict=True))

    def _canonical(self, table: str, frame: Frame, resolved: Mapping[str, str]) -> Frame:
        order, schema = "score" if "score" in resolved else "rank", frame.collect_schema()
        if order == "score" and not schema[resolved[order]].is_integer():
            self.checks += exact(frame, resolved[order], text=table in self._text)
        if table in self._text:
            number = col(resolved[order]).cast(pl.Float64 if order == "score" else pl.Int64)
            frame = frame.with_columns(**{resolved[order]: number})
        frame = frame.select(
            *canonical(self.schema, frame, resolved),
            **{a: grouping_column(table, frame, b) for a, b in zip(self.by_aliases, self.by, strict=True)},
        ).rename({k: OURS[k] for k in resolved if k in OURS})
        if order == "score" and table not in self._text:
            # Scores of the two tables may have different types.
            self.score_rules = self.score_rules or floats_of_integers(schema[resolved[order]], "value", resolved[order])
        value = col(order).cast(pl.Float64)
        larger_first = self.descending and order == "score"
        further = {"value": one_zero(value if larger_first else -value)}
        if "system" not in frame.collect_schema().names():
            further["system"] = lit("against" if table == "against" else "run")
        if self.two_sides:
            further["side"] = lit(int(table == "against")).cast(pl.Int64)
        return frame.with_columns(**further).drop(order)

    def _concat(self, parts: Sequence[Frame]) -> Frame:
        """Both tables in one, with a column `side`."""
        if not self.two_sides:
            return parts[0]
        one, other = (part.collect_schema()["system"] for part in parts)
        if one != other:
            parts = [part.with_columns(system=col("system").cast(pl.String)) for part in parts]
        order = ["side", "system", *self.by_aliases, *(["query_id"] if self.several_units else []), "item", "value"]
        return concat([part.select(*order) for part in parts])


def rules(columns: Sequence[str]) -> tuple[Rule, ...]:
    """The rules of rankings: no null ids, no null or NaN scores."""
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
    """The error of items that are twice in one ranking."""
    keys = [c for c in ("system", "query_id", "item") if c in rows.columns]
    examples = [
        ", ".join(f"{_NAMES[k]} {v!r}" for k, v in row.items())
        for row in rows.select(keys).unique(maintain_order=True).iter_rows(named=True)
    ]
    return DuplicateRows(
        f"The rankings have {count} rows with the same item as another row of the ranking: {listed(examples, 3)}.",
        best_of_each("runs", [{**_NAMES, "item": "doc_id"}[k] for k in keys], "score"),
    )


def no_overlap(inputs: SimilarityInputs) -> NothingInCommon | None:
    """The error that no two rankings share an item, with the first two of them; None if there is one ranking."""
    side = "side" if inputs.two_sides else "system"
    # One of two tables may be empty.
    two = [0, 1] if inputs.two_sides else _ids(inputs, inputs.frame.lazy(), side)[:2]
    if len(two) < 2:
        return None
    frames = [inputs.frame.lazy().filter(col(side) == name) for name in two]
    names = ("runs", "against") if inputs.two_sides else tuple(f"ranking {name!r}" for name in two)
    instead = Argument("policy", "overlap=allow")
    for column, what in (("query_id", "query"), ("item", "item")):
        if column == "query_id" and not inputs.several_units:
            continue
        ids = [_ids(inputs, frame, column) for frame in frames]
        if column == "item" or not set(ids[0]) & set(ids[1]):
            one, other = (
                Side(name, inputs.called(column), some, frame=name if inputs.two_sides else "runs")
                for name, some in zip(names, ids, strict=True)
            )
            return nothing_in_common(f"No {what} is in two of the rankings", one, other, instead)
    return None


def _ids(inputs: SimilarityInputs, frame: Frame, column: str) -> list[object]:
    ids = frame.select(column).unique().sort(column).head(COMPARED_IDS)
    return inputs.engine.collect(ids)[column].sort().to_list()
