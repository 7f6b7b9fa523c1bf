"""The tests that rules need, over all cells at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from ireval_frames.comparison.comparing import compare
from ireval_frames.comparison.planning import detectable_difference
from ireval_frames.errors import UnknownName, nearest
from ireval_frames.gating.cells import Cell
from ireval_frames.stats.moments import difference_moments
from ireval_frames.stats.sample import Sample

# From so many units on the t test; below, the randomization test, which counts all signs there.
MANY = 30
TESTS = ("auto", "t", "randomization")
# With which power the smallest margin would have been shown.
POWER = 0.8
# Statuses of differences that are all one number: what a rule says of them is certain.
EXACT = ("identical", "constant_shift")


@dataclass(frozen=True)
class Asked:
    """How rules are tested: the arguments of `ir.gate` of these names."""

    test: str = "auto"
    confidence: float = 0.95
    draws: int = 10_000
    seed: int = 0

    def name(self, n: int) -> str:
        """The test of so many units."""
        return self.test if self.test != "auto" else "t" if n >= MANY else "randomization"

    def check(self) -> None:
        """Refuse a test that gates do not have.

        Raises:
            UnknownName: it is one.
        """
        if self.test not in TESTS:
            raise UnknownName(f"A gate has no test {self.test!r}.", nearest(str(self.test), TESTS))


@dataclass(frozen=True)
class Found:
    """What a test tells of a cell: the p-value, the interval of candidate − baseline, and whether either is certain."""

    p_value: float = np.nan
    low: float = np.nan
    high: float = np.nan
    test: str = ""
    status: str = "no_units"


def tested(cells: Mapping[int, Cell], asked: Asked, alternative: str) -> dict[int, Found]:
    """The paired test of each cell.

    Args:
        cells: by any number.
        asked: how.
        alternative: "two-sided"; "greater": that the candidate is better; "less": that it is worse.
    """
    out: dict[int, Found] = {}
    by_test: dict[tuple[str, bool], list[int]] = {}
    for i, cell in cells.items():
        by_test.setdefault((asked.name(len(cell.before)), cell.falling), []).append(i)
    for (name, falling), places in by_test.items():
        frames = [_long(i, cells[i]) for i in places if len(cells[i].before)]
        if not frames:
            continue
        table = compare(
            pl.concat(frames),
            baseline="baseline",
            test=name,
            alternative=alternative,
            correction="none",
            confidence=asked.confidence,
            draws=asked.draws,
            seed=asked.seed,
            unit="unit",
            by="cell",
            lower_is_better="value" if falling else (),
        ).table()
        columns = ("cell", "difference", "p_value", "ci_low", "ci_high", "status")
        for i, difference, p, low, high, status in table.select(columns).iter_rows():
            out[i] = _found(difference, p, low, high, name, status)
    return {i: out.get(i, Found()) for i in cells}


def _found(difference: float, p: Any, low: Any, high: Any, name: str, status: str) -> Found:
    if status in EXACT:
        shift = 0.0 if status == "identical" else difference
        return Found(1.0 if status == "identical" else 0.0, shift, shift, name, status)
    p, low, high = (np.nan if v is None else float(v) for v in (p, low, high))
    return Found(p, low, high, name, status)


def _long(place: int, cell: Cell) -> pl.DataFrame:
    unit = np.arange(len(cell.before))
    sides = {"baseline": cell.before, "candidate": cell.after}
    return pl.concat(
        pl.DataFrame({"cell": np.full(len(unit), place), "unit": unit, "run_id": [name] * len(unit), "value": values})
        for name, values in sides.items()
    )


def smallest_margins(cells: Sequence[Cell], asked: Asked) -> list[float | None]:
    """The smallest margin that each cell's units could have shown not to be reached, if nothing had changed.

    As `ir.detectable_difference` of a one-sided t test at 1 − confidence with power 0.8: about 2.49 standard errors of
    many units.  None for fewer than two units.
    """
    deviations = []
    for cell in cells:
        pair = Sample(np.stack([cell.before, cell.after], axis=1), np.array([[0, 1]]))
        of = difference_moments(pair)
        exact = of.status[0] in EXACT
        deviations.append(0.0 if exact else float(np.sqrt(of.variance[0])) if len(cell.before) > 1 else None)
    sizes = sorted({len(c.before) for c, d in zip(cells, deviations, strict=True) if d})
    scaled: dict[int, float] = {}
    if sizes:
        plan: dict[str, Any] = {"deviation": 1.0, "n": sizes, "alternative": "greater", "power": POWER}
        table = detectable_difference(**plan, alpha=1.0 - asked.confidence)
        scaled = dict(table.select("n", "difference").iter_rows())
    return [
        None if d is None else 0.0 if not d else d * scaled[len(c.before)]
        for c, d in zip(cells, deviations, strict=True)
    ]
