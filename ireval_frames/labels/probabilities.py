"""Probabilities of classes, however they are written, as a long frame: a row per item and class."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import polars as pl

from ireval_frames.columns.schema import number
from ireval_frames.engines.frame import Frame, concat
from ireval_frames.engines.row_checks import Check, unique_key
from ireval_frames.errors import (
    Argument,
    DuplicateRows,
    Hint,
    InvalidParameter,
    InvalidValue,
    MissingColumn,
    WrongType,
    listed,
)
from ireval_frames.expr import Expr, col, lit
from ireval_frames.items.checks import exact
from ireval_frames.items.class_types import literal_class

CLASS_NAMES = ("class_id", "label", "class")
PROBABILITY_NAMES = ("probability", "prob", "score")


def is_table(given: Any) -> bool:
    """Whether probabilities are a table of their own; else they are columns of the labels table."""
    if isinstance(given, str):
        return Path(given).is_file()
    return given is not None and (isinstance(given, os.PathLike) or not isinstance(given, Mapping | Sequence))


def columns_of(given: Any) -> tuple[str, ...]:
    """The columns of the labels table that hold probabilities."""
    if given is None or is_table(given):
        return ()
    named = (given,) if isinstance(given, str) else given.values() if isinstance(given, Mapping) else given
    return tuple(column for column in named if isinstance(column, str))


def named_classes(given: Any) -> tuple[Any, ...] | None:
    """The classes of a list column.

    Raises:
        InvalidParameter: they are no list of different classes.
    """
    if given is None:
        return None
    names = () if isinstance(given, str | Mapping) or not isinstance(given, Sequence) else tuple(given)
    if not names or not all(isinstance(c, str | int | float) for c in names) or len(set(names)) < len(names):
        raise InvalidParameter(
            f"probability_classes is {given!r}; it must be a list of different classes.",
            'Write probability_classes=["cat", "dog"].',
        )
    return names


class Wide:
    """Probabilities in the table of items: columns by class, a list of columns, or a column of structs or lists.

    Args:
        given: what was handed in.
        classes: the classes of a list column.
        frame: the table of items.
        class_type: the type of the labels.
        text: whether columns of text may be numbers, as in files.

    Raises:
        MissingColumn, WrongType, InvalidParameter: what is named is not there, or is something else.
    """

    def __init__(self, given: Any, classes: Sequence[Any] | None, frame: Frame, class_type: Any, *, text: bool) -> None:
        self.frame, self.class_type, self.text = frame, class_type, text
        self.checks: list[Check] = []
        if isinstance(given, str):
            self.columns = self._nested(self._there(given), classes)
        elif isinstance(given, Mapping | Sequence):
            pairs = given.items() if isinstance(given, Mapping) else zip(given, given, strict=True)
            self.columns = self._by_class([(c, self._number(self._there(column))) for c, column in pairs])
        if len(self.columns) < 2:
            raise InvalidParameter(
                f"There are probabilities of {len(self.columns)} classes; at least two are needed.",
                Hint("A single column of scores: ", Argument("score", "their_name")),
            )

    def long(self, item: Mapping[str, Expr]) -> Frame:
        """[item] class_id probability."""
        rows = self.frame.lazy()
        parts = [rows.select(**item, class_id=lit(c), probability=e.cast(pl.Float64)) for c, e in self.columns.items()]
        return concat(parts)

    def _there(self, column: str) -> str:
        names = list(self.frame.columns)
        if column not in names:
            raise MissingColumn(
                f"The labels table has no column {column!r} (it has: {listed(names, 20)}).",
                "Name the columns of the probabilities.",
            )
        return column

    def _number(self, column: str) -> Expr:
        self.checks += exact(self.frame, column)
        return number("labels", column, self.frame.collect_schema()[column], text=self.text)

    def _nested(self, column: str, classes: Sequence[Any] | None) -> dict[Any, Expr]:
        dtype = self.frame.collect_schema()[column]
        if isinstance(dtype, pl.Struct):
            return self._by_class([(f.name, col(column).struct.field(f.name)) for f in dtype.fields])
        if isinstance(dtype, pl.List | pl.Array):
            if classes is None:
                raise InvalidParameter(
                    f"Column {column!r} holds lists, which do not name their classes.",
                    Hint("Say them: ", Argument("probability_classes", ["cat", "dog"])),
                )
            values = col(column) if isinstance(dtype, pl.List) else col(column).cast(pl.List(pl.Float64))
            self.checks.append(self._lengths(column, values, len(classes)))
            return self._by_class([(c, values.list.get(i)) for i, c in enumerate(classes)])
        raise WrongType(
            f"Column {column!r} is {dtype}; probabilities are structs or lists.",
            Hint("Name several columns: ", Argument("probabilities", ["cat", "dog"])),
        )

    def _lengths(self, column: str, values: Expr, wanted: int) -> Check:
        """Lists are as long as the classes are many."""

        def error(rows: pl.DataFrame, count: int) -> InvalidValue:
            del count
            held = "null" if rows["n"][0] is None else f"a list of {rows['n'][0]}"
            return InvalidValue(
                f"Column {column!r} holds {held}, and there are {wanted} classes.",
                "Give every item a probability of every class.",
            )

        lengths = self.frame.lazy().select(n=values.list.len().cast(pl.Int64))
        return Check(lengths, col("n").is_null() | (col("n") != wanted), error)

    def _by_class(self, pairs: Sequence[tuple[Any, Expr]]) -> dict[Any, Expr]:
        """The probabilities by class."""
        out: dict[Any, Expr] = {}
        for name, value in pairs:
            of_class = self._named(name)
            if of_class in out:
                raise InvalidParameter(
                    f"probabilities name the class {of_class!r} twice, also as {name!r}.", "Name every class once."
                )
            out[of_class] = value
        return out

    def _named(self, name: Any) -> Any:
        """A class in the type of the labels: columns are named by text even where classes are numbers."""
        if self.class_type == pl.String:
            return str(name)
        try:
            return literal_class(name, self.class_type, "probabilities", text=True)
        except InvalidParameter:
            kind = "numbers" if self.class_type == pl.Float64 else "integers"
            raise InvalidParameter(
                f"The labels are {kind}, and {name!r} is none of them.",
                Hint("Say which columns are which: ", Argument("probabilities", {1: "p_1"})),
            ) from None


class Long:
    """The class and the probability of a long table's rows.

    Args:
        table: the table.
        label: what the user calls the column of classes.
        class_type: the type of the labels.
        text: whether columns of text may be numbers, as in files.

    Raises:
        MissingColumn, WrongType: it has no such column, or one of another type.
    """

    def __init__(self, table: Frame, label: str | None, class_type: Any, *, text: bool) -> None:
        names = list(table.columns)
        of_class = next((n for n in (label, *CLASS_NAMES) if n in names), None)
        if of_class is None:
            raise MissingColumn(
                f"The probabilities table has no column 'label' (it has: {listed(names, 20)}).", "Rename the column."
            )
        chance = next((n for n in PROBABILITY_NAMES if n in names), None)
        if chance is None:
            raise MissingColumn(
                f"The probabilities table has no column 'probability' (it has: {listed(names, 20)}).",
                "Rename the column.",
            )
        self.table, self.of_class = table, of_class
        self.columns = {
            "class_id": col(of_class).cast(class_type),
            "probability": number("probabilities", chance, table.collect_schema()[chance], text=text),
        }
        fractions = table.collect_schema()[of_class].is_float() and class_type.is_integer()
        self.checks = [*exact(table, chance), *([self._whole()] if fractions else [])]

    def _whole(self) -> Check:
        """Classes are no fractions where labels are integers."""
        name, value = self.of_class, col(self.of_class)

        def error(rows: pl.DataFrame, count: int) -> InvalidValue:
            del count
            return InvalidValue(
                f"The labels are integers, and column {name!r} of the probabilities table holds {rows[name][0]!r}.",
                "Name the classes as the labels do.",
            )

        return Check(self.table.lazy().select(name), ~value.is_finite() | (value != value.floor()), error)


def one_each(frame: Frame, keys: Sequence[str]) -> Check:
    """An item has one probability of a class."""

    def error(rows: pl.DataFrame, count: int) -> DuplicateRows:
        del count
        row = rows.row(0, named=True)
        return DuplicateRows(
            f"The item {row['item_id']!r} has {row['n']} probabilities of the class {row['class_id']!r}.",
            "Keep one row per item and class.",
        )

    return unique_key(frame, (*keys, "class_id"), error)
