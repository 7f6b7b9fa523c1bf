"""Items whose label is known."""

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

ITEMS = ("item_id", "item", "unit_id", "unit", "doc_id", "task")
LABELS = ("label", "rating", "gold", "answer", "relevance", "value")


@dataclass(frozen=True)
class _Mapped(Side):
    """The items of a mapping."""

    def rewritten(self, change: str, words: str) -> Code:
        """The line that changes them."""
        frame = 'pl.DataFrame({"item_id": list(gold), "label": list(gold.values())})'
        return Code(f'{frame}.with_columns(pl.col("item_id"){change})', f"{words} in the items of gold")


def gold_of(gold: Any, items: pl.Series, column: str) -> pl.DataFrame:
    """The known labels as a frame of item and label, from a frame, a file or a mapping; some are of these items.

    Args:
        gold: as users hand it in.
        items: the items that are rated.
        column: what the user calls their column.

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
    met = typed["item"].is_in(items.implode())
    if not met.any():
        ids = items.unique().sort()
        raise nothing_in_common(
            "Gold knows no item that is rated",
            replace(side, ids=frame["item"].head(LOOKED_AT).to_list(), count=frame.height),
            Side("ratings", column, ids.head(LOOKED_AT).to_list(), len(ids)),
        )
    if 2 * met.sum() < len(met):
        strange = typed.filter(~met)["item"].to_list()
        warn(
            f"Gold knows {len(met)} items, of which {met.sum()} are rated; not: {listed(map(repr, strange), 3)}.",
            OverlapWarning,
        )
    return typed


def _read(gold: Any) -> tuple[pl.DataFrame, Side]:
    """Gold as a frame, and what its items are called."""
    if isinstance(gold, str | os.PathLike):
        gold = scan_table(gold)
    side: Side = _Mapped("gold", "item_id", ())
    if isinstance(gold, Mapping):
        try:
            made = pl.DataFrame({"item": list(gold), "label": list(gold.values())})
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
        made, side = frame.select(item=item, label=label), Side("gold", item, ())
    else:
        raise InvalidParameter(
            f"gold is of type {type(gold).__name__}.", "Hand in a frame or a file of item_id and label, or a mapping."
        )
    made = made.drop_nulls().unique(maintain_order=True)
    if made["item"].is_duplicated().any():
        raise InvalidValue(
            f"The item {made.filter(made['item'].is_duplicated())['item'][0]!r} has several labels in gold.",
            "Keep one of them.",
        )
    return made, side


def _other_types(*kinds: Any) -> InvalidParameter:
    return InvalidParameter(
        f"The items or labels of gold are not of the types of the ratings ({', '.join(map(str, kinds))}).",
        'Cast them: gold.with_columns(pl.col("label").cast(…))',
    )


def known(gold: pl.DataFrame, of: Coded) -> Whole:
    """Of each item of a group which category is known, −1 where none is.

    Args:
        gold: as `gold_of` makes it.
        of: the ratings of the group.

    Raises:
        InvalidValue: a label is none of the categories.
    """
    one = pl.lit(0, pl.Int64)
    return known_in(gold, *(pl.DataFrame({"id": ids}).with_columns(group=one) for ids in (of.items, of.categories)))


def known_in(gold: pl.DataFrame, items: pl.DataFrame, categories: pl.DataFrame) -> Whole:
    """Of each item which category of its group is known, −1 where none is.

    Args:
        gold: as `gold_of` makes it.
        items: a frame of `group` and `id`.
        categories: a frame of `group` and `id`, those of a group one after another.

    Raises:
        InvalidValue: a label is none of the categories of the group.
    """
    labels = categories.select("group", label="id", category=pl.int_range(pl.len()).over("group"))
    here = items.select("group", item="id").with_row_index("at").join(gold, on="item", maintain_order="left")
    try:
        found = here.with_columns(pl.col("label").cast(categories.schema["id"]))
    except pl.exceptions.PolarsError:
        raise _other_types(items.schema["id"], categories.schema["id"]) from None
    found = found.join(labels, on=["group", "label"], how="left")
    if found["category"].null_count():
        wrong = found.filter(pl.col("category").is_null()).row(0, named=True)
        own = categories.filter(pl.col("group") == wrong["group"])["id"]
        raise InvalidValue(
            f"The label {wrong['label']!r} of gold is none of the categories: {listed(own)}.",
            Hint("Name all categories: ", Argument("categories", [*own, wrong["label"]])),
        )
    out = np.full(items.height, -1)
    out[found["at"].to_numpy()] = found["category"].to_numpy()
    return out
