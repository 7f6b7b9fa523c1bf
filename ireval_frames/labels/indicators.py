"""Sets of labels as indicator columns: a column of 0 and 1 per class."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import polars as pl

from ireval_frames.columns.schema import number
from ireval_frames.engines.frame import Frame, concat
from ireval_frames.engines.row_checks import Check
from ireval_frames.errors import Argument, Hint, InvalidParameter, InvalidValue, MissingColumn, WrongType, listed
from ireval_frames.expr import Expr, col, lit, when
from ireval_frames.items.class_types import literal_class

# 1 and 0 in text files.
ONE, ZERO = ["1", "1.0", "true"], ["0", "0.0", "false"]
# The columns of each side, by class.
Columns = Mapping[str, Mapping[Any, str]]


def indicator_columns(label: Any, prediction: Any) -> dict[str, dict[Any, str]]:
    """The indicator columns of labels and predictions by class, for sides that are several columns.

    Two lists of columns are in the same order of classes, which are named like the columns of the labels.

    Raises:
        InvalidParameter: they are no columns, or the lists have different lengths.
    """
    sides = {side: _read(side, of) for side, of in (("label", label), ("prediction", prediction)) if _several(of)}
    if len(sides) == 2 and not isinstance(label, Mapping) and not isinstance(prediction, Mapping):
        one, other = (list(columns.values()) for columns in sides.values())
        if len(one) != len(other):
            raise InvalidParameter(
                f"label= has {len(one)} columns and prediction= {len(other)}; classes must be in the same order.",
                Hint("Name their classes: ", *_both(one, other)),
            )
        sides["prediction"] = dict(zip(one, other, strict=True))
    return sides


def _several(columns: Any) -> bool:
    return columns is not None and not isinstance(columns, str)


def _read(side: str, value: Any) -> dict[Any, str]:
    columns = (
        list(value.items())
        if isinstance(value, Mapping)
        else [(c, c) for c in value]
        if isinstance(value, Sequence)
        else []
    )
    names = [column for _, column in columns]
    if not columns or not all(isinstance(n, str) for n in names) or len({*names}) < len(names):
        raise InvalidParameter(
            f"{side} is {value!r}; it is the name of a column, or names the column of each class, once.",
            Hint("Write ", Argument(side, {"cat": f"{side}_cat", "dog": f"{side}_dog"}), "."),
        )
    return dict(columns)


class Indicators:
    """The indicator columns of one side.

    Args:
        side: label or prediction.
        columns: by class.
        frame: the table of items.
        text: whether columns of text may be numbers, as in files.

    Raises:
        MissingColumn, WrongType: a column does not exist, or holds no numbers.
    """

    def __init__(self, side: str, columns: Mapping[Any, str], frame: Frame, *, text: bool) -> None:
        self.side, self.columns = side, columns
        self.checks: list[Check] = []
        self._flags: dict[Any, Expr] = {}
        schema, present = frame.collect_schema(), list(frame.columns)
        for of, column in columns.items():
            if column not in present:
                raise MissingColumn(
                    f"The labels table has no column {column!r} (it has: {listed(present, 20)}).",
                    Hint("Name existing columns: ", Argument(side, _existing(columns, present))),
                )
            if text and schema[column] == pl.String:
                text_value = col(column).str.to_lowercase()
                self._flags[of] = when(text_value.is_in(ONE)).then(1.0).when(text_value.is_in(ZERO)).then(0.0)
            elif schema[column] == pl.Boolean:
                self._flags[of] = when(col(column)).then(1.0).when(~col(column)).then(0.0)
            elif isinstance(schema[column], pl.List | pl.Array):
                raise WrongType(
                    f"Column {column!r} of the labels table holds lists; an indicator is 0 or 1.",
                    Hint("A column of lists is named by itself: ", Argument(side, column)),
                )
            else:
                self._flags[of] = number("labels", column, schema[column], allowed="0 and 1")
            self.checks.append(self._zero_or_one(frame, column, self._flags[of]))

    def _zero_or_one(self, frame: Frame, column: str, flag: Expr) -> Check:
        def error(rows: pl.DataFrame, count: int) -> InvalidValue:
            first = rows["value"][0]
            line = ".fill_null(0)" if first is None else " > 0" if not isinstance(first, str) else ' == "yes"'
            return InvalidValue(
                f"Column {column!r} of the labels table holds {first} ({count} rows are neither 0 nor 1).",
                f'Make it one of them: frame.with_columns(pl.col("{column}"){line})',
            )

        values = frame.lazy().select(value=col(column), flag=flag.cast(pl.Float64))
        flags = col("flag")
        return Check(values, flags.is_null() | ((flags != 0.0) & (flags != 1.0)), error)

    def long(self, frame: Frame, item: Mapping[str, Expr], class_type: Any) -> Frame:
        """[item] class_id: a row per class of an item."""
        rows = []
        for of, flag in self._flags.items():
            class_id = lit(_named(self.side, of, class_type)).cast(class_type)
            rows.append(frame.lazy().select(**item, class_id=class_id, flag=flag.cast(pl.Float64)))
        return concat(rows).filter(col("flag") == 1.0).drop("flag")


def indicators(columns: Columns, frame: Frame, predictions: Any, *, text: bool) -> dict[str, Indicators]:
    """The sides that are columns of 0 and 1.

    Args:
        columns: those of each side.
        frame: the table of items.
        predictions: a second table, of predictions.
        text: whether columns of text may be numbers, as in files.

    Raises:
        InvalidParameter: there are columns of 0 and 1, and a second table.
    """
    if columns and predictions is not None:
        raise InvalidParameter(
            "Indicator columns need one table, and there are two.",
            'Join them, and name both sides\' columns: labels.join(predictions, on="item_id").',
        )
    return {side: Indicators(side, by_class, frame, text=text) for side, by_class in columns.items()}


def type_of_names(names: Collection[Any]) -> Any:
    """The type of named classes: text, integers, or numbers.

    Raises:
        InvalidParameter: some are text and some are numbers.
    """
    if all(isinstance(n, str) for n in names):
        return pl.String
    if any(isinstance(n, str) or not isinstance(n, int | float) for n in names):
        raise InvalidParameter(
            f"The classes {listed(map(repr, names))} are of several types.", "Name all by text, or all by numbers."
        )
    return pl.Int64 if all(isinstance(n, int) for n in names) else pl.Float64


def _both(one: Sequence[str], other: Sequence[str]) -> list[str | Argument]:
    """The arguments that name the classes of both lists of columns."""
    named = {c: c for c in one}, dict(zip([*one, *other[len(one) :]], other, strict=False))
    return [Argument("label", named[0]), ", ", Argument("prediction", named[1])]


def _existing(columns: Mapping[Any, str], present: Sequence[str]) -> Any:
    return {of: c for of, c in columns.items() if c in present} or {"cat": "their_name"}


def _named(side: str, of: Any, class_type: Any) -> Any:
    """A class in the type of the labels; columns are named by text even if classes are numbers."""
    return str(of) if class_type == pl.String else literal_class(of, class_type, side, text=True)
