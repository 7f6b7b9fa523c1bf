"""The places of classes on their scale, for measures that read the order of classes alone."""

from __future__ import annotations

import polars as pl

from ireval_frames.errors import Argument, Hint, NotDefined
from ireval_frames.expr import Expr, col, lit, when
from ireval_frames.labels.classes import NUMBER
from ireval_frames.labels.tables import LabelTables
from ireval_frames.plan import Table


def place_of_classes(tables: LabelTables) -> Expr:
    """The place of each class: on the scale, or among the classes that occur.

    Raises:
        NotDefined: classes are text, and their order is not known.
    """
    scale, classes = tables.inputs.scale, tables.classes
    if scale is not None:
        place: Expr = lit(None, dtype=pl.Float64)
        for at, one in enumerate(scale, 1):
            place = when(col("class_id") == one).then(float(at)).otherwise(place)
        return classes.column(place, "place")
    if tables.inputs.class_type == pl.String:
        error = NotDefined(
            f"{tables.plan.requested_by} needs the order of classes, and text has none by itself.",
            Hint("Write it, from low to high: ", Argument("categories", ["bad", "fair", "good"])),
        )
        if not (tables.inputs.from_file or tables.plan.engine.classes_as_text):
            raise error
        # Numbers of text files are text.
        tables.plan.require(classes, ~col("class_id").str.contains(NUMBER), lambda *_: error)
    count = col("class_id").cum_count().cast(pl.Float64)
    return classes.over(count, tables.keys, tables.class_order(), "place")


def at_sides(tables: LabelTables, name: str, **columns: Expr) -> tuple[Table, Table]:
    """Columns of the classes by the label and by the prediction of a cell, from which cells look them up."""
    sides = []
    for side in ("label", "prediction"):
        of = tables.of_class(side).name
        key = (*tables.keys, of)
        sides.append(tables.plan.selected(f"{name}_of_{side}", key, tables.classes, **{of: col("class_id"), **columns}))
    return sides[0], sides[1]
