"""Probabilities of classes, and soft labels, in any layout as a long frame: a row per item and class."""

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
from ireval_frames.labels.indicators import type_of_names

CLASS_NAMES = ("class_id", "label", "class")
SOFT = "soft_labels"
PROBABILITY_NAMES = ("probability", "prob", "score")


def is_table(probabilities: Any) -> bool:
    """Whether probabilities are a table of their own; else they are columns of the labels table."""
    if isinstance(probabilities, str):
        return Path(probabilities).is_file()
    columns = isinstance(probabilities, Mapping | Sequence) and not isinstance(probabilities, os.PathLike)
    return probabilities is not None and not columns


def columns_of(probabilities: Any) -> tuple[str, ...]:
    """The columns of the labels table that hold probabilities."""
    if probabilities is None or is_table(probabilities):
        return ()
    if isinstance(probabilities, str):
        return (probabilities,)
    columns = probabilities.values() if isinstance(probabilities, Mapping) else probabilities
    return tuple(column for column in columns if isinstance(column, str))


def named_classes(classes: Any) -> tuple[Any, ...] | None:
    """The classes of a list column.

    Raises:
        InvalidParameter: they are no list of different classes.
    """
    if classes is None:
        return None
    names = () if isinstance(classes, str | Mapping) or not isinstance(classes, Sequence) else tuple(classes)
    if not names or not all(isinstance(c, str | int | float) for c in names) or len(set(names)) < len(names):
        raise InvalidParameter(
            f"probability_classes is {classes!r}; it must be a list of different classes.",
            'Write probability_classes=["cat", "dog"].',
        )
    return names


def type_of_columns(columns: Any, classes: Sequence[Any] | None, frame: Frame) -> Any:
    """The type of the classes that columns of probabilities name; structs and lists of columns name them by text."""
    if isinstance(columns, Mapping):
        return type_of_names(list(columns))
    names_of_list = isinstance(columns, str) and isinstance(frame.collect_schema().get(columns), pl.List | pl.Array)
    return type_of_names(classes) if names_of_list and classes else pl.String


def soft_columns(columns: Any) -> Any:
    """The columns of soft labels.

    Raises:
        InvalidParameter: they are a table of their own.
    """
    if is_table(columns):
        raise InvalidParameter(
            "soft_labels are columns of the labels table, and here they are a table of their own.",
            'Make a column per class: frame.pivot("label", index="item_id", values="probability"), and join it.',
        )
    return columns


def one_table(tables: int) -> None:
    """Refuse soft labels beside a second table of predictions.

    Raises:
        InvalidParameter: there is one.
    """
    if tables == 2:
        raise InvalidParameter(
            "Soft labels are columns of the labels table, and predictions are a table of their own.",
            Hint("Name the predicted probabilities instead: ", Argument("probabilities", ["p_cat", "p_dog"])),
        )


