"""How an experiment is analysed: what is compared, corrected, and how its intervals are made."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ireval_frames.comparison.asked import alternative_named, share
from ireval_frames.errors import Argument, Hint, InvalidParameter, NotDefined, UnknownName, nearest
from ireval_frames.stats.corrections import find_correction
from ireval_frames.stats.sample import Options

FAMILIES = {
    "metric": "the tests of one metric, of all variants and groups, are one family",
    "group": "the tests of all metrics of one group are one family",
    "all": "all tests of the table are one family",
}
# Of CUPED's θ: whose sums of squares.
COEFFICIENTS = ("within", "pooled")


@dataclass(frozen=True)
class Asked:
    """How an experiment is analysed.

    Attributes:
        control: the variant that others are compared with; none is every two.
        strata: columns of post-stratification.
        correction: of p-values, by name.
        family: which of them are corrected together.
        coefficient: of CUPED's θ.
        sequential: the number of units for which intervals that hold at every look are tuned.
        looks: the shares of the information at the looks so far, the last one now.
        spending: how much of α each look may spend.
        exponent: of the spending "power".
        options: alternative and confidence.
    """

    control: Any = None
    strata: tuple[str, ...] = ()
    correction: str = "holm"
    family: str = "metric"
    coefficient: str = "within"
    sequential: float | None = None
    looks: tuple[float, ...] = ()
    spending: str = "obrien-fleming"
    exponent: float = 1.0
    options: Options = field(default_factory=Options)

    @property
    def alpha(self) -> float:
        """1 − confidence."""
        return 1.0 - self.options.confidence

    @property
    def fixed(self) -> bool:
        """Whether it is looked at once."""
        return self.sequential is None and not self.looks


def asked(
    *,
    control: Any,
    strata: tuple[str, ...],
    correction: str,
    family: str,
    coefficient: str,
    sequential: float | None,
    looks: Sequence[float] | None,
    spending: str,
    exponent: float,
    alternative: str,
    confidence: float,
) -> Asked:
    """What is asked, checked.

    Raises:
        UnknownName: there is no such correction, family, spending or alternative.
        InvalidParameter: a number is outside what it may be.
        NotDefined: what is asked does not go together.
    """
    from ireval_frames.stats.alpha_spending import SPENDING

    for name, value, known in (
        ("family", family, tuple(FAMILIES)),
        ("coefficient", coefficient, COEFFICIENTS),
        ("spending", spending, tuple(SPENDING)),
    ):
        if value not in known:
            raise UnknownName(f"There is no {name} {value!r}.", nearest(str(value), known))
    direction, times = alternative_named(alternative), looked(looks)
    if sequential is not None:
        positive(sequential, "sequential", 5000)
    if sequential is not None and times:
        raise NotDefined("Intervals that hold at every look need no looks.", "Leave out one of sequential= and looks=.")
    if (sequential is not None or times) and direction != "two-sided":
        raise NotDefined(
            "Sequential intervals are two-sided.", Hint("Write ", Argument("alternative", "two-sided"), ".")
        )
    return Asked(
        control,
        strata,
        find_correction(correction).name,
        family,
        coefficient,
        None if sequential is None else float(sequential),
        times,
        spending,
        positive(exponent, "exponent", 1.0),
        Options(direction, share(confidence, "confidence")),
    )


def looked(looks: Sequence[float] | None) -> tuple[float, ...]:
    """Shares of the information, rising from above 0 to at most 1.

    Raises:
        InvalidParameter: they are something else.
    """
    given = () if looks is None else tuple(looks) if isinstance(looks, Sequence | np.ndarray) else (looks,)
    numbers = all(isinstance(t, int | float) and not isinstance(t, bool) for t in given)
    if not numbers or any(not 0 < t <= 1 for t in given) or list(given) != sorted(set(given)):
        raise InvalidParameter(
            f"looks is {looks!r}; it holds rising shares of the planned units, above 0 and at most 1.",
            Hint("Write ", Argument("looks", [0.25, 0.5]), " at the second look of four."),
        )
    return tuple(float(t) for t in given)


def positive(value: Any, name: str, example: float) -> float:
    """A number above 0.

    Raises:
        InvalidParameter: it is something else.
    """
    if not isinstance(value, int | float) or isinstance(value, bool) or not 0 < value < math.inf:
        raise InvalidParameter(
            f"{name} is {value!r}; it is a number above 0.", Hint("Write ", Argument(name, example), ".")
        )
    return float(value)
