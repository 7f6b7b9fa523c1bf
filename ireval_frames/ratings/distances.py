"""Distances between categories: those of weighted coefficients, of a circular scale, and of the user."""

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
from ireval_frames.expr import Expr, when
from ireval_frames.io.any_table import scan_table
from ireval_frames.items.class_types import literal_class
from ireval_frames.parameters import Parameter, choice

SCHEMES = ("identity", "linear", "quadratic", "radical", "ordinal", "ratio")
COLUMNS = ("rating", "other_rating", "distance")
Pairs = dict[tuple[Any, Any], float]


def read_distances(distances: Any, categories: Sequence[Any] | None, dtype: Any) -> pl.DataFrame:
    """The user's distances as a frame: `rating`, `other_rating`, `distance`, in both directions.

    Args:
        distances: a function of two categories, a mapping of pairs of them, or a frame or a file of `COLUMNS`; a pair
            stands for both directions, and a category has the distance 0 from itself.
        categories: the scale, which a function needs.
        dtype: the type of the ratings.

    Raises:
        InvalidParameter: they are none of these, a function has no scale, or a distance is not allowed.
        MissingColumn: the frame lacks a column.
    """
    pairs: Pairs = {}
    text = isinstance(distances, str | os.PathLike)
    if text:
        distances = scan_table(distances)
    for (one, other), distance in _pairs(distances, categories):
        a, b = (literal_class(c, dtype, "distances", text=text) for c in (one, other))
        number = _number(distance, one, other)
        for pair in ((a, b), (b, a)):
            if pairs.setdefault(pair, number) != number:
                raise InvalidParameter(
                    f"distances has {pairs[pair]:g} and {number:g} between {one!r} and {other!r}.",
                    "A distance is the same in both directions.",
                )
    for category in {c for pair in pairs for c in pair}:
        pairs.setdefault((category, category), 0.0)
    return framed(pairs, dtype)


def circular(categories: Sequence[Any], dtype: Any) -> pl.DataFrame:
    """The squared chords of a circular scale: sin²(π·(a − b)/U), a and b places.

    Args:
        categories: the scale, U categories.
        dtype: the type of the ratings.

    Source: Krippendorff, Content Analysis, 2004.
    """
    places, u = list(enumerate(categories)), len(categories)
    pairs = itertools.product(places, places)
    return framed({(a, b): math.sin(math.pi * (i - j) / u) ** 2 for (i, a), (j, b) in pairs}, dtype)


def matrix(distances: pl.DataFrame, categories: pl.Series) -> Array:
    """Categories × categories; missing distances are 0."""
    k = len(categories)
    at = pl.DataFrame({"rating": categories, "at": np.arange(k)})
    other = at.rename({"rating": "other_rating", "at": "other"})
    placed = distances.join(at, on="rating").join(other, on="other_rating")
    out = np.zeros((k, k))
    out[placed["at"].to_numpy(), placed["other"].to_numpy()] = placed["distance"].to_numpy()
    return out


def framed(pairs: Mapping[tuple[Any, Any], float], dtype: Any) -> pl.DataFrame:
    """Pairs with their distances as a frame of `COLUMNS`, categories in the type of the ratings."""
    category = getattr(pl, str(dtype))
    rows = [(a, b, d) for (a, b), d in pairs.items()]
    return pl.DataFrame(rows, schema=dict(zip(COLUMNS, (category, category, pl.Float64), strict=True)), orient="row")


def argument_of(distances: Mapping[tuple[Any, Any], float]) -> Argument:
    """The argument with these distances, for hints; of a command it is a file."""
    return Argument("distances", distances, option=("distances", "distances.csv"))


def _pairs(distances: Any, categories: Sequence[Any] | None) -> list[tuple[tuple[Any, Any], Any]]:
    if isinstance(distances, pl.DataFrame | pl.LazyFrame):
        frame = distances.lazy().collect()
        if missing := [c for c in COLUMNS if c not in frame.columns]:
            raise MissingColumn(
                f"The distances have no column {missing[0]!r} (they have: {listed(frame.columns, 20)}).",
                f"Rename their columns to {', '.join(COLUMNS)}.",
            )
        return [((a, b), d) for a, b, d in frame.select(COLUMNS).iter_rows()]
    if isinstance(distances, Mapping):
        if wrong := [k for k in distances if not (isinstance(k, tuple) and len(k) == 2)]:
            raise InvalidParameter(
                f"distances has the key {wrong[0]!r}, which is no pair of categories.",
                Hint("Write ", argument_of({("bad", "good"): 1.0}), "."),
            )
        return list(distances.items())
    if callable(distances):
        if categories is None:
            raise InvalidParameter(
                "distances is a function, and the categories are not known.",
                Hint("Name them: ", Argument("categories", ["bad", "fair", "good"])),
            )
        return [((a, b), distances(a, b)) for a, b in itertools.permutations(categories, 2)]
    raise InvalidParameter(
        f"distances is of type {type(distances).__name__}.",
        f"Pass a function of two categories, a mapping of pairs, or a frame of {', '.join(COLUMNS)}.",
    )


def _number(distance: Any, one: Any, other: Any) -> float:
    try:
        number = float(distance)
    except (TypeError, ValueError):
        number = math.nan
    if not (0.0 <= number < math.inf):
        raise InvalidParameter(
            f"The distance of {one!r} and {other!r} is {distance!r}.", "Distances are numbers of at least 0."
        )
    if one == other and number:
        raise InvalidParameter(f"The distance of {one!r} from itself is {number:g}.", "Leave it out: it is 0.")
    return number


def weights_of(default: str = "identity") -> Parameter:
    """The parameter `weights` of measures in which near categories agree in part."""
    others = [s for s in SCHEMES if s != default]
    return choice(default, *others, what="how much different categories agree")


def distance(scheme: str, one: Expr, other: Expr) -> Expr:
    """The distance of two places on the scale.

    identity 1 unless they are equal; linear |a−b|; quadratic (a−b)²; radical √|a−b|; ordinal n(n−1)/2 for the
    n = |a−b|+1 places from a to b; ratio ((a−b)/(a+b))².
    """
    difference = (one - other).abs()
    if scheme == "identity":
        return when(difference == 0.0).then(0.0).otherwise(1.0)
    if scheme == "linear":
        return difference
    if scheme == "quadratic":
        return difference * difference
    if scheme == "radical":
        return difference.sqrt()
    if scheme == "ordinal":
        return difference * (difference + 1.0) / 2.0
    both = one + other
    share = difference / when(both != 0.0).then(both).otherwise(1.0)
    return share * share


def bipolar(one: Expr, other: Expr, low: Expr, high: Expr) -> Expr:
    """(a−b)²/((a+b−2·low)·(2·high−a−b)), which is 1 for the ends of the scale, and larger near its ends."""
    difference, below = one - other, (one + other - 2.0 * low) * (2.0 * high - one - other)
    return difference * difference / when(below > 0.0).then(below).otherwise(1.0)
