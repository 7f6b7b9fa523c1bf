"""The steps in Python: one pass over the sorted boundaries of each document."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import polars as pl

# A boundary, and whether it is one of the gold.
Boundary = tuple[float, bool]


def matches(frame: pl.DataFrame, *, keys: Sequence[str], names: Sequence[str], tolerance: int) -> pl.DataFrame:
    """The largest number of matches of boundaries of both sides, each in one match at most."""
    rows = [(*key, num_matches(document, tolerance)) for key, document in documents(frame, keys)]
    return _frame(rows, frame, keys, names)


def near_misses(frame: pl.DataFrame, *, keys: Sequence[str], names: Sequence[str], below: int) -> pl.DataFrame:
    """Near misses among boundaries of one side only, and the sum of their distances."""
    rows = [(*key, *nearest_pairs(document, below)) for key, document in documents(frame, keys)]
    return _frame(rows, frame, keys, names)


def num_matches(document: Sequence[Boundary], tolerance: int) -> int:
    """The largest number of matches: the first boundary of each side matches the other one, or the earlier has none."""
    gold, predicted = ([b for b, is_gold in document if is_gold is side] for side in (True, False))
    i = j = n = 0
    while i < len(gold) and j < len(predicted):
        distance = gold[i] - predicted[j]
        near = abs(distance) <= tolerance
        n += near
        i += near or distance < 0
        j += near or distance > 0
    return n


def nearest_pairs(document: Sequence[Boundary], below: int) -> tuple[int, int]:
    """The number of pairs of both sides less than `below` apart, and the sum of their distances.

    The nearest are pairs first, those of one distance from the left, each boundary in one at most.
    """
    left, n, total = dict(document), 0, 0
    for distance in range(1, below):
        for boundary, _ in document:
            if boundary in left and left.get(boundary + distance, left[boundary]) != left[boundary]:
                del left[boundary], left[boundary + distance]
                n, total = n + 1, total + distance
    return n, total


def documents(frame: pl.DataFrame, keys: Sequence[str]) -> Iterator[tuple[tuple[Any, ...], list[Boundary]]]:
    """The documents of a frame, with their boundaries in order."""
    rows = frame.select(*keys, "boundary", pl.col("is_gold") > 0).sort(*keys, "boundary")
    for *key, boundaries, is_gold in rows.group_by(*keys, maintain_order=True).agg("boundary", "is_gold").iter_rows():
        yield tuple(key), list(zip(boundaries, is_gold, strict=True))


def _frame(rows: list[Any], frame: pl.DataFrame, keys: Sequence[str], names: Sequence[str]) -> pl.DataFrame:
    types = {k: frame.schema[k] for k in keys} | dict.fromkeys(names, pl.Float64)
    return pl.DataFrame(rows, schema=types, orient="row", strict=False)
