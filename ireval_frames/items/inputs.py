"""Tables of items under our names: the user's names of their columns, and what identifies a unit.

For families whose tables have a row per item.  Keys are `run_id` if there is one, then the `by` columns, then those of
the unit, the user's under the aliases `by_0` and `unit_0`.
"""

from __future__ import annotations

import copy
import functools
import operator
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import polars as pl

from ireval_frames import io
from ireval_frames.columns.schema import UNTYPED, Schema, grouping_column, number, resolve
from ireval_frames.engines.base import Engine
from ireval_frames.engines.frame import Frame
from ireval_frames.engines.opening import Computed, Source, is_missing_id, open_source
from ireval_frames.engines.row_checks import Check
from ireval_frames.errors import (
    Argument,
    Hint,
    InvalidValue,
    MismatchedTables,
    MissingColumn,
    listed,
    nearest,
    rows_to_fix,
)
from ireval_frames.expr import Expr, col
from ireval_frames.io.reading import TABLE


@dataclass(frozen=True)
class ItemNames:
    """The user's names of columns: ours → the user's; `by` and `unit` in the user's order.

    Columns of `more` hold something else, such as probabilities; they are none of ours, whatever their names are.
    """

    columns: Mapping[str, str]
    by: tuple[str, ...] = ()
    unit: tuple[str, ...] = ()
    more: tuple[str, ...] = ()


