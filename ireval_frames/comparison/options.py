"""The options of a comparison: tests, effect sizes, a correction, and how each is done."""

from __future__ import annotations

import math
import os
from dataclasses import dataclass
from functools import cached_property
from numbers import Real
from typing import Any

from ireval_frames.comparison.values.grids import ERROR, INTERSECT
from ireval_frames.errors import Argument, Hint, NotDefined, UnknownName, nearest
from ireval_frames.parameters import Parameter, as_written, choice, names, number, option
from ireval_frames.stats.corrections import find_correction
from ireval_frames.stats.registry import SignificanceTest, checked, find_effect, find_test
from ireval_frames.stats.sample import Alternative, Options

FAMILIES = {
    "measure": "the tests of one measure and group are one family",
    "group": "the tests of all measures of a group are one family",
    "all": "all tests of the table are one family",
}


def _missing(value: Any) -> str | float:
    """A rule, or a number in place of missing values."""
    if isinstance(value, str) and value in (ERROR, INTERSECT):
        return value
    if isinstance(value, Real) and not isinstance(value, bool) and math.isfinite(value):
        return float(value)
    raise ValueError(f"{ERROR!r}, {INTERSECT!r}, or a number in place of missing values")


TEST = names("t", "tests by name, comma-separated", find=find_test)
EFFECT = names(None, "the effect size; by default that of the test", find=find_effect)
CORRECTION = Parameter("holm", "the correction of p-values within a family", lambda name: find_correction(name).name)
MISSING = Parameter(
    ERROR,
    "what becomes of units that not all systems have: error, intersect, or a number",
    _missing,
    kind=as_written,
    example=INTERSECT,
)
BASELINE = Parameter(None, "compare all others with it, not every two", lambda name: name)
TOLERANCE = number(None, "differences up to it are ties", 0.0, example=1e-9)


@dataclass(frozen=True)
class ComparisonOptions(Options):
    """How systems are compared.

    Attributes:
        test: the tests by name.
        effect: the effect sizes; the first is in the table.  None is that of each test.
        baseline: the system that others are compared with; none is every pair.
        correction: of p-values, by name.
        family: which p-values are corrected together.
        missing: the rule for units that only some systems have.
        tolerance: largest difference that counts as a tie; None for the rounding of the values.
    """

    test: tuple[str, ...] = option(TEST)
    effect: tuple[str, ...] | None = option(EFFECT)
    baseline: Any = option(BASELINE)
    correction: str = option(CORRECTION)
    family: str = option(
        choice("measure", *FAMILIES, what="which p-values are corrected together: of one measure, group, or all")
    )
    missing: str | float = option(MISSING)
    tolerance: float | None = option(TOLERANCE)

    def __post_init__(self) -> None:
        super().__post_init__()
        known = list(dict.fromkeys(name for test in self.tests for name in test.reads))
        for name in self.more:
            if name not in known:
                what = f"{', '.join(self.test)} read{'s' if len(self.test) == 1 else ''}"
                raise UnknownName(
                    f"There is no option {name!r}.", nearest(name, known) if known else f"{what} no further options."
                )
        for test in self.tests:
            checked(test.reads, self.more)
            if self.alternative != "two-sided" and not test.one_sided:
                raise NotDefined(
                    f"{test.name} has no one-sided form.", Hint("Write ", Argument("alternative", "two-sided"), ".")
                )

    def arguments(self) -> dict[str, Any]:
        """The options as arguments of `ir.compare`."""
        arguments = super().arguments()
        more = arguments.pop("more")
        return arguments | dict(more)

    @cached_property
    def tests(self) -> tuple[SignificanceTest, ...]:
        """The tests, in the order of their names."""
        return tuple(map(find_test, self.test))

    @property
    def effects(self) -> tuple[str, ...]:
        """The effect sizes that are named."""
        return self.effect or ()

    @property
    def workers(self) -> int:
        """How many threads share the work."""
        return self.threads or os.cpu_count() or 1

    @property
    def pairs_units(self) -> bool:
        """Whether any test pairs the units that systems share."""
        return any(test.design != "unpaired" for test in self.tests)

    @property
    def marking(self) -> SignificanceTest | None:
        """The test whose results tables mark: the first that distinguishes pairs."""
        return next((test for test in self.tests if test.distinguishes), None)

    @property
    def of_moments(self) -> bool:
        """Whether the tests and effect sizes need only the moments of each system."""
        effects = self.effects[:1] or tuple(test.effect for test in self.tests)
        return all(test.of_moments for test in self.tests) and all(find_effect(name).of_moments for name in effects)

    def alternative_of(self, test: SignificanceTest) -> Alternative:
        """The alternative of the test; "greater" is better, whatever the direction of the measure."""
        return test.alternative if self.alternative == "two-sided" else self.alternative

    def of(self, test: SignificanceTest, *, lower_is_better: bool) -> Options:
        """The options of one test of a measure; "greater" is better, whatever the direction of the measure."""
        turned: dict[Alternative, Alternative] = {"greater": "less", "less": "greater"} if lower_is_better else {}
        alternative = self.alternative_of(test)
        more = {name: self.more.get(name, parameter.default) for name, parameter in test.reads.items()}
        return Options(
            turned.get(alternative, alternative), self.confidence, self.n_resamples, self.seed, self.threads, more
        )
