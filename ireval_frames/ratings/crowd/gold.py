"""Known labels of items."""

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
from ireval_frames.overlap import COMPARED_IDS, Side, nothing_in_common
from ireval_frames.ratings.coded import Coded

ITEMS = ("item_id", "item", "unit_id", "unit", "doc_id", "task")
LABELS = ("label", "rating", "gold", "answer", "relevance", "value")


@dataclass(frozen=True)
class _Mapped(Side):
    """The items of a mapping, in errors."""

    def rewritten(self, change: str, words: str) -> Code:
        """The line that changes them."""
        frame = 'pl.DataFrame({"item_id": list(gold), "label": list(gold.values())})'
        return Code(f'{frame}.with_columns(pl.col("item_id"){change})', f"{words} in the items of gold")


def gold_of(gold: Any, items: pl.Series, column: str) -> pl.DataFrame:
    """The known labels as a frame of item and label; some are of these items.

    Args:
        gold: a frame, a file or a mapping.
        items: the items that are rated.
        column: the user's name of their column.

    Raises:
        InvalidParameter: it is neither, or its items are of another type.
        MissingColumn: the frame has no item or label.
        InvalidValue: an item has two labels.
        NothingInCommon: it knows no item that is rated.
    """
    frame, side = _read(gold)
    if not len(items):
        return frame
    try:
        typed = frame.cast({"item": items.dtype}).drop_nulls("item")
    except pl.exceptions.PolarsError:
        raise _other_types(items.dtype) from None
    rated = typed["item"].is_in(items.implode())
    if not rated.any():
        ids = items.unique().sort()
        raise nothing_in_common(
            "Gold knows no item that is rated",
            replace(side, ids=frame["item"].head(COMPARED_IDS).to_list(), count=frame.height),
            Side("ratings", column, ids.head(COMPARED_IDS).to_list(), len(ids)),
        )
    if 2 * rated.sum() < len(rated):
        unknown = typed.filter(~rated)["item"].to_list()
        warn(
            f"Gold knows {len(rated)} items, of which {rated.sum()} are rated; not: {listed(map(repr, unknown), 3)}.",
            OverlapWarning,
        )
    return typed


def _read(gold: Any) -> tuple[pl.DataFrame, Side]:
    """Gold as a frame, and the name of its items in errors."""
    if isinstance(gold, str | os.PathLike):
        gold = scan_table(gold)
    side: Side = _Mapped("gold", "item_id", ())
    if isinstance(gold, Mapping):
        try:
            labels = pl.DataFrame({"item": list(gold), "label": list(gold.values())})
        except (TypeError, pl.exceptions.PolarsError):
            raise InvalidParameter(
                "The items of gold, or its labels, are of several types.", "Write all as text, or all as numbers."
            ) from None
    elif isinstance(gold, pl.DataFrame | pl.LazyFrame):
        frame = gold.lazy().collect()
        item = next((c for c in ITEMS if c in frame.columns), None)
        label = next((c for c in LABELS if c in frame.columns), None)
        if item is None or label is None:
            raise MissingColumn(
                f"The gold table has no column {'item_id' if item is None else 'label'!r} (it has: "
                f"{listed(frame.columns, 20)}).",
                "Rename its columns to item_id and label.",
            )
        labels, side = frame.select(item=item, label=label), Side("gold", item, ())
    else:
        raise InvalidParameter(
            f"gold is of type {type(gold).__name__}.", "Pass a frame or a file of item_id and label, or a mapping."
        )
    labels = labels.drop_nulls().unique(maintain_order=True)
    if labels["item"].is_duplicated().any():
        raise InvalidValue(
            f"The item {labels.filter(labels['item'].is_duplicated())['item'][0]!r} has several labels in gold.",
            "Keep one of them.",
        )
    return labels, side


def _other_types(*dtypes: Any) -> InvalidParameter:
    return InvalidParameter(
        f"The items or labels of gold are not of the types of the ratings ({', '.join(map(str, dtypes))}).",
        'Cast them: gold.with_columns(pl.col("label").cast(…))',
    )


def known(gold: pl.DataFrame, of: Coded) -> Whole:
    """The index of the known category of each item of a group, −1 where it is unknown.

    Args:
        gold: from `gold_of`.
        of: the ratings of the group.

    Raises:
        InvalidValue: a label is none of the categories.
    """
    one = pl.lit(0, pl.Int64)
    return known_in(gold, *(pl.DataFrame({"id": ids}).with_columns(group=one) for ids in (of.items, of.categories)))


def known_in(gold: pl.DataFrame, items: pl.DataFrame, categories: pl.DataFrame) -> Whole:
    """The index of the known category of each item among those of its group, −1 where it is unknown.

    Args:
        gold: from `gold_of`.
        items: a frame of `group` and `id`.
        categories: a frame of `group` and `id`, those of a group one after another.

    Raises:
        InvalidValue: a label is none of the categories of the group.
    """
    numbered = categories.select("group", label="id", category=pl.int_range(pl.len()).over("group"))
    known = items.select("group", item="id").with_row_index("at").join(gold, on="item", maintain_order="left")
    try:
        known = known.with_columns(pl.col("label").cast(categories.schema["id"]))
    except pl.exceptions.PolarsError:
        raise _other_types(items.schema["id"], categories.schema["id"]) from None
    known = known.join(numbered, on=["group", "label"], how="left")
    if known["category"].null_count():
        wrong = known.filter(pl.col("category").is_null()).row(0, named=True)
        own = categories.filter(pl.col("group") == wrong["group"])["id"]
        raise InvalidValue(
            f"The label {wrong['label']!r} of gold is none of the categories: {listed(own)}.",
            Hint("Name all categories: ", Argument("categories", [*own, wrong["label"]])),
        )
    out = np.full(items.height, -1)
    out[known["at"].to_numpy()] = known["category"].to_numpy()
    return out
