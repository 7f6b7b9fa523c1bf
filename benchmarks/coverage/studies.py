"""What is simulated: studies, and what each finds of the intervals of several methods."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
MODULES = ("comparisons", "joint", "resampled", "experiments", "agreement", "clicks", "valued")


@dataclass(frozen=True)
class Covered:
    """How often the intervals of a method held.

    Attributes:
        method: as one writes it.
        of: what the interval is of.
        sizes: how many units there were.
        held: of each repetition, whether the interval held; NaN where there was none.
        nominal: how often it should.
        remark: why it is another share, where it is known to be.
    """

    method: str
    of: str
    sizes: str
    held: Array
    nominal: float = 0.95
    remark: str = ""

    @property
    def known(self) -> int:
        """How many repetitions have an interval."""
        return int((~np.isnan(self.held)).sum())

    @property
    def measured(self) -> float:
        """The share of them that hold."""
        return float(np.nanmean(self.held))


# From a number of repetitions and a seed.
Run = Callable[[int, int], Iterator[Covered]]
_STUDIES: dict[str, tuple[str, Run]] = {}


def study(subject: str) -> Callable[[Run], Run]:
    """Declare what is simulated for a part of the page."""

    def declared(run: Run) -> Run:
        _STUDIES[run.__name__] = (subject, run)
        return run

    return declared


def studies() -> dict[str, tuple[str, Run]]:
    """By name the part of the page, and what is run."""
    for name in MODULES:
        importlib.import_module(f"benchmarks.coverage.{name}")
    return dict(_STUDIES)


def held(low: object, high: object, truth: object) -> Array:
    """Whether intervals hold a number; NaN where an end is not known."""
    one, other, of = (np.asarray(x, dtype=np.float64) for x in (low, high, truth))
    inside = (one <= of) & (of <= other)
    return np.where(np.isnan(one) | np.isnan(other), np.nan, inside.astype(np.float64))
