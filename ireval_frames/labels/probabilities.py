"""Probabilities of classes, however they are written, as a long frame: a row per item and class."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import narwhals.stable.v2 as nw

from ireval_frames import io
from ireval_frames.engines.base import Engine
from ireval_frames.engines.sources import Frame, Source, names_of, opened
from ireval_frames.errors import InvalidParameter, MissingColumn, WrongType, listed


def long(
    given: Any, frame: Frame, item: Mapping[str, nw.Expr], keys: Sequence[str], class_type: Any, engine: Engine, classes: Sequence[Any] | None
) -> nw.LazyFrame:
    """[keys, item_id] class_id probability.

    Args:
        given: columns by class, a list of columns, the name of a struct or list column, or a long table.
        frame: the table of items.
        item: the keys and the item's id, from the table of items.
        keys: the names of these.
        class_type: the type of the labels.
        engine: where the plan runs.
        classes: the classes of a list column.

    Raises:
        MissingColumn, WrongType, InvalidParameter: what is named is not there, or is something else.
    """
    if isinstance(given, Mapping):
        return _stacked(frame, item, {_named(c, class_type): nw.col(_there(frame, column)) for c, column in given.items()})
    if isinstance(given, str):
        return _stacked(frame, item, _nested(frame, _there(frame, given), class_type, classes))
    if isinstance(given, Sequence):
        return _stacked(frame, item, {_named(column, class_type): nw.col(_there(frame, column)) for column in given})
    table = opened(Source(given, "probabilities", io.scan_table), engine)
    names = names_of(table)
    label = next((n for n in ("class_id", "label", "class") if n in names), None)
    for column in (*keys, "probability"):
        if column not in names:
            raise MissingColumn(f"The probabilities table has no column {column!r} (it has: {listed(names, 20)}).", "Rename the column.")
    if label is None:
        raise MissingColumn(f"The probabilities table has no column 'label' (it has: {listed(names, 20)}).", "Rename the column.")
    return table.lazy().select(*keys, class_id=nw.col(label).cast(class_type), probability=nw.col("probability").cast(nw.Float64))


def _stacked(frame: Frame, item: Mapping[str, nw.Expr], columns: Mapping[Any, nw.Expr]) -> nw.LazyFrame:
    if len(columns) < 2:
        raise InvalidParameter(f"There are probabilities of {len(columns)} classes; at least two are needed.", "A single column of scores is score=…")
    rows = frame.lazy()
    return nw.concat([rows.select(**item, class_id=nw.lit(c), probability=e.cast(nw.Float64)) for c, e in columns.items()], how="vertical")


def _there(frame: Frame, column: str) -> str:
    names = names_of(frame)
    if column not in names:
        raise MissingColumn(f"The labels table has no column {column!r} (it has: {listed(names, 20)}).", "Name the columns of the probabilities.")
    return column


def _nested(frame: Frame, column: str, class_type: Any, classes: Sequence[Any] | None) -> dict[Any, nw.Expr]:
    dtype = frame.collect_schema()[column]
    if isinstance(dtype, nw.Struct):
        return {_named(f.name, class_type): nw.col(column).struct.field(f.name) for f in dtype.fields}
    if isinstance(dtype, nw.List | nw.Array):
        if classes is None:
            raise InvalidParameter(f"Column {column!r} holds lists, which do not name their classes.", 'Say them: classes=["cat", "dog"]')
        values = nw.col(column) if isinstance(dtype, nw.List) else nw.col(column).cast(nw.List(nw.Float64))
        return {_named(c, class_type): values.list.get(i) for i, c in enumerate(classes)}
    raise WrongType(f"Column {column!r} is {dtype}; probabilities are structs or lists.", "Name several columns: probabilities=['cat', 'dog']")


def _named(name: Any, class_type: Any) -> Any:
    """A class in the type of the labels: columns are named by text even where classes are numbers."""
    if class_type == nw.String:
        return str(name)
    try:
        return float(name) if class_type == nw.Float64 else int(name)
    except (TypeError, ValueError):
        raise InvalidParameter(
            f"The labels are numbers, and {name!r} is none of them.", 'Say which columns are which: probabilities={1: "p_1"}'
        ) from None
