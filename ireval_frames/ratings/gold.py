"""Units whose label is known."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

import numpy as np
import polars as pl

from ireval_frames.crowds.answers import Whole
from ireval_frames.errors import InvalidParameter, InvalidValue, MissingColumn, listed
from ireval_frames.io.any_table import scan_table
from ireval_frames.ratings.coded import Coded

LABELS = ("label", "rating", "gold", "answer", "relevance", "value")


def gold_frame(gold: Any) -> pl.DataFrame:
    """The known labels as a frame of unit and label, from a frame, a file or a mapping.

    Raises:
        InvalidParameter: it is neither.
        MissingColumn: the frame has no unit or label.
        InvalidValue: a unit has two labels.
    """
    if isinstance(gold, str | os.PathLike):
        gold = scan_table(gold)
    if isinstance(gold, Mapping):
        made = pl.DataFrame({"unit": list(gold), "label": list(gold.values())})
    elif isinstance(gold, pl.DataFrame | pl.LazyFrame):
        frame = gold.lazy().collect()
        unit = next((c for c in ("unit_id", "unit", "item_id", "doc_id", "task") if c in frame.columns), None)
        label = next((c for c in LABELS if c in frame.columns), None)
        if unit is None or label is None:
            raise MissingColumn(
                f"The gold table has no column {'unit_id' if unit is None else 'label'!r} (it has: "
                f"{listed(frame.columns, 20)}).",
                "Rename its columns to unit_id and label.",
            )
        made = frame.select(unit=unit, label=label).drop_nulls()
    else:
        raise InvalidParameter(
            f"gold is of type {type(gold).__name__}.", "Hand in a frame or a file of unit_id and label, or a mapping."
        )
    made = made.unique(maintain_order=True)
    if made["unit"].is_duplicated().any():
        raise InvalidValue(
            f"The unit {made.filter(made['unit'].is_duplicated())['unit'][0]!r} has several labels in gold.",
            "Keep one of them.",
        )
    return made


def known(gold: Any, of: Coded) -> Whole:
    """Of each unit of a group which category is known, −1 where none is.

    Raises:
        InvalidValue: a label is none of the categories.
    """
    one = pl.lit(0, pl.Int64)
    return known_in(gold, *(pl.DataFrame({"id": ids}).with_columns(group=one) for ids in (of.units, of.categories)))


def known_in(gold: Any, units: pl.DataFrame, categories: pl.DataFrame) -> Whole:
    """Of each unit which category of its group is known, −1 where none is.

    Args:
        gold: as of `gold_frame`.
        units: a frame of `group` and `id`.
        categories: a frame of `group` and `id`, those of a group one after another.

    Raises:
        InvalidValue: a label is none of the categories of the group.
    """
    frame, kinds = gold_frame(gold), (units.schema["id"], categories.schema["id"])
    labels = categories.select("group", label="id", category=pl.int_range(pl.len()).over("group"))
    try:
        of_type = frame.cast({"unit": kinds[0]})
        here = units.select("group", unit="id").with_row_index("at").join(of_type, on="unit", maintain_order="left")
        found = here.with_columns(pl.col("label").cast(kinds[1])).join(labels, on=["group", "label"], how="left")
    except pl.exceptions.PolarsError:
        raise InvalidParameter(
            f"The units or labels of gold are not of the types of the ratings ({kinds[0]}, {kinds[1]}).",
            'Cast them: gold.with_columns(pl.col("label").cast(…))',
        ) from None
    if found["category"].null_count():
        wrong = found.filter(pl.col("category").is_null()).row(0, named=True)
        own = categories.filter(pl.col("group") == wrong["group"])["id"]
        raise InvalidValue(
            f"The label {wrong['label']!r} of gold is none of the categories: {listed(own)}.",
            "Say all categories: ir.Ratings(…, categories=[…])",
        )
    out = np.full(units.height, -1)
    out[found["at"].to_numpy()] = found["category"].to_numpy()
    return out
