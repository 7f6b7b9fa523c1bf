"""The tests that rules need, over all cells at once."""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ireval_frames.comparison.options import ComparisonOptions
from ireval_frames.comparison.planning.power_analysis import detectable_difference
from ireval_frames.comparison.rows import enough
from ireval_frames.comparison.values.grids import INTERSECT
from ireval_frames.gating.cells import Cell
from ireval_frames.gating.options import GateOptions
from ireval_frames.stats.moments import difference_moments
from ireval_frames.stats.resampling.inversion import interval
from ireval_frames.stats.sample import Sample

# The power of the detectable difference.
POWER = 0.8
# Up to N units the margins of the randomization test are simulated.
SAMPLED, SAMPLES = 9, 2000
# Statuses of differences that are all one number: the verdict is certain.
EXACT = ("identical", "constant_shift")


@dataclass(frozen=True)
class TestOutcome:
    """The outcome of a test: the p-value, the interval of candidate − baseline, and the status."""

    p_value: float = np.nan
    low: float = np.nan
    high: float = np.nan
    test: str = ""
    status: str = "no_units"


def run_tests(cells: Mapping[int, Cell], options: GateOptions, alternative: str) -> dict[int, TestOutcome]:
    """The paired test of each cell.

    Args:
        cells: by number.
        options: the tests and their options.
        alternative: "two-sided"; "greater": that the candidate is better; "less": that it is worse.
    """
    comparisons = {
        name: ComparisonOptions.parse(
            test=name,
            correction="none",
            family="all",
            confidence=options.confidence,
            alternative=alternative,
            missing=INTERSECT,
            n_resamples=options.n_resamples,
            seed=options.seed,
        )
        for name in sorted({options.test_name(len(cell.before)) for cell in cells.values()})
    }
    signs = 2 if alternative == "two-sided" else 1
    return {
        i: _run_test(
            cell,
            comparisons[options.test_name(len(cell.before))],
            few=bool(units_needed(options, len(cell.before), signs)),
        )
        for i, cell in cells.items()
    }


def _run_test(cell: Cell, comparison: ComparisonOptions, *, few: bool) -> TestOutcome:
    """The test of a cell; a constant shift of too few units for the test is not certain."""
    if not len(cell.before):
        return TestOutcome()
    (test,) = comparison.tests
    own = comparison.of(test, lower_is_better=cell.lower_is_better)
    outcome = test.function(_pair(cell), own)
    enough(outcome, own)
    status = str(outcome.status[0])
    if status == "constant_shift" and few:
        status = "too_few"
    if status in EXACT:
        shift = 0.0 if status == "identical" else float(cell.difference.mean())
        return TestOutcome(1.0 if status == "identical" else 0.0, shift, shift, test.name, status)
    p, low, high = (float(values[0]) for values in (outcome.p_value, outcome.ci_low, outcome.ci_high))
    return TestOutcome(p, low, high, test.name, status)


def _pair(cell: Cell) -> Sample:
    """Both systems as a sample of one pair."""
    return Sample(np.stack([cell.before, cell.after], axis=1), np.array([[0, 1]]))


def units_needed(options: GateOptions, n: int, signs: int) -> int:
    """The smallest number of units with which the test can reject at all; 0 where n are enough.

    The 2ⁿ assignments of signs to n units are equally likely, so that no p-value of the randomization test is below
    signs / 2ⁿ, with signs = 1 one-sided and 2 two-sided.
    """
    if options.test_name(n) != "randomization":
        return 0 if n > 1 else 2
    least = math.ceil(math.log2(signs / (1.0 - options.confidence)) - 1e-9)
    return least if n < least else 0


def detectable_differences(cells: Sequence[Cell], options: GateOptions) -> list[float | None]:
    """The smallest margin within which each cell's test would show non-inferiority with power 0.8, had nothing changed.

    For normal differences, one-sided at 1 − confidence: of the t test `ir.comparison.detectable_difference`, about 2.49
    standard errors for many units; of the randomization test, simulated with 2,000 samples for up to 9 units, and that
    of the t test, which is close to it, for more.  None for fewer than two units, and for fewer than the randomization
    test needs to reject.
    """
    deviations = []
    for cell in cells:
        moments, n = difference_moments(_pair(cell)), len(cell.before)
        exact = moments.status[0] in EXACT
        few = units_needed(options, n, 1)
        deviations.append(0.0 if exact else None if few else float(np.sqrt(moments.variance[0])))
    sizes = {len(c.before) for c, d in zip(cells, deviations, strict=True) if d}
    small = {n for n in sizes if n <= SAMPLED and options.test_name(n) == "randomization"}
    scaled = {n: _simulated_margin(n, options.confidence) for n in small}
    if many := sorted(sizes - small):
        plan: dict[str, Any] = {"deviation": 1.0, "n": many, "alternative": "greater", "power": POWER}
        table = detectable_difference(**plan, alpha=1.0 - options.confidence)
        scaled |= dict(table.select("n", "difference").iter_rows())
    return [
        None if d is None else 0.0 if not d else d * scaled[len(c.before)]
        for c, d in zip(cells, deviations, strict=True)
    ]


@functools.lru_cache(maxsize=256)
def _simulated_margin(n: int, confidence: float) -> float:
    """The detectable difference of the randomization test of n standard normal differences."""
    d = np.random.default_rng(0).standard_normal((SAMPLES, n))
    signs = np.array(list(itertools.product((0.0, 1.0), repeat=n))).T
    with np.errstate(invalid="ignore", divide="ignore"):
        means = d @ signs / signs.sum(axis=0)
    low, _ = interval(means, means, confidence, "greater", total=True)
    return float(np.quantile(-low, POWER))
