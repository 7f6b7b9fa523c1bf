"""What names classes and clusters: the types of their columns, and classes that a user names."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import polars as pl

from ireval_frames.columns.exact_numbers import one_zero
from ireval_frames.columns.schema import UNTYPED
from ireval_frames.engines.frame import Frame
from ireval_frames.engines.inputs.frames import type_in
from ireval_frames.errors import Argument, Hint, InvalidParameter, MismatchedTables, WrongType
from ireval_frames.expr import Expr, col, when

# Integers that 64 bits with a sign do not hold.
WIDER = (pl.UInt64, pl.Int128, pl.UInt128)


def type_of_values(frame: Frame, column: str) -> Any:
    """The column's type, or that of what its lists hold."""
    return values_of(frame.collect_schema()[column])


def values_of(dtype: Any) -> Any:
    """A type, or the type of the values of its lists."""
    return dtype.inner if isinstance(dtype, pl.List | pl.Array) else dtype


def is_list(frame: Frame, column: str | None) -> bool:
    """Whether the column holds lists."""
    return column is not None and isinstance(frame.collect_schema()[column], pl.List | pl.Array)


def as_lists(frame: Frame, column: str) -> Expr:
    """A column of lists, or of arrays as lists."""
    dtype = frame.collect_schema()[column]
    return col(column).cast(pl.List(dtype.inner)) if isinstance(dtype, pl.Array) else col(column)


def class_type(types: Mapping[str, Any], columns: Mapping[str, str], tables: Mapping[str, str] | None = None) -> Any:
    """The type in which the labels of all columns can be compared.

    Args:
        types: the types of columns.
        columns: the user's names of the columns, for errors.
        tables: the tables that they are in, if these are several.

    Raises:
        WrongType: a column holds no labels.
        MismatchedTables: one has text, the other numbers.
    """
    kinds = {side: _label_type(dtype, columns.get(side, side)) for side, dtype in types.items()}
    if len(set(kinds.values())) == 1:
        return next(iter(kinds.values()))
    if set(kinds.values()) == {pl.Int64, pl.UInt64}:
        return pl.Int64
    if pl.String in kinds.values():
        text = next(s for s, k in kinds.items() if k == pl.String)
        number = next(s for s, k in kinds.items() if k != pl.String)
        of_text, of_number = (f" of the {tables[s]} table" if tables else "" for s in (text, number))
        text, number = columns.get(text, text), columns.get(number, number)
        raise MismatchedTables(
            f"Column {text!r}{of_text} holds text and column {number!r}{of_number} holds numbers, so none is equal.",
            f'Give both one type: frame.with_columns(pl.col("{number}").cast(pl.String))',
        )
    return pl.Float64


def side_type(dtype: Any, column: str) -> Any:
    """The type of classes, or clusters, that are compared among themselves: integers may stay wide.

    Raises:
        WrongType: the column holds no labels.
    """
    return dtype if dtype in WIDER else _label_type(dtype, column)


def named_by(value: Expr, dtype: Any) -> Expr:
    """The name of a class or cluster, in its type: NaN is none, and −0 is 0."""
    value = value.cast(dtype)
    return when(~value.is_nan()).then(one_zero(value)) if dtype.is_float() else value


def _label_type(dtype: Any, column: str) -> Any:
    if dtype in (pl.String, *UNTYPED) or isinstance(dtype, pl.Categorical | pl.Enum):
        return pl.String
    if dtype == pl.UInt64:
        return pl.UInt64
    if dtype.is_integer() or dtype == pl.Boolean:
        return pl.Int64
    if dtype.is_float():
        return pl.Float64
    convert = f' Convert it: frame.with_columns(pl.col("{column}").cast(pl.Float64))' if dtype.is_decimal() else ""
    raise WrongType(
        f"Column {column!r} is {dtype}, which cannot be a label.",
        f"Labels are text, integers, floats or booleans, or lists of them.{convert}",
    )


def literal_class(
    value: Any, dtype: Any, where: str, *, text: bool = False, line: Callable[[Any], Argument] | None = None
) -> Any:
    """A class that the user names, in the type of the classes.

    Args:
        value: the class.
        dtype: the type of the classes.
        where: the argument that names it, for errors.
        text: numbers are written as text, too, as on a command line.
        line: the argument to write with another class in its place; by default with that class alone.

    Raises:
        InvalidParameter: it is text among numbers, a number among text, a fraction among integers, or neither.
    """
    line = line or (lambda example: Argument(where, [example] if where in ("classes", "types") else example))
    if text and dtype != pl.String:
        value = read_number(value)

    if isinstance(value, str) and dtype == pl.String:
        return value
    if not isinstance(value, str) and dtype != pl.String:
        try:
            number = float(value) if dtype == pl.Float64 else int(value)
        except (TypeError, ValueError, OverflowError):
            number = math.nan
        beyond = 2**64 if dtype == pl.UInt64 else 2**63
        if not (math.isfinite(number) if dtype == pl.Float64 else -(2**63) <= number < beyond):
            raise InvalidParameter(
                f"{where} is {value!r}, which cannot be a class.", Hint("Write the number: ", line(1))
            )
        if number != value:
            raise InvalidParameter(
                f"{where} is {value!r}, but the classes are integers.", Hint("Write ", line(number), ".")
            )
        return number
    values = "text" if dtype == pl.String else "numbers"
    raise InvalidParameter(
        f"{where} names the class {value!r}, but the labels are {values}.",
        Hint("Write ", line("text" if value is None else str(value)), ".") if values == "text" else "Write the number.",
    )


def scale(categories: Sequence[Any], dtype: Any, *, text: bool = False) -> tuple[Any, ...]:
    """Categories from low to high, in the type of the classes.

    Args:
        categories: the categories.
        dtype: the type of the classes.
        text: text may be numbers, as in files of text.

    Raises:
        InvalidParameter: there are fewer than two, one is named twice, or has another type.
    """
    if isinstance(categories, str) or not isinstance(categories, Iterable) or len(names := list(categories)) < 2:
        raise InvalidParameter(
            f"categories is {categories!r}; a scale has two categories or more.",
            Hint("Write ", Argument("categories", [0, 1, 2]), "."),
        )
    if text and dtype == pl.String:
        names = [c if isinstance(c, str) else str(c) for c in names]
    if dtype == pl.String and (numbers := [c for c in names if not isinstance(c, str)]):
        raise InvalidParameter(
            f"categories names {numbers[0]!r}, but the labels are text.",
            Hint("Write ", Argument("categories", list(map(str, names))), "."),
        )
    out = [literal_class(c, dtype, "categories", text=text) for c in names]
    if twice := [c for i, c in enumerate(out) if c in out[:i]]:
        raise InvalidParameter(f"categories names {twice[0]!r} twice.", "Name each category once.")
    return tuple(out)


def order_of_type(table: Any, opened: Frame, column: str) -> tuple[str, ...]:
    """The categories of an enum in their order; none of other types.

    Args:
        table: the user's table: in DuckDB the enums of frames are text.
        opened: the same as a frame of the engine, for tables that are no frames, such as paths.
        column: the column.
    """
    dtype = values_of(type_in(table, column) or opened.collect_schema()[column])
    return tuple(dtype.categories) if isinstance(dtype, pl.Enum) else ()


def read_number(value: Any) -> Any:
    """Text of a number as that number, of whole ones as integers of any size; anything else unchanged."""
    for number_type in (int, float):
        try:
            return number_type(value) if isinstance(value, str) else value
        except ValueError:
            continue
    return value
