"""The common type of labels and predictions, the checks of their columns, and the order of classes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

from ireval_frames.columns.exact_numbers import EXACT
from ireval_frames.columns.schema import UNTYPED
from ireval_frames.engines.frame import Frame
from ireval_frames.engines.inputs.frames import type_in
from ireval_frames.engines.row_checks import Check
from ireval_frames.errors import InvalidValue, MismatchedTables
from ireval_frames.expr import Expr, col, lit, when
from ireval_frames.items.class_types import (
    WIDER,
    class_type,
    is_list,
    named_by,
    order_of_type,
    type_of_values,
    values_of,
)

# Text that is a number: all columns of CSV and TSV are text.
NUMBER = r"^[+-]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][+-]?[0-9]+)?$"


def as_number(text: Expr) -> Expr:
    """Text as a number; null where it is none."""
    return when(text.str.contains(NUMBER)).then(text).cast(pl.Float64)


class Classes:
    """The columns of labels and predictions.

    Args:
        columns: label and prediction, or one of them: the table and its column.

    Attributes:
        common: the type in which their classes are compared.

    Raises:
        WrongType: a column holds no labels.
        MismatchedTables: one holds text, the other numbers.
    """

    def __init__(self, columns: Mapping[str, tuple[Frame, str]]) -> None:
        self.columns = columns
        self.types = {side: type_of_values(frame, column) for side, (frame, column) in columns.items()}
        # A column of nulls only takes the type of the other side.
        typed = {side: dtype for side, dtype in self.types.items() if dtype not in UNTYPED}
        names = {side: column for side, (_, column) in columns.items()}
        self.common: Any = class_type(typed or self.types, names)

    def column(self, side: str) -> Expr:
        """The column, or nulls of the common type if it can have no values."""
        column = col(self.columns[side][1])
        if self._empty(side):
            return lit(None, dtype=self.common)
        plain = self._listed(side) or not self.types[side].is_float()
        return column if plain else named_by(column, self.types[side])

    def in_common(self, column: Expr) -> Expr:
        """A class in the common type."""
        return named_by(column, self.common)

    def _listed(self, side: str) -> bool:
        return is_list(*self.columns[side])

    def _empty(self, side: str) -> bool:
        return bool(self.types[side] in UNTYPED and self.common != pl.String)

    @property
    def checks(self) -> list[Check]:
        """The checks of the columns."""
        out = []
        for side, dtype in self.types.items():
            if self._empty(side):
                out.append(self._no_values(side))
            elif self.common == pl.Int64 and dtype in WIDER:
                out.append(self._within(side, 2**63 - 1, "UInt64"))
            elif self.common == pl.Float64 and dtype.is_integer():
                out.append(self._within(side, EXACT, "Int64"))
        return out

    def _values(self, side: str) -> tuple[Frame, str]:
        frame, column = self.columns[side]
        rows = frame.lazy().select(column)
        return (rows.explode(column) if self._listed(side) else rows), column

    def _no_values(self, side: str) -> Check:
        """No values that are neither text nor numbers, such as UUIDs, beside numbers."""
        rows, column = self._values(side)
        (other,) = (name for s, (_, name) in self.columns.items() if s != side)
        error = MismatchedTables(
            f"Column {column!r} holds text and column {other!r} holds numbers, so they are never equal.",
            f'Give both one type: frame.with_columns(pl.col("{other}").cast(pl.String))',
        )
        return Check(rows, ~col(column).is_null(), lambda *_: error)

    def _within(self, side: str, limit: int, good: str) -> Check:
        """All integers fit into the common type."""
        rows, column = self._values(side)
        value = col(column)
        beyond = value > limit if self.types[side].is_unsigned_integer() else (value > limit) | (value < -limit)

        def error(rows: pl.DataFrame, count: int) -> InvalidValue:
            del count
            return InvalidValue(
                f"Column {column!r} holds {rows[column][0]}, which {self.common} cannot hold beside the other column's "
                "classes.",
                f'Give both one type: frame.with_columns(pl.col("label", "prediction").cast(pl.{good}))',
            )

        return Check(rows, beyond, error)


def declared(table: Any, opened: Frame, column: str) -> set[Any]:
    """The classes of a column's type: those of an enum, and true and false.

    Args:
        table: the user's table; in DuckDB the enums of frames are text.
        opened: the same as a frame of the engine, for paths and the like.
        column: the column.
    """
    if enum := order_of_type(table, opened, column):
        return set(enum)
    dtype = values_of(type_in(table, column) or opened.collect_schema()[column])
    return {0, 1} if dtype == pl.Boolean else set()


def in_order(column: str, scale: Sequence[Any] | None, *, numbers: bool) -> list[pl.Expr]:
    """The sort keys that put the classes of a column of a result into their order.

    Args:
        column: the column.
        scale: the classes from low to high, if the user named them.
        numbers: whether text is sorted as numbers, if all of it is numbers.
    """
    if scale is not None:
        places = {str(c): float(i) for i, c in enumerate(scale)}
        place = pl.col(column).cast(pl.String).replace_strict(places, default=None, return_dtype=pl.Float64)
        return [place, pl.col(column)]
    if not numbers:
        return [pl.col(column)]
    text = pl.col(column).cast(pl.String)
    number = pl.when(text.str.contains(NUMBER)).then(text).cast(pl.Float64)
    all_numbers = (number.is_null() & text.is_not_null()).sum() == 0
    return [pl.when(all_numbers).then(number), pl.col(column)]
