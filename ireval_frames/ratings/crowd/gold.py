"""Units whose label is known."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import polars as pl

from ireval_frames.crowds.answers import Whole
from ireval_frames.errors import (
    Argument,
    Code,
    Hint,
    InvalidParameter,
    InvalidValue,
    MissingColumn,
    OverlapWarning,
    listed,
    warn,
)
from ireval_frames.io.any_table import scan_table
from ireval_frames.overlap import LOOKED_AT, Side, nothing_in_common
from ireval_frames.ratings.coded import Coded

UNITS = ("unit_id", "unit", "item_id", "doc_id", "task")
LABELS = ("label", "rating", "gold", "answer", "relevance", "value")


@dataclass(frozen=True)
class _Mapped(Side):
    """The units of a mapping."""

    def rewritten(self, change: str, words: str) -> Code:
        """The line that changes them."""
        frame = 'pl.DataFrame({"unit_id": list(gold), "label": list(gold.values())})'
        return Code(f'{frame}.with_columns(pl.col("unit_id"){change})', f"{words} in the units of gold")


def gold_of(gold: Any, units: pl.Series, column: str) -> pl.DataFrame:
    """The known labels as a frame of unit and label, from a frame, a file or a mapping; some are of these units.

    Args:
        gold: as users hand it in.
        units: the units that are rated.
        column: what the user calls their column.

    Raises:
        InvalidParameter: it is neither, or its units are of another type.
        MissingColumn: the frame has no unit or label.
        InvalidValue: a unit has two labels.
        NothingInCommon: it knows no unit that is rated.
    """
    frame, side = _read(gold)
    if not len(units):
        return frame
    try:
        typed = frame.cast({"unit": units.dtype}).drop_nulls("unit")
    except pl.exceptions.PolarsError:
        raise _other_types(units.dtype) from None
    met = typed["unit"].is_in(units.implode())
    if not met.any():
        ids = units.unique().sort()
        raise nothing_in_common(
            "Gold knows no unit that is rated",
            replace(side, ids=frame["unit"].head(LOOKED_AT).to_list(), count=frame.height),
            Side("ratings", column, ids.head(LOOKED_AT).to_list(), len(ids)),
        )
    if 2 * met.sum() < len(met):
        strange = typed.filter(~met)["unit"].to_list()
        warn(
            f"Gold knows {len(met)} units, of which {met.sum()} are rated; not: {listed(map(repr, strange), 3)}.",
            OverlapWarning,
        )
    return typed


def _read(gold: Any) -> tuple[pl.DataFrame, Side]:
    """Gold as a frame, and what its units are called."""
    if isinstance(gold, str | os.PathLike):
        gold = scan_table(gold)
    side: Side = _Mapped("gold", "unit_id", ())
    if isinstance(gold, Mapping):
        try:
            made = pl.DataFrame({"unit": list(gold), "label": list(gold.values())})
        except (TypeError, pl.exceptions.PolarsError):
            raise InvalidParameter(
                "The units of gold, or its labels, are of several types.", "Write all as text, or all as numbers."
            ) from None
    elif isinstance(gold, pl.DataFrame | pl.LazyFrame):
        frame = gold.lazy().collect()
        unit = next((c for c in UNITS if c in frame.columns), None)
        label = next((c for c in LABELS if c in frame.columns), None)
        if unit is None or label is None:
            raise MissingColumn(
                f"The gold table has no column {'unit_id' if unit is None else 'label'!r} (it has: "
                f"{listed(frame.columns, 20)}).",
                "Rename its columns to unit_id and label.",
            )
        made, side = frame.select(unit=unit, label=label), Side("gold", unit, ())
    else:
        raise InvalidParameter(
            f"gold is of type {type(gold).__name__}.", "Hand in a frame or a file of unit_id and label, or a mapping."
        )
    made = made.drop_nulls().unique(maintain_order=True)
    if made["unit"].is_duplicated().any():
        raise InvalidValue(
            f"The unit {made.filter(made['unit'].is_duplicated())['unit'][0]!r} has several labels in gold.",
            "Keep one of them.",
        )
    return made, side


def _other_types(*kinds: Any) -> InvalidParameter:
    return InvalidParameter(
        f"The units or labels of gold are not of the types of the ratings ({', '.join(map(str, kinds))}).",
        'Cast them: gold.with_columns(pl.col("label").cast(…))',
    )


def known(gold: pl.DataFrame, of: Coded) -> Whole:
    """Of each unit of a group which category is known, −1 where none is.

    Args:
        gold: as `gold_of` makes it.
        of: the ratings of the group.

    Raises:
        InvalidValue: a label is none of the categories.
    """
    one = pl.lit(0, pl.Int64)
    return known_in(gold, *(pl.DataFrame({"id": ids}).with_columns(group=one) for ids in (of.units, of.categories)))


def known_in(gold: pl.DataFrame, units: pl.DataFrame, categories: pl.DataFrame) -> Whole:
    """Of each unit which category of its group is known, −1 where none is.

    Args:
        gold: as `gold_of` makes it.
        units: a frame of `group` and `id`.
        categories: a frame of `group` and `id`, those of a group one after another.

    Raises:
        InvalidValue: a label is none of the categories of the group.
    """
    labels = categories.select("group", label="id", category=pl.int_range(pl.len()).over("group"))
    here = units.select("group", unit="id").with_row_index("at").join(gold, on="unit", maintain_order="left")
    try:
        found = here.with_columns(pl.col("label").cast(categories.schema["id"]))
    except pl.exceptions.PolarsError:
        raise _other_types(units.schema["id"], categories.schema["id"]) from None
    found = found.join(labels, on=["group", "label"], how="left")
    if found["category"].null_count():
        wrong = found.filter(pl.col("category").is_null()).row(0, named=True)
        own = categories.filter(pl.col("group") == wrong["group"])["id"]
        raise InvalidValue(
            f"The label {wrong['label']!r} of gold is none of the categories: {listed(own)}.",
            Hint("Name all categories: ", Argument("categories", [*own, wrong["label"]])),
        )
    out = np.full(units.height, -1)
    out[found["at"].to_numpy()] = found["category"].to_numpy()
    return out
