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
from ireval_frames.parameters import CONFIDENCE, SEED, BaseOptions, choice, option
from ireval_frames.stats.moments import difference_moments
from ireval_frames.stats.resampling.inversion import interval
from ireval_frames.stats.sample import N_RESAMPLES, Sample

# From so many units on the t test; below, the randomization test, which counts all signs there.
MANY = 30
TESTS = ("auto", "t", "randomization")
# With which power the smallest margin would have been shown.
POWER = 0.8
# Up to so many units margins of the randomization test are found by so many samples.
SAMPLED, SAMPLES = 9, 2000
# Statuses of differences that are all one number: what a rule says of them is certain.
EXACT = ("identical", "constant_shift")


@dataclass(frozen=True)
class GateOptions(BaseOptions):
    """How rules are tested: the arguments of `ir.gate` of these names."""

    test: str = option(choice(*TESTS, what="auto (t from 30 units on), t, or randomization"))
    confidence: float = option(CONFIDENCE)
    n_resamples: int = option(N_RESAMPLES)
    seed: int = option(SEED)

    def name(self, n: int) -> str:
        """The test of so many units."""
        return self.test if self.test != "auto" else "t" if n >= MANY else "randomization"


@dataclass(frozen=True)
class Found:
    """What a test tells of a cell: the p-value, the interval of candidate − baseline, and whether either is certain."""

    p_value: float = np.nan
    low: float = np.nan
    high: float = np.nan
    test: str = ""
    status: str = "no_units"


def tested(cells: Mapping[int, Cell], options: GateOptions, alternative: str) -> dict[int, Found]:
    """The paired test of each cell.

    Args:
        cells: by any number.
        options: how.
        alternative: "two-sided"; "greater": that the candidate is better; "less": that it is worse.
    """
    how = {
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
        for name in sorted({options.name(len(cell.before)) for cell in cells.values()})
    }
    signs = 2 if alternative == "two-sided" else 1
    return {
        i: _found(cell, how[options.name(len(cell.before))], few=bool(fewest(options, len(cell.before), signs)))
        for i, cell in cells.items()
    }


def _found(cell: Cell, how: ComparisonOptions, *, few: bool) -> Found:
    """The test of a cell; a shift of so few units that the test shows nothing of them is not certain."""
    if not len(cell.before):
        return Found()
    (test,) = how.tests
    own = how.of(test, lower_is_better=cell.falling)
    outcome = test.function(_pair(cell), own)
    enough(outcome, own)
    status = str(outcome.status[0])
    if status == "constant_shift" and few:
        status = "too_few"
    if status in EXACT:
        shift = 0.0 if status == "identical" else float(cell.difference.mean())
        return Found(1.0 if status == "identical" else 0.0, shift, shift, test.name, status)
    p, low, high = (float(values[0]) for values in (outcome.p_value, outcome.ci_low, outcome.ci_high))
    return Found(p, low, high, test.name, status)


def _pair(cell: Cell) -> Sample:
    """Both systems as a sample of one pair."""
    return Sample(np.stack([cell.before, cell.after], axis=1), np.array([[0, 1]]))


def fewest(options: GateOptions, n: int, signs: int) -> int:
    """How many units the test of so many needs to reject whatever these are; 0 where these are enough.

    Of n units 2ⁿ assignments of signs are as likely, so that no p-value of the randomization test is below
    signs / 2ⁿ: 1 one-sided, 2 two-sided.
    """
    if options.name(n) != "randomization":
        return 0 if n > 1 else 2
    least = math.ceil(math.log2(signs / (1.0 - options.confidence)) - 1e-9)
    return least if n < least else 0


def smallest_margins(cells: Sequence[Cell], options: GateOptions) -> list[float | None]:
    """The smallest margin that each cell's units could have shown not to be reached, if nothing had changed.

    With power 0.8 of the test that judges the cell, one-sided at 1 − confidence, for normal differences: of a t test as
    `ir.comparison.detectable_difference` has it, about 2.49 standard errors of many units; of up to 9 units of the
    randomization test from 2,000 samples, of more as of the t test, to which it is close then.  None for fewer
    than two units, and for fewer than the randomization test needs to show anything.
    """
    deviations = []
    for cell in cells:
        of, n = difference_moments(_pair(cell)), len(cell.before)
        exact = of.status[0] in EXACT
        deviations.append(0.0 if exact else None if fewest(options, n, 1) else float(np.sqrt(of.variance[0])))
    sizes = {len(c.before) for c, d in zip(cells, deviations, strict=True) if d}
    few = {n for n in sizes if n <= SAMPLED and options.name(n) == "randomization"}
    scaled = {n: _of_signs(n, options.confidence) for n in few}
    if many := sorted(sizes - few):
        plan: dict[str, Any] = {"deviation": 1.0, "n": many, "alternative": "greater", "power": POWER}
        table = detectable_difference(**plan, alpha=1.0 - options.confidence)
        scaled |= dict(table.select("n", "difference").iter_rows())
    return [
        None if d is None else 0.0 if not d else d * scaled[len(c.before)]
        for c, d in zip(cells, deviations, strict=True)
    ]


@functools.lru_cache(maxsize=256)
def _of_signs(n: int, confidence: float) -> float:
    """The margin that the randomization test of n normal differences of mean 0 and variance 1 shows with the power."""
    d = np.random.default_rng(0).standard_normal((SAMPLES, n))
    signs = np.array(list(itertools.product((0.0, 1.0), repeat=n))).T
    with np.errstate(invalid="ignore", divide="ignore"):
        means = d @ signs / signs.sum(axis=0)
    low, _ = interval(means, means, confidence, "greater", whole=True)
    return float(np.quantile(-low, POWER))
