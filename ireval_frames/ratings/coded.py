"""Ratings as integer-coded arrays, one group of items at a time, for what no query computes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from ireval_frames.crowds.answers import Array, Whole

# Integers are counted rather than sorted where their range is at most SPREAD times their number.
DENSE = (pl.Int8, pl.Int16, pl.Int32, pl.Int64, pl.UInt8, pl.UInt16, pl.UInt32)
SPREAD = 4


@dataclass(frozen=True, eq=False)
class Coded:
    """The ratings of one group.

    Attributes:
        key: the group.
        items, raters, categories: their ids, sorted.
        item, rater, category: of each rating, their indices; in the order of the items.
        weight: of each item.
        scale: the place of each category: the numbers themselves, or 1, 2 …
    """

    key: tuple[Any, ...]
    items: pl.Series
    raters: pl.Series
    categories: pl.Series
    item: Whole
    rater: Whole
    category: Whole
    weight: Array
    scale: Array

    @property
    def m(self) -> Array:
        """The number of ratings of each item."""
        return np.bincount(self.item, minlength=len(self.items)).astype(float)

    def cells(self) -> tuple[Whole, Whole, Array]:
        """The item, the category and the number of ratings of each combination that occurs."""
        k = len(self.categories)
        place, n = np.unique(self.item * k + self.category, return_counts=True)
        return place // k, place % k, n.astype(float)


def coded(
    rows: pl.DataFrame, keys: Sequence[str], *, scale: Sequence[Any] | None = None, numbers: bool = False
) -> Iterator[Coded]:
    """The groups of rows with keys, `item_id`, `rating`, and optionally `rater_id` and `weight`.

    Args:
        rows: a row per rating.
        keys: the columns of groups.
        scale: the categories in their order, where it is known.
        numbers: whether places are the ratings themselves.
    """
    if not keys:
        yield _group((), rows, scale, numbers=numbers)
        return
    for key, part in rows.sort(keys).partition_by(keys, as_dict=True, maintain_order=True).items():
        yield _group(key, part, scale, numbers=numbers)


@dataclass(frozen=True, eq=False)
class Stacked:
    """The ratings of all groups in one array each.

    Attributes:
        groups: the groups, a row each, sorted.
        items, raters, categories: frames of `group` (a row of `groups`) and `id`, sorted; those of a group are its own.
        group, item, rater: of each rating, their indices.
        category: of each rating, the index among the categories of its group.
        size: of each group, the number of its categories.
    """

    groups: pl.DataFrame
    items: pl.DataFrame
    raters: pl.DataFrame
    categories: pl.DataFrame
    group: Whole
    item: Whole
    rater: Whole
    category: Whole
    size: Whole


def stacked(rows: pl.DataFrame, keys: Sequence[str], *, scale: Sequence[Any] | None = None) -> Stacked:
    """All groups of `coded` at once; the arguments are the same."""
    groups = rows.select(keys).unique().sort(keys)
    n = groups.height if keys else 1
    group = np.zeros(rows.height, dtype=np.int64)
    if keys:
        places = groups.with_columns(place=pl.int_range(pl.len()))
        placed = rows.select(keys).join(places, on=list(keys), how="left", nulls_equal=True, maintain_order="left")
        group = placed["place"].to_numpy()
    items, item = _within(group, *numbered(rows["item_id"]), n)
    raters, rater = _within(group, *numbered(rows["rater_id"]), n)
    if scale is None:
        categories, category = _within(group, *numbered(rows["rating"]), n)
        size = np.bincount(categories["group"].to_numpy(), minlength=n)
        category = category - (np.cumsum(size) - size)[group]
    else:
        ids, category = _of_scale(rows["rating"], scale)
        size = np.full(n, len(ids))
        at = np.repeat(np.arange(n), len(ids))
        categories = pl.DataFrame({"group": at, "id": ids.gather(np.tile(np.arange(len(ids)), n))})
    return Stacked(groups, items, raters, categories, group, item, rater, category, size)


def _within(group: Whole, ids: pl.Series, at: Whole, n: int) -> tuple[pl.DataFrame, Whole]:
    """The distinct pairs of a group and an id, and the index of each row's pair."""
    if n == 1:
        return pl.DataFrame({"group": np.zeros(len(ids), dtype=np.int64), "id": ids}), at
    pairs, place = numbered(pl.Series(group * len(ids) + at))
    codes = pairs.to_numpy()
    return pl.DataFrame({"group": codes // len(ids), "id": ids.gather(codes % len(ids))}), place


def _of_scale(ratings: pl.Series, scale: Sequence[Any]) -> tuple[pl.Series, Whole]:
    """The categories in their order, and the index of each rating's category."""
    categories = pl.Series("rating", scale, dtype=ratings.dtype)
    places = pl.DataFrame({"rating": categories, "place": np.arange(len(categories))})
    placed = pl.DataFrame({"rating": ratings}).join(places, on="rating", how="left", maintain_order="left")
    return categories, placed["place"].to_numpy()


def numbered(column: pl.Series) -> tuple[pl.Series, Whole]:
    """The distinct values, sorted, and the index of each row's value."""
    if column.dtype in DENSE and len(column):
        low, high = int(column.min()), int(column.max())  # type: ignore[arg-type]  # integers have both
        if high - low <= SPREAD * len(column):
            # Counting takes no sorting and no hashing.
            at = column.to_numpy().astype(np.int64, copy=False) - low
            occurs = np.bincount(at) > 0
            if occurs.all():
                return pl.Series(np.arange(low, high + 1)).cast(column.dtype), at
            return pl.Series(np.flatnonzero(occurs) + low).cast(column.dtype), (np.cumsum(occurs) - 1)[at]
    ids = column.unique().sort()
    places = pl.DataFrame({"id": ids, "place": np.arange(len(ids))})
    placed = pl.DataFrame({"id": column}).join(places, on="id", how="left", maintain_order="left")
    return ids, placed["place"].to_numpy()


def _group(key: tuple[Any, ...], rows: pl.DataFrame, scale: Sequence[Any] | None, *, numbers: bool) -> Coded:
    items, item = numbered(rows["item_id"])
    known = "rater_id" in rows.columns
    raters, rater = numbered(rows["rater_id"]) if known else (pl.Series([], dtype=pl.String), item)
    if scale is None:
        categories, category = numbered(rows["rating"])
    else:
        categories, category = _of_scale(rows["rating"], scale)
    if not len(item) or (item[1:] >= item[:-1]).all():
        order: Any = slice(None)
    else:
        order = pl.Series(item).arg_sort().to_numpy()
    weight = np.ones(len(items))
    if "weight" in rows.columns:
        weight[item] = rows["weight"].to_numpy()
    places = categories.cast(pl.Float64).to_numpy() if numbers else np.arange(1.0, len(categories) + 1)
    return Coded(key, items, raters, categories, item[order], rater[order], category[order], weight, places)