class ItemInputs:
    """The first table of an evaluation of items, with its keys.

    Args:
        schema: the schema of the table, with its name in errors.
        table: the user's table.
        names: the user's names of columns.
        engine: where the plan runs.
        units: what becomes of rows whose unit is null (`known_units` of the conventions).

    Attributes:
        frame: the table with its own columns.
        user_columns: the user's name of each of our columns.
        keys: the columns that identify a unit.
        by, unit: the aliases of the user's columns; `by_names`, `unit_names` the user's names by alias.
        keyed: the expressions of the keys, by alias.
        items: a row per item.
        long: the attributes with further frames of rows of items.
        optional: the columns of items that only some measures read.
        checks: rows that the tables must not hold, counted with the first result.
        valid: the tables whose rows need no check, by their names in errors.
        sides: of two tables, by their names in errors, the keys of their items, and the user's name of ids.
    """

    items: Frame
    long: ClassVar[tuple[str, ...]] = ("gold", "system")
    # What items are called, in errors and in the columns of coverage, and what one is.
    ids: ClassVar[str] = "items"
    item_word: ClassVar[str] = "item"
    optional: ClassVar[tuple[str, ...]] = ()
    # Whether what two tables have in common is reported with the first result.
    reports_overlap: bool = True
    # Whether the weights are those of a resampling.
    drawn: bool = False

    def __init__(self, schema: Schema, table: Any, names: ItemNames, engine: Engine, units: str = "error") -> None:
        self.schema, self.engine, self._units = schema, engine, units
        self.checks: list[Check] = []
        self.sides: dict[str, tuple[Frame, str]] = {}
        self.valid: set[str] = set()
        self.by = tuple(f"by_{i}" for i in range(len(names.by)))
        self.unit = tuple(f"unit_{i}" for i in range(len(names.unit)))
        self.by_names = dict(zip(self.by, names.by, strict=True))
        self.unit_names = dict(zip(self.unit, names.unit, strict=True))
        self.frame, names = self.arranged(self.opened(table, schema.name), names)
        # Columns of text files are text; numbers among them are cast where numbers are needed.
        self.from_file = io.is_text_table(table) and not engine.names_table(table)
        self.user_columns = found_in(schema, self.frame, names)
        several = {"run_id": col(self.user_columns["run_id"])} if "run_id" in self.user_columns else {}
        self.keys: tuple[str, ...] = (*several, *self.by, *self.unit)
        self.keyed: dict[str, Expr] = {**several, **aliased(self.frame, self.by_names | self.unit_names)}

    def opened(self, source: Any, table: str) -> Frame:
        """A table of the user; rows without a unit are left out, or are an error with the first result."""
        frame = open_source(Source(source, table, TABLE), self.engine)
        if isinstance(source, Computed):
            self.checks += source.checks(self.engine)
            self.valid |= {table} if source.valid else set()
        present = list(frame.columns)
        columns = [name for name in self.unit_names.values() if name in present]
        if not columns:
            return frame
        no_unit = functools.reduce(operator.or_, (is_missing_id(frame, name) for name in columns))
        if self._units == "drop-null":
            return frame.filter(~no_unit)
        self.checks.append(Check(frame, no_unit, functools.partial(_no_unit, table, columns)))
        return frame

    def know_items(self, frame: Frame, column: str, table: str) -> None:
        """This column identifies items: a null is an error with the first result."""
        if table in self.valid:
            return

        def error(rows: pl.DataFrame, count: int) -> InvalidValue:
            rows_have = f"row of the {table} table has" if count == 1 else f"rows of the {table} table have"
            none = ("null", ".is_null()") if rows[column][0] is None else ("NaN", ".is_nan()")
            return InvalidValue(
                f"{count:,} {rows_have} no {self.item_word}: column {column!r} is {none[0]}.",
                rows_to_fix("frame", column, none[1]),
            )

        self.checks.append(Check(frame, is_missing_id(frame, column), error))

    def arranged(self, frame: Frame, names: ItemNames) -> tuple[Frame, ItemNames]:
        """The table as it is read, and the names of its columns."""
        return frame, names

    @property
    def weighted_items(self) -> Frame:
        """The table with the weights of items."""
        return self.items

    @property
    def names(self) -> dict[str, str]:
        """The user's names of the key columns, by alias."""
        return {**self.by_names, **self.unit_names}

    def on_engine(self, engine: Engine) -> Self:
        """The same tables for another engine; those of `long` are collected, items stay where they are."""
        out = copy.copy(self)
        out.engine, out.sides = engine, {}
        for name in self.long:
            if (frame := getattr(self, name)) is not None:
                setattr(out, name, engine.from_polars(self.engine.collect(frame)))
        return out

    def reweighted(self, items: Frame, first: str, left_out: Sequence[str] = ()) -> Self:
        """The same tables with other items.

        Args:
            items: a row per item with its `weight`, under our names.
            first: a column of them that becomes the first one of `by`.
            left_out: columns of `by` that are dropped.
        """
        out = copy.copy(self)
        out.drawn = True
        remaining = [k for k in self.keys if k not in left_out]
        out.by_names = {first: first} | {k: v for k, v in self.by_names.items() if k in remaining}
        out.by = tuple(out.by_names)
        several = [k for k in remaining if k not in {**out.by_names, **self.unit_names}]
        out.keys = (*several, *out.by_names, *(k for k in remaining if k in self.unit_names))
        out.user_columns, out.checks, out.sides = {**self.user_columns, "weight": "weight"}, [], {}
        out.items = items.select(*(c for c in items.columns if c not in left_out))
        self._draw_rows(out, items, first)
        return out

    def _draw_rows(self, out: Self, items: Frame, first: str) -> None:
        """Set the rows of the drawn items in the reweighted tables."""
        item = (*self.keys, "item_id")
        for name in self.long:
            if (frame := getattr(self, name)) is not None:
                joined = self.engine.join(items.select(first, *item), frame, item, "inner")
                setattr(out, name, joined.select(*out.keys, *(c for c in frame.columns if c not in self.keys)))

    def number(self, ours: str) -> Expr:
        """A column of numbers, as floats.

        Raises:
            WrongType: it has another type.
        """
        column = self.user_columns[ours]
        dtype = self.frame.dtype(column)
        return number(self.schema.name, column, dtype, text=self.from_file)

    def distinct(self, frame: Frame) -> Frame:
        """The distinct rows."""
        return self.engine.group(frame, frame.columns, ())

    def numbered(self, frame: Frame) -> Frame:
        """The table with an item_id: its own, or the number of the row."""
        if "item_id" in self.user_columns:
            return frame
        # A column of that name may hold something else, such as a feature.
        self.user_columns["item_id"] = free_name("item_id", frame)
        return self.engine.number(frame.lazy(), self.user_columns["item_id"])


def is_of_units(check: Check) -> bool:
    """Whether it is the check for rows without a unit, which a table of a macro may have for all rows."""
    return isinstance(check.error, functools.partial) and check.error.func is _no_unit


def _no_unit(table: str, columns: Sequence[str], rows: pl.DataFrame, count: int) -> InvalidValue:
    (column, *_) = (name for name in columns if rows[name][0] is None or rows[name][0] != rows[name][0])
    are = "row has" if count == 1 else "rows have"
    none = "null" if rows[column][0] is None else "NaN"
    return InvalidValue(
        f"{count:,} {are} no unit: column {column!r} of the {table} table is {none}; they would be one unit together.",
        Hint("Leave them out: ", Argument("policy", "units=drop-null"), "."),
    )


def free_name(name: str, frame: Frame) -> str:
    """A name that no column of the frame has in any case, since engines differ in whether case matters."""
    names = {n.lower() for n in frame.columns}
    while name in names:
        name += "_"
    return name


