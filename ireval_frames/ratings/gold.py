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
    frame = gold_frame(gold)
    units = pl.DataFrame({"unit": of.units}).with_row_index("at")
    labels = pl.DataFrame({"label": of.categories}).with_row_index("category")
    try:
        here = units.join(frame.cast({"unit": of.units.dtype}), on="unit", maintain_order="left")
        found = here.with_columns(pl.col("label").cast(of.categories.dtype)).join(labels, on="label", how="left")
    except pl.exceptions.PolarsError:
        raise InvalidParameter(
            f"The units or labels of gold are not of the types of the ratings ({of.units.dtype}, "
            f"{of.categories.dtype}).",
            'Cast them: gold.with_columns(pl.col("label").cast(…))',
        ) from None
    if found["category"].null_count():
        raise InvalidValue(
            f"The label {found.filter(pl.col('category').is_null())['label'][0]!r} of gold is none of the categories: "
            f"{listed(of.categories)}.",
            "Say all categories: ir.Ratings(…, categories=[…])",
        )
    out = np.full(len(of.units), -1)
    out[found["at"].to_numpy()] = found["category"].to_numpy()
    return out
