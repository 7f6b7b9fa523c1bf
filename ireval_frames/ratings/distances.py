"""Distances between categories that are handed in, or that only the whole scale tells, for Krippendorff's alpha."""

from __future__ import annotations

import itertools
import math
import os
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import polars as pl

from ireval_frames.crowds.answers import Array
from ireval_frames.errors import Argument, Hint, InvalidParameter, MissingColumn, listed
from ireval_frames.io.any_table import scan_table
from ireval_frames.items.class_types import literal_class

COLUMNS = ("rating", "other_rating", "distance")
Pairs = dict[tuple[Any, Any], float]


def given(distances: Any, categories: Sequence[Any] | None, dtype: Any) -> pl.DataFrame:
    """The distances of every two categories that were named: `rating`, `other_rating`, `distance`, both ways.

    Args:
        distances: a function of two categories, a mapping of pairs of them, or a frame or a file of `COLUMNS`; a pair
            stands for both orders, and a category lies 0 from itself.
        categories: the scale, where it was said; a function needs it.
        dtype: the type of the ratings.

    Raises:
        InvalidParameter: they are none of these, a function has no scale, or a distance is none.
        MissingColumn: the frame lacks a column.
    """
    found: Pairs = {}
    text = isinstance(distances, str | os.PathLike)
    if text:
        distances = scan_table(distances)
    for (one, other), distance in _pairs(distances, categories):
        a, b = (literal_class(c, dtype, "distances", text=text) for c in (one, other))
        number = _number(distance, one, other)
        for pair in ((a, b), (b, a)):
            if found.setdefault(pair, number) != number:
                raise InvalidParameter(
                    f"distances has {found[pair]:g} and {number:g} between {one!r} and {other!r}.",
                    "A distance is the same in both directions.",
                )
    for category in {c for pair in found for c in pair}:
        found.setdefault((category, category), 0.0)
    return framed(found, dtype)


def circular(categories: Sequence[Any], dtype: Any) -> pl.DataFrame:
    """The squares of the chords of a circle of which the scale is the round: sin²(π·(a − b)/U), a and b places.

    Args:
        categories: the scale, U categories.
        dtype: the type of the ratings.

    Source: Krippendorff, Content Analysis, 2004.
    """
    places, u = list(enumerate(categories)), len(categories)
    pairs = itertools.product(places, places)
    return framed({(a, b): math.sin(math.pi * (i - j) / u) ** 2 for (i, a), (j, b) in pairs}, dtype)


def matrix(distances: pl.DataFrame, categories: pl.Series) -> Array:
    """Categories × categories; 0 where no distance was said."""
    k = len(categories)
    at = pl.DataFrame({"rating": categories, "at": np.arange(k)})
    there = at.rename({"rating": "other_rating", "at": "other"})
    found = distances.join(at, on="rating").join(there, on="other_rating")
    out = np.zeros((k, k))
    out[found["at"].to_numpy(), found["other"].to_numpy()] = found["distance"].to_numpy()
    return out


def framed(pairs: Mapping[tuple[Any, Any], float], dtype: Any) -> pl.DataFrame:
    """Pairs with their distances as a frame of `COLUMNS`, categories in the type of the ratings."""
    kind = getattr(pl, str(dtype))
    rows = [(a, b, d) for (a, b), d in pairs.items()]
    return pl.DataFrame(rows, schema=dict(zip(COLUMNS, (kind, kind, pl.Float64), strict=True)), orient="row")


def said(distances: Mapping[tuple[Any, Any], float]) -> Argument:
    """The argument that says distances; a command is told a file."""
    return Argument("distances", distances, option=("distances", "distances.csv"))


def _pairs(distances: Any, categories: Sequence[Any] | None) -> list[tuple[tuple[Any, Any], Any]]:
    if isinstance(distances, pl.DataFrame | pl.LazyFrame):
        frame = distances.lazy().collect()
        if lacking := [c for c in COLUMNS if c not in frame.columns]:
            raise MissingColumn(
                f"The distances have no column {lacking[0]!r} (they have: {listed(frame.columns, 20)}).",
                f"Rename their columns to {', '.join(COLUMNS)}.",
            )
        return [((a, b), d) for a, b, d in frame.select(COLUMNS).iter_rows()]
    if isinstance(distances, Mapping):
        if wrong := [k for k in distances if not (isinstance(k, tuple) and len(k) == 2)]:
            raise InvalidParameter(
                f"distances has the key {wrong[0]!r}, which is no pair of categories.",
                Hint("Write ", said({("bad", "good"): 1.0}), "."),
            )
        return list(distances.items())
    if callable(distances):
        if categories is None:
            raise InvalidParameter(
                "distances is a function, and it is not said of which categories.",
                Hint("Name them: ", Argument("categories", ["bad", "fair", "good"])),
            )
        return [((a, b), distances(a, b)) for a, b in itertools.permutations(categories, 2)]
    raise InvalidParameter(
        f"distances is of type {type(distances).__name__}.",
        f"Hand in a function of two categories, a mapping of pairs, or a frame of {', '.join(COLUMNS)}.",
    )


def _number(distance: Any, one: Any, other: Any) -> float:
    try:
        number = float(distance)
    except (TypeError, ValueError):
        number = math.nan
    if not (0.0 <= number < math.inf):
        raise InvalidParameter(
            f"The distance of {one!r} and {other!r} is {distance!r}.", "Distances are numbers, not below 0."
        )
    if one == other and number:
        raise InvalidParameter(f"The distance of {one!r} from itself is {number:g}.", "Leave it out: it is 0.")
    return number