def _grouping_hint(schema: Schema, name: str, present: Sequence[str], columns: Mapping[str, str], argument: str) -> str:
    """The column to group by instead of a missing one: the user's name of a column of ours, or the nearest name."""
    aliases = next((c.aliases for c in schema.columns if c.name == name), ())
    own = columns.get(name) or next((n for n in present if n.lower() in aliases), None)
    if own is not None:
        return Hint(f"Columns are called as in the table, and {name} is {own}: ", Argument(argument, own))
    near = nearest(name, present)
    if near.startswith("Did"):
        return near
    return Hint("Group by one of its columns: ", Argument(argument, next(iter(present), "column")), ".")


def found_in(schema: Schema, frame: Frame, names: ItemNames) -> dict[str, str]:
    """The user's name of each canonical column that the frame has.

    Raises:
        MissingColumn: a column of by= or unit= is missing, or one that the user named.
    """
    present = list(frame.columns)
    for argument, grouping in (("by", names.by), ("unit", names.unit)):
        for name in grouping:
            if name not in present:
                raise MissingColumn(
                    f"The {schema.name} table has no column {name!r} (it has: {listed(present, 20)}).",
                    _grouping_hint(schema, name, present, names.columns, argument),
                )
    # A column that groups does not count as another one by an alias of its name, but a label stays one.
    used = ({*names.by, *names.unit} - {c.name for c in schema.columns}) | {*names.more}
    columns = resolve(schema, [n for n in present if n not in used or n in names.columns.values()], names.columns)
    for name in (*names.by, *names.unit, *(columns[c] for c in ("run_id", "item_id") if c in columns)):
        grouping_column(schema.name, frame, name)
    return columns


def aliased(frame: Frame, aliases: Mapping[str, str]) -> dict[str, Expr]:
    """The user's columns that group rows, under their aliases.

    0.0 and -0.0 are one group, written 0.0, since engines differ in which of the two they return.

    Raises:
        MissingColumn: the frame has not all of them.
    """
    present = list(frame.columns)
    absent = [name for name in aliases.values() if name not in present]
    if absent:
        raise MissingColumn(
            f"A table has no column {absent[0]!r} (it has: {listed(present, 20)}).",
            "Both tables need the columns of by= and unit=.",
        )
    return {alias: grouping_column("items", frame, name) for alias, name in aliases.items()}


def same_kinds(
    tables: Mapping[str, Frame], columns: Mapping[str, str], *, as_text: bool = False
) -> tuple[Frame, Frame]:
    """Two tables, the columns they are joined by in one type: categories become text, integers of one size.

    Args:
        tables: two, by their names in errors.
        columns: the column of the first → the column of the second.
        as_text: whether integers become text where the other table has text, as tables from text files do.

    Raises:
        MismatchedTables: a column is text in one table and numbers in the other.
    """
    (first, left), (second, right) = tables.items()
    for one, other in columns.items():
        types = (left.dtype(one), right.dtype(other))
        kinds = [_join_kind(t) for t in types]
        if types[0] == types[1]:
            continue
        if as_text and {*kinds} == {"text", "integer"}:
            left = left.with_columns(col(one).cast(pl.String))
            right = right.with_columns(col(other).cast(pl.String))
            continue
        if None not in kinds and kinds[0] != kinds[1]:
            required, good = ("String", "text") if "text" in kinds else ("Int64", "integer")
            raise MismatchedTables(
                f"Column {one!r} of the {first} table is {types[0]} and column {other!r} of the {second} table is "
                f"{types[1]}, so none can be equal.",
                "Give both one type: "
                f'frame.with_columns(pl.col("{one if kinds[1] == good else other}").cast(pl.{required}))',
            )
        if pl.UInt64 in types and any(t.is_signed_integer() for t in types):
            raise MismatchedTables(
                f"Column {one!r} of the {first} table is {types[0]} and column {other!r} of the {second} table is "
                f"{types[1]}, and no integer type holds both.",
                f'Give both one type: frame.with_columns(pl.col("{one if types[1] == pl.UInt64 else other}")'
                ".cast(pl.UInt64))",
            )
        types_by_kind = {
            "text": pl.String(),
            "integer": pl.UInt64() if pl.UInt64 in types else pl.Int64(),
            "float": pl.Float64(),
            None: types[0] if kinds[1] is None else types[1],
        }
        common = types_by_kind.get(kinds[0])
        if common is not None:
            left, right = left.with_columns(col(one).cast(common)), right.with_columns(col(other).cast(common))
    return left, right


def _join_kind(dtype: Any) -> str | None:
    if dtype in UNTYPED:
        return None
    if dtype == pl.String or isinstance(dtype, pl.Categorical | pl.Enum):
        return "text"
    return "integer" if dtype.is_integer() else "float" if dtype.is_float() else str(dtype)
