"""The options of the analysis of an experiment."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from numbers import Real
from typing import Any

import numpy as np

from ireval_frames.comparison.options import BASELINE, CORRECTION
from ireval_frames.errors import Argument, Hint, NotDefined
from ireval_frames.parameters import CONFIDENCE, BaseOptions, Parameter, choice, number, numbers, option
from ireval_frames.stats.sample import ALTERNATIVE, Alternative, Options
from ireval_frames.stats.sequential.alpha_spending import SPENDING

FAMILIES = {
    "metric": "the tests of one metric, of all variants and groups, are one family",
    "group": "the tests of all metrics of one group are one family",
    "all": "all tests of the table are one family",
}
# The sums of squares of CUPED's θ.
COEFFICIENT = choice("within", "pooled", what="the coefficient of CUPED: within the variants, or pooled")


def _looks(value: Any) -> tuple[float, ...]:
    """Shares of the information, rising from above 0 to at most 1."""
    shares = () if value is None else tuple(value) if isinstance(value, Sequence | np.ndarray) else (value,)
    numbers = all(isinstance(t, Real) and not isinstance(t, bool) and 0 < float(t) <= 1 for t in shares)
    if not numbers or list(shares) != sorted(set(shares)):
        raise ValueError("rising shares of the planned units, above 0 and at most 1")
    return tuple(float(t) for t in shares)


@dataclass(frozen=True)
class AnalysisOptions(BaseOptions):
    """How an experiment is analysed.

    Attributes:
        baseline: the variant that others are compared with; none is every two.
        strata: columns of post-stratification.
        correction: of p-values, by name.
        family: which p-values are corrected together.
        coefficient: of CUPED's θ.
        sequential: the number of units at which intervals that hold at every look are shortest.
        looks: the shares of the information at the looks so far, the last one now.
        spending: how much of α each look may spend.
        exponent: of the spending "power".
        alternative: what is tested.
        confidence: of intervals.
    """

    baseline: Any = option(BASELINE)
    strata: tuple[str, ...] = option(Parameter((), "post-stratify by these columns", tuple, kind=list))
    correction: str = option(CORRECTION)
    family: str = option(
        choice("metric", *FAMILIES, what="which p-values are corrected together: of one metric, group, or all")
    )
    coefficient: str = option(COEFFICIENT)
    sequential: float | None = option(
        number(
            None,
            "intervals for any number of looks, shortest at this number of units",
            0.0,
            open_ends=True,
            example=5000,
        )
    )
    looks: tuple[float, ...] = option(
        Parameter((), "shares of the planned units at the looks so far", _looks, kind=numbers, example=[0.25, 0.5])
    )
    spending: str = option(
        choice(
            "obrien-fleming",
            *SPENDING,
            what="how the looks of --looks spend the level: obrien-fleming, pocock or power",
        )
    )
    exponent: float = option(number(1.0, "the exponent of --spending power", 0.0, open_ends=True))
    alternative: Alternative = option(ALTERNATIVE)
    confidence: float = option(CONFIDENCE)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.sequential is not None and self.looks:
            raise NotDefined(
                "Intervals that hold at every look need no looks.", "Leave out one of sequential= and looks=."
            )
        if not self.fixed and self.alternative != "two-sided":
            raise NotDefined(
                "Sequential intervals are two-sided.", Hint("Write ", Argument("alternative", "two-sided"), ".")
            )

    @cached_property
    def tests(self) -> Options:
        """The options of tests and intervals."""
        return Options(self.alternative, self.confidence)

    @property
    def alpha(self) -> float:
        """1 − confidence."""
        return 1.0 - self.confidence

    @property
    def fixed(self) -> bool:
        """Whether there is a single look."""
        return self.sequential is None and not self.looks
