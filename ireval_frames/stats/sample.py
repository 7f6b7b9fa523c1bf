"""The data of tests, their options, and their results.

A test gets one measure in one group as a matrix: a row per unit, a column per system, NaN for a missing value.  It is
computed for many pairs of columns at once and returns an array per column of the result, an element per pair.
Differences are system − baseline, in raw values: where a smaller value is better, the caller reverses `alternative`.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeVar

import numpy as np
from numpy.typing import NDArray

from ireval_frames.errors import Argument, Hint
from ireval_frames.parameters import CONFIDENCE, SEED, THREADS, BaseOptions, choice, option, whole

Array = NDArray[np.float64]
Integers = NDArray[np.int64]
Words = NDArray[np.str_]
T = TypeVar("T")
Alternative = Literal["two-sided", "greater", "less"]
ALTERNATIVES: tuple[Alternative, ...] = ("two-sided", "greater", "less")

# What a row of the result may say of itself.
STATUS = {
    "ok": "nothing is special",
    "identical": "all differences are 0, or rounding: p is 1 (of equivalence 0), the interval and the effect are what "
    "they are where nothing differs, without width: 0, of probabilities ½ (of mcnemar the interval of so many items)",
    "constant_shift": "all differences are the same number: a test that divides by their spread gives no p",
    "one_unit": "there is one unit: an estimate, no test",
    "no_units": "the systems share no unit",
    "no-overlap": "one of the two has no id in common with what it is held against: its values say nothing",
    "too_few": "the test needs more units, or more differences that are not 0",
    "degenerate": "resampled values do not vary, so that the interval asked for is another one",
    "undefined": "the statistic divides by 0 for another reason",
}

# Numbers that differ by less than 64 roundings are ties.
ROUNDINGS = 64.0
EPSILON = float(np.finfo(np.float64).eps)


@dataclass(frozen=True, eq=False)
class Moments:
    """The moments of each system, from a GROUP BY.

    Attributes:
        n: how many units.
        mean: of the values.
        variance: of the values, over n − 1; NaN for fewer than two.
        largest: the largest absolute value.
    """

    n: Array
    mean: Array
    variance: Array
    largest: Array


@dataclass(frozen=True, eq=False)
class Sample:
    """Values of one measure in one group.

    Attributes:
        values: units × systems, NaN where there is none.  The units are in the order of their ids, so that draws do
            not depend on the order of the caller's rows.
        pairs: two columns per pair, the baseline and the system.
        moments: of each system, where only these are known; then there are no values, for tests that need none.
        tolerance: the largest difference of a unit that counts as a tie, for tests of signs and signed ranks.
        known: what was computed of it, by the function that did (`once`).
    """

    values: Array
    pairs: Integers
    moments: Moments | None = None
    tolerance: float = 0.0
    known: dict[Callable[..., Any], Any] = field(default_factory=dict, repr=False)

    @property
    def n_pairs(self) -> int:
        """The number of pairs."""
        return len(self.pairs)

    def columns(self, pair: int) -> tuple[Array, Array]:
        """The values of both systems on the units that both have: baseline, system."""
        one, other = self.values[:, self.pairs[pair, 0]], self.values[:, self.pairs[pair, 1]]
        both = ~(np.isnan(one) | np.isnan(other))
        return one[both], other[both]

    def differences(self, pair: int) -> Array:
        """System − baseline, on the units that both have."""
        baseline, system = self.columns(pair)
        return system - baseline


def memoised(function: Callable[[Sample], T]) -> Callable[[Sample], T]:
    """The function of a sample with its result cached on the sample, which tests and effect sizes share."""

    @functools.wraps(function)
    def remembered(sample: Sample) -> T:
        if function not in sample.known:
            sample.known[function] = function(sample)
        known: T = sample.known[function]
        return known

    return remembered


# What all tests have in common.
ALTERNATIVE = choice(*ALTERNATIVES, what="what is tested; greater: the system is better, less: it is worse")
N_RESAMPLES = whole(10_000, "how often tests resample where they cannot count all cases")


@dataclass(frozen=True)
class Options(BaseOptions):
    """How to test.

    Attributes:
        alternative: of system − baseline in raw values.
        confidence: of intervals.
        n_resamples: how many resamples, where not all can be counted.
        seed: of the draws.
        threads: how many share the draws; changes no number.
        more: what one test alone reads, by name: `zeros` of Wilcoxon's, `rope` of Bayesian ones, `margin` …
    """

    alternative: Alternative = option(ALTERNATIVE)
    confidence: float = option(CONFIDENCE)
    n_resamples: int = option(N_RESAMPLES)
    seed: int = option(SEED)
    threads: int | None = option(THREADS)
    more: Mapping[str, Any] = field(default_factory=dict)


def of_test(name: str, value: object, unit: str = "") -> Hint:
    """The hint for an option of a single test, `--set NAME=VALUE` of the command."""
    return Hint("Write ", Argument(name, value, option=("set", {name: value})), f"{unit}.")


@dataclass(eq=False)
class Outcome:
    """The result of a test, an element per pair; NaN is undefined, and the status says why.

    Attributes:
        statistic: the test's statistic; its sign is that of system − baseline where it has one.
        p_value: not corrected, unless the test is one of all pairs at once; NaN where the method is "posterior".
        df: degrees of freedom; NaN where the test has none.
        ci_low, ci_high: an interval of `estimate`: what the test does not reject at 1 − confidence, unless `interval`
            says otherwise.
        estimate: the quantity of the interval, where that is not the difference of the means (a median, a difference of
            areas …).
        status: a word of STATUS.
        method: exact, asymptotic, monte carlo, or posterior: probabilities of hypotheses in `more`, no p-value.
        n_resamples: the number of draws for the p-value or the interval; 0 for none.
        interval: the method of the interval, where it is not the inversion of the test: one text, or a text per
            pair, empty where it is.
        more: further columns, by name.
    """

    statistic: Array
    p_value: Array
    df: Array
    ci_low: Array
    ci_high: Array
    status: Words
    method: Words
    n_resamples: Integers
    estimate: Array | None = None
    interval: str | Words = ""
    more: dict[str, Array] = field(default_factory=dict)

    @classmethod
    def empty(cls, n_pairs: int, method: str = "asymptotic") -> Outcome:
        """An empty result: NaN everywhere, status "ok"."""
        one, two, three, four, five = (np.full(n_pairs, np.nan) for _ in range(5))
        status, by = (np.full(n_pairs, word, dtype="<U16") for word in ("ok", method))
        return cls(one, two, three, four, five, status, by, np.zeros(n_pairs, dtype=np.int64))
