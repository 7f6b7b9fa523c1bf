"""Simulation studies, and the coverage that each measures for the intervals of several methods."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

Array = NDArray[np.float64]
MODULES = ("comparisons", "joint", "resampled", "experiments", "agreement", "arenas", "judges", "clicks", "valued",
           "latencies", "lists", "nuggets", "samples", "gates")  # fmt: skip


@dataclass(frozen=True)
class Covered:
    """The coverage of the intervals of a method.

    Attributes:
        method: the method as written in code.
        of: the estimated quantity.
        sizes: the numbers of units.
        hits: per repetition, whether the interval contains the true value; NaN without an interval.
        nominal: the nominal coverage.
        remark: the reason for another coverage, if known.
    """

    method: str
    of: str
    sizes: str
    hits: Array
    nominal: float = 0.95
    remark: str = ""

    @property
    def count(self) -> int:
        """The number of repetitions with an interval."""
        return int((~np.isnan(self.hits)).sum())

    @property
    def measured(self) -> float:
        """The share of intervals that contain the true value."""
        return float(np.nanmean(self.hits))


# Takes the number of repetitions and a seed.
Run = Callable[[int, int], Iterator[Covered]]
_STUDIES: dict[str, tuple[str, Run]] = {}


def study(subject: str) -> Callable[[Run], Run]:
    """Declare a study of a part of the page."""

    def declare(run: Run) -> Run:
        _STUDIES[run.__name__] = (subject, run)
        return run

    return declare


def studies() -> dict[str, tuple[str, Run]]:
    """All studies by name: the part of the page, and the function."""
    for name in MODULES:
        importlib.import_module(f"benchmarks.coverage.{name}")
    return dict(_STUDIES)


def ends(rows: pl.DataFrame, low: str = "ci_low", high: str = "ci_high") -> tuple[Array, Array]:
    """The ends of intervals; NaN where they are null."""
    return rows[low].fill_null(np.nan).to_numpy(), rows[high].fill_null(np.nan).to_numpy()


def covers(low: object, high: object, truth: object) -> Array:
    """Whether intervals contain a number; NaN where an end is missing."""
    lower, upper, value = (np.asarray(x, dtype=np.float64) for x in (low, high, truth))
    inside = (lower <= value) & (value <= upper)
    return np.where(np.isnan(lower) | np.isnan(upper), np.nan, inside.astype(np.float64))
