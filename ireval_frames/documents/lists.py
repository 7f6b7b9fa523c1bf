"""What families of lists share: several tables with the ids of units and of documents, under our names.

The unit is a query, or a user: `item_id` in these frames, as in all families of items.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Literal

import polars as pl

from ireval_frames import io
from ireval_frames.columns.schema import Schema, grouping_column, missing, number
from ireval_frames.columns.user_names import TableNames
from ireval_frames.documents.units import UnitInputs
from ireval_frames.engines.base import Engine
from ireval_frames.engines.frame import Frame, concat
from ireval_frames.engines.inputs.frames import Read, names_files
from ireval_frames.engines.opening import Source, is_missing_id, open_source
from ireval_frames.engines.row_checks import Check, unique_key
from ireval_frames.errors import DuplicateRows, InvalidValue, IrevalError, listed, rows_to_fix
from ireval_frames.expr import Expr, col, lit
from ireval_frames.io.reading import streams
from ireval_frames.items.inputs import ItemNames, aliased, found_in, same_kinds


class ListInputs(UnitInputs):
    """The tables of one evaluation of lists.

    Args:
        tables: the user's, by the names of the arguments; those that were not passed are None.
        names: the user's names of columns.
        by: columns of the table of units that group them, or of the lists.
        engine: where the plan runs.

    Attributes:
        items: a row per unit: keys, `item_id`, and `weight` if units have weights.
        frames, columns: the tables that were passed, and the user's names of their columns.
        notes: what the reader should know.
    """

    sums_once = True
    # The schema of each table, by the name of the argument; the lists come first.
    schemas: ClassVar[Mapping[str, tuple[Schema, ...]]]
    # The table of units, and the user's column of a unit.
    table_of_units: ClassVar[str]
    unit_id: ClassVar[str]
    # Our columns that identify something → those of the frames that hold them; what they identify; which are alike.
    id_columns: ClassVar[Mapping[str, str]]
    words: ClassVar[Mapping[str, str]]
    alike: ClassVar[tuple[tuple[str, ...], ...]]
    # Tables whose files may also be those of runs or of judgments, such as TREC's.
    files: ClassVar[Mapping[str, Literal["run", "qrels"]]] = {}

    def __init__(self, tables: Mapping[str, Any], names: TableNames, by: tuple[str, ...], engine: Engine) -> None:
        self._names, self.notes = names, list[str]()
        self.lists_name, *others = self.schemas
        self._named = tables[self.table_of_units] is not None
        (schema,) = self.schemas[self.lists_name]
        of_lists = ItemNames(names.of(self.lists_name), () if self._named else by)
        super().__init__(schema, tables[self.lists_name], of_lists, engine)
        self.frames, self.columns = {self.lists_name: self.frame}, {self.lists_name: self.user_columns}
        self._text = {self.lists_name: self.from_file}
        for name in others:
            if tables[name] is not None:
                self._open(name, tables[name], by if name == self.table_of_units else ())
        for ours in self.alike:
            self._in_one_type(ours)
        self.unit_names = {"item_id": self.user_columns[self.unit_id]}
        if self._named:
            self.by = tuple(f"by_{i}" for i in range(len(by)))
            self.by_names = dict(zip(self.by, by, strict=True))
            self.keys = (*self.keys, *self.by)

    # ---- tables and columns

    def opened(self, source: Any, table: str) -> Frame:
        """A table of the user; a file of a run or of judgments is read as such."""
        kind = self.files.get(table)
        if kind is None or not names_files(source) or self.engine.names_table(source) or _is_table(source, kind):
            return super().opened(source, table)
        scan = io.scan_run if kind == "run" else io.scan_qrels
        return open_source(Source(source, table, Read(scan, streams=streams)), self.engine)

    def _open(self, name: str, table: Any, by: tuple[str, ...]) -> None:
        (schema,) = self.schemas[name]
        self.frames[name] = frame = self.opened(table, name)
        self.columns[name] = found_in(schema, frame, ItemNames(self._names.of(name), by))
        self._text[name] = io.is_text_table(table) and not self.engine.names_table(table)

    def _in_one_type(self, ours: tuple[str, ...]) -> None:
        """These columns of all tables in one type."""
        places = [(table, columns[c]) for table, columns in self.columns.items() for c in ours if c in columns]
        for _ in range(2):
            # The second round has what the first one has changed.
            for table, column in places[1:]:
                first, name = places[0]
                if table != first:
                    pair = {first: self.frames[first], table: self.frames[table]}
                    self.frames[first], self.frames[table] = same_kinds(pair, {name: column})
        self.frame = self.frames[self.lists_name]

    def id_of(self, table: str, ours: str) -> Expr:
        """A column of ids; nulls are an error with the first result."""
        frame, name = self.frames[table], self.columns[table][ours]

        def error(rows: pl.DataFrame, count: int) -> InvalidValue:
            have = f"row of the {table} table has" if count == 1 else f"rows of the {table} table have"
            null, test = ("null", ".is_null()") if rows[name][0] is None else ("NaN", ".is_nan()")
            return InvalidValue(
                f"{count:,} {have} no {self.words[ours]}: column {name!r} is {null}.", rows_to_fix(table, name, test)
            )

        if table not in self.valid:
            self.checks.append(Check(frame, is_missing_id(frame, name), error))
        return grouping_column(table, frame, name)

    def ids_of(self, table: str) -> dict[str, Expr]:
        """The columns of ids of a table under our names."""
        return {ours: self.id_of(table, c) for c, ours in self.id_columns.items() if c in self.columns[table]}

    def number_of(self, table: str, ours: str, *, low: float | None = None) -> Expr:
        """A column of finite numbers, not below `low`; others are an error with the first result."""
        frame, name = self.frames[table], self.columns[table][ours]
        value = number(table, name, frame.dtype(name), text=self._text[table])
        bad = value.is_null() | ~value.is_finite()
        allowed = "finite numbers" if low is None else f"finite numbers of at least {low:g}"

        def error(rows: pl.DataFrame, count: int) -> InvalidValue:
            more = f", and {count - 1:,} other rows hold such" if count > 1 else ""
            tests = [".is_null()", ".is_nan()", ".is_infinite()", *([] if low is None else [f" < {low:g}"])]
            return InvalidValue(
                f"Column {name!r} of the {table} table holds {rows[name][0]}{more}; it must hold {allowed}.",
                rows_to_fix(table, name, *tests),
            )

        self.checks.append(Check(frame, bad if low is None else bad | (value < low), error))
        return value

    def order_of(self, table: str, *, ranked: bool) -> Expr:
        """What orders lists, larger for better documents.

        Args:
            table: the table of lists.
            ranked: whether they are ordered by their ranks; without scores they are.

        Raises:
            MissingColumn: there are neither scores nor ranks.
        """
        columns = self.columns[table]
        order = "rank" if ranked or "score" not in columns else "score"
        if order not in columns:
            needed = "rank" if ranked else "score"
            (schema,), names = self.schemas[table], self.frames[table].columns
            raise missing(schema, needed, names, columns.values(), or_else="" if ranked else "; a rank does, too.")
        if order == "score" and "rank" in columns:
            self.notes.append(
                f"Lists are ordered by {columns['score']!r}, and {columns['rank']!r} is not read; "
                "rank= names the column to order them by."
            )
        value = self.number_of(table, order)
        return value if order == "score" else -value

    @property
    def groups_of_lists(self) -> dict[str, Expr]:
        """The run of a list, and the columns of `by` that lists have."""
        several = {"run_id": col(self.user_columns["run_id"])} if "run_id" in self.user_columns else {}
        return several if self._named else {**several, **aliased(self.frame, self.by_names)}

    def unique(self, table: str, rows: Frame, ids: tuple[str, ...]) -> Frame:
        """The rows; ids that are in several are an error with the first result."""
        user_names = {ours: self.columns[table][c] for c, ours in self.id_columns.items() if c in self.columns[table]}

        def twice(wrong: pl.DataFrame, count: int) -> DuplicateRows:
            words = {self.id_columns[c]: word for c, word in self.words.items() if c in self.id_columns}
            what = " and ".join(f"the {words[i]} {wrong[i][0]!r}" for i in ids)
            more = f" ({count:,} such)" if count > 1 else ""
            columns = [user_names[i] for i in ids]
            keep = repr(columns[0]) if len(columns) == 1 else repr(columns)
            return DuplicateRows(
                f"The {table} table has {what} in {wrong['n'][0]} rows{more}.",
                f"Keep one: {table}.unique({keep})".replace("'", '"'),
            )

        self.checks.append(unique_key(rows, ids, twice))
        return rows

    # ---- units

    def set_units(self, lists: Frame, *others: Frame) -> Frame:
        """Set the units: those named, else those of the lists of all runs, and of other tables; returns the lists.

        Rows of units that were not named are an error with the first result.
        """
        runs = self.distinct(lists.select("run_id")) if "run_id" in self.keys else None
        if self._named:
            units = self._named_units()
            groups = units.drop("weight")
            known = groups.select("item_id").with_columns(known=lit(1.0))
            beside = self.engine.join(lists, known, ("item_id",), "left")
            self.checks.append(Check(beside, col("known").is_null(), self._unknown))
            self.items = units if runs is None else self.engine.join(runs, units, (), "inner")
            return self.engine.join(lists, groups, ("item_id",), "inner") if self.by else lists
        units = self.distinct(concat([lists.select(*self.by, "item_id"), *(o.select("item_id") for o in others)]))
        self.items = units if runs is None else self.engine.join(runs, units, (), "inner")
        return lists

    def _named_units(self) -> Frame:
        table = self.table_of_units
        frame, columns = self.frames[table], self.columns[table]
        weight = {"weight": self.number_of(table, "weight", low=0.0)} if "weight" in columns else {}
        if weight:
            self.user_columns["weight"] = columns["weight"]
        units = frame.lazy().select(**aliased(frame, self.by_names), **self.ids_of(table), **weight)
        return self.unique(table, units, ("item_id",))

    def _unknown(self, rows: pl.DataFrame, count: int) -> InvalidValue:
        ids = listed(map(repr, dict.fromkeys(rows["item_id"])), 3)
        table, one = self.lists_name, len(self.frames[self.table_of_units].columns) == 1
        column, known = self.user_columns[self.unit_id], self.columns[self.table_of_units][self.unit_id]
        named = self.table_of_units if one else f'{self.table_of_units}["{known}"]'
        return InvalidValue(
            f"{count:,} row{'s' * (count > 1)} of the {table} table {'are' if count > 1 else 'is'} of {self.ids} that "
            f"{self.table_of_units}= does not name: {ids}.",
            f'Name all {self.ids}, or leave these rows out: {table}.filter(pl.col("{column}").is_in({named}))',
        )


def _is_table(source: Any, kind: Literal["run", "qrels"]) -> bool:
    """Whether a path is of tables with named columns."""
    try:
        described = io.describe(source, kind)
    except IrevalError:
        # What is wrong with it is told by the reader of tables.
        return True
    return all(d.format in ("csv", "tsv", "jsonl", "parquet", "arrow") for d in described)