class Wide:
    """Probabilities in the table of items: columns by class, a list of columns, or a column of structs or lists.

    Args:
        columns: the columns as the user names them.
        classes: the classes of a list column.
        frame: the table of items.
        class_type: the type of the labels.
        text: whether columns of text may be numbers, as in files.
        argument: the argument that names them.

    Raises:
        MissingColumn, WrongType, InvalidParameter: a column does not exist, or has another type.
    """

    def __init__(
        self,
        columns: Any,
        classes: Sequence[Any] | None,
        frame: Frame,
        class_type: Any,
        *,
        text: bool,
        argument: str = "probabilities",
    ) -> None:
        self.frame, self.class_type, self.text, self.argument = frame, class_type, text, argument
        self._what = argument.replace("_", " ")
        self.checks: list[Check] = []
        if isinstance(columns, str):
            self.columns = self._nested(self._existing(columns), classes)
        elif isinstance(columns, Mapping | Sequence):
            pairs = columns.items() if isinstance(columns, Mapping) else zip(columns, columns, strict=True)
            self.columns = self._by_class([(c, self._number(self._existing(column))) for c, column in pairs])
        if len(self.columns) < 2:
            raise InvalidParameter(
                f"There are {self._what} of {len(self.columns)} classes; at least two are needed.",
                Hint("A single column of scores: ", Argument("score", "their_name"))
                if self.argument == "probabilities"
                else Hint("Name a column per class: ", Argument(self.argument, ["cat", "dog"])),
            )

    def long(self, item: Mapping[str, Expr]) -> Frame:
        """[item] class_id probability."""
        rows = self.frame.lazy()
        parts = [rows.select(**item, class_id=lit(c), probability=e.cast(pl.Float64)) for c, e in self.columns.items()]
        return concat(parts)

    def _existing(self, column: str) -> str:
        names = list(self.frame.columns)
        if column not in names:
            raise MissingColumn(
                f"The labels table has no column {column!r} (it has: {listed(names, 20)}).",
                f"Name the columns of the {self._what}.",
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
                    Hint("Name these: ", Argument("probability_classes", ["cat", "dog"])),
                )
            values = col(column) if isinstance(dtype, pl.List) else col(column).cast(pl.List(pl.Float64))
            self.checks.append(self._lengths(column, values, len(classes)))
            return self._by_class([(c, values.list.get(i)) for i, c in enumerate(classes)])
        raise WrongType(
            f"Column {column!r} is {dtype}; {self._what} are structs or lists.",
            Hint("Name several columns: ", Argument(self.argument, ["cat", "dog"])),
        )

    def _lengths(self, column: str, values: Expr, n: int) -> Check:
        """All lists have one value per class."""

        def error(rows: pl.DataFrame, count: int) -> InvalidValue:
            del count
            value = "null" if rows["n"][0] is None else f"a list of {rows['n'][0]}"
            return InvalidValue(
                f"Column {column!r} holds {value}, and there are {n} classes.",
                "Give every item a probability of every class.",
            )

        lengths = self.frame.lazy().select(n=values.list.len().cast(pl.Int64))
        return Check(lengths, col("n").is_null() | (col("n") != n), error)

    def _by_class(self, pairs: Sequence[tuple[Any, Expr]]) -> dict[Any, Expr]:
        """The probabilities by class."""
        out: dict[Any, Expr] = {}
        for name, value in pairs:
            of_class = self._named(name)
            if of_class in out:
                raise InvalidParameter(
                    f"{self._what} name the class {of_class!r} twice, also as {name!r}.", "Name every class once."
                )
            out[of_class] = value
        return out

    def _named(self, name: Any) -> Any:
        """A class in the type of the labels; columns are named by text even if classes are numbers."""
        if self.class_type == pl.String:
            return str(name)
        try:
            return literal_class(name, self.class_type, self.argument, text=True)
        except InvalidParameter:
            labels = "numbers" if self.class_type == pl.Float64 else "integers"
            raise InvalidParameter(
                f"The labels are {labels}, and {name!r} is none of them.",
                Hint("Name the class of each column: ", Argument(self.argument, {1: "p_1"})),
            ) from None


class Long:
    """The class and the probability of a long table's rows.

    Args:
        table: the table.
        label: the user's name of the column of classes.
        class_type: the type of the labels.
        text: whether columns of text may be numbers, as in files.

    Raises:
        MissingColumn, WrongType: a column does not exist, or has another type.
    """

    def __init__(self, table: Frame, label: str | None, class_type: Any, *, text: bool) -> None:
        names = list(table.columns)
        class_column = next((n for n in (label, *CLASS_NAMES) if n in names), None)
        if class_column is None:
            raise MissingColumn(
                f"The probabilities table has no column 'label' (it has: {listed(names, 20)}).", "Rename the column."
            )
        probability = next((n for n in PROBABILITY_NAMES if n in names), None)
        if probability is None:
            raise MissingColumn(
                f"The probabilities table has no column 'probability' (it has: {listed(names, 20)}).",
                "Rename the column.",
            )
        self.table, self._class_column = table, class_column
        self.columns = {
            "class_id": col(class_column).cast(class_type),
            "probability": number("probabilities", probability, table.collect_schema()[probability], text=text),
        }
        fractions = table.collect_schema()[class_column].is_float() and class_type.is_integer()
        self.checks = [*exact(table, probability), *([self._integers()] if fractions else [])]

    def _integers(self) -> Check:
        """Classes are no fractions where labels are integers."""
        name, value = self._class_column, col(self._class_column)

        def error(rows: pl.DataFrame, count: int) -> InvalidValue:
            del count
            return InvalidValue(
                f"The labels are integers, and column {name!r} of the probabilities table holds {rows[name][0]!r}.",
                "Name the classes as the labels do.",
            )

        return Check(self.table.lazy().select(name), ~value.is_finite() | (value != value.floor()), error)


def unique_probabilities(frame: Frame, keys: Sequence[str]) -> Check:
    """An item has one probability of a class."""

    def error(rows: pl.DataFrame, count: int) -> DuplicateRows:
        del count
        row = rows.row(0, named=True)
        return DuplicateRows(
            f"The item {row['item_id']!r} has {row['n']} probabilities of the class {row['class_id']!r}.",
            "Keep one row per item and class.",
        )

    return unique_key(frame, (*keys, "class_id"), error)
