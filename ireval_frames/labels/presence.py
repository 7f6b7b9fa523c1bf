"""Checks of items without a label, a row in one of two tables, a probability, or a place on the scale."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import polars as pl

from ireval_frames.columns.suggestions import or_header
from ireval_frames.engines.base import Aggregate, Engine
from ireval_frames.engines.frame import Frame, concat
from ireval_frames.engines.row_checks import Check
from ireval_frames.errors import Argument, Hint, InvalidValue, MismatchedTables, MissingColumn, listed
from ireval_frames.expr import Expr, col, lit
from ireval_frames.items.class_types import as_lists, is_list, type_of_values
from ireval_frames.ratios import indicator


def no_labels(present: Sequence[str]) -> MissingColumn:
    """The error that the labels table has no column of labels."""
    return MissingColumn(
        f"The labels table has no column 'label' (it has: {listed(present, 20)}).",
        or_header(Hint("Name it: ", Argument("label", "their_name")), present),
    )


def no_column(table: str, column: str, argument: str) -> MissingColumn:
    """The error that one of two tables lacks a column."""
    return MissingColumn(
        f"The {table} table has no column {column!r}.", Hint("Name it: ", Argument(argument, "their_name"))
    )


def has_no_label(frame: Frame, column: str) -> Expr:
    """Whether a row has no label.

    A list of nulls alone is no label; an empty list is one: the item is known to have no class.
    """
    values = col(column)
    label = as_lists(frame, column).list.min() if is_list(frame, column) else values
    unlabelled = label.is_null()
    if type_of_values(frame, column).is_float():
        # The minimum of a list is NaN if all its values are.
        unlabelled |= label.is_nan()
    if is_list(frame, column):
        unlabelled = values.is_null() | (unlabelled & (as_lists(frame, column).list.len() > 0))
    return unlabelled


def without_labels(engine: Engine, gold: Frame, item: Sequence[str]) -> Frame:
    """The items that have no label in any row."""
    labelled = Aggregate("labelled", "max", indicator(~col("class_id").is_null()))
    return engine.group(gold, item, [labelled]).filter(col("labelled") == 0)


def others(engine: Engine, frames: Sequence[Frame], items: Frame, item: Sequence[str]) -> list[Frame]:
    """The rows of all other items; `items` are those without labels."""
    marked = (engine.join(frame, items, item, "left").filter(col("labelled").is_null()) for frame in frames)
    return [rows.select(*frame.collect_schema().names()) for rows, frame in zip(marked, frames, strict=True)]


def same_items(engine: Engine, labels: Frame, predictions: Frame, item: Sequence[str]) -> Check:
    """Both tables have the same items."""

    def error(rows: pl.DataFrame, count: int) -> MismatchedTables:
        where = "predictions" if rows["side"][0] == 1.0 else "labels"
        more = f"; {count} items are in one table only" if count > 1 else ""
        return MismatchedTables(
            f"The {where} table lacks the item {rows['item_id'][0]!r}{more}.",
            Hint(
                "Count it without classes there (",
                Argument("policy", "missing=empty"),
                ") or leave it out (",
                Argument("policy", "missing=skip"),
                ").",
            ),
        )

    marked = [f.select(*item, side=lit(side)) for f, side in ((labels, 1.0), (predictions, 2.0))]
    sides = engine.group(concat(marked), item, [Aggregate("side", "sum", col("side"))])
    return Check(sides, col("side") != 3.0, error)


def all_have_probabilities(engine: Engine, item: Sequence[str], labels: Frame, probabilities: Frame) -> Check:
    """The classes of all items have a probability.

    Args:
        engine: where the tables are.
        item: the columns that name an item.
        labels: the classes of the items, as `class_id`.
        probabilities: the probabilities of items and classes.
    """

    def error(rows: pl.DataFrame, count: int) -> MismatchedTables:
        del count
        row = rows.row(0, named=True)
        return MismatchedTables(
            f"The item {row['item_id']!r} has no probability of its class {row['class_id']!r}.",
            Hint("Give it one, or leave such items out: ", Argument("policy", "missing=skip"), "."),
        )

    some = labels.select(*item, "class_id").filter(~col("class_id").is_null())
    known = probabilities.select(*item, "class_id", known=lit(1.0))
    joined = engine.join(some, known, (*item, "class_id"), "left")
    return Check(joined, col("known").is_null(), error)


def within_scale(scale: Sequence[Any], items: Frame, long: Sequence[Frame | None], class_type: Any) -> list[Check]:
    """All classes are on the scale.

    Args:
        scale: the classes from low to high.
        items: single labels and predictions.
        long: sets of labels and of predictions.
        class_type: the type of classes.
    """
    columns = [f.select(value=col("class_id")) for f in long if f is not None]
    if not columns:
        sides = [c for c in ("label", "prediction") if c in items.columns]
        columns = [items.select(value=col(c).cast(class_type)) for c in sides]

    def error(rows: pl.DataFrame, count: int) -> InvalidValue:
        wrong = rows["value"][0]
        return InvalidValue(
            f"{count} labels or predictions are outside of the scale, such as {wrong!r}; the scale is {listed(scale)}.",
            Hint("Name all categories: ", Argument("categories", [*scale, wrong])),
        )

    value = col("value")
    return [Check(frame, ~value.is_null() & ~value.is_in(list(scale)), error) for frame in columns]
