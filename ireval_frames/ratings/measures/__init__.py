"""Measures of agreement: how they are declared, and the sources that several of them have."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ireval_frames import catalog
from ireval_frames.declaration import Measure

GWET = "Gwet, Handbook of Inter-Rater Reliability, 4th edition, 2014; irrCAC"


def rating_measure(
    name: str, *, range: tuple[float, float] = (-1.0, 1.0), **declared: Any
) -> Callable[[catalog.Function], Measure]:
    """Declare a measure of ratings; its function gets a `RatingContext` and the parameters.

    Args:
        name: the canonical name.
        range: the smallest and largest value.
        declared: further arguments of `catalog.measure`.
    """
    return catalog.measure("ratings", name, at="", range=range, undefined=None, **declared)
