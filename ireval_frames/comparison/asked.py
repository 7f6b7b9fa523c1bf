"""What a comparison is asked: tests, effect sizes, a correction, and how each is done."""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from ireval_frames.comparison.grids import ERROR, INTERSECT
from ireval_frames.errors import Argument, Hint, InvalidParameter, NotDefined, UnknownName, nearest
from ireval_frames.stats.corrections import find_correction
from ireval_frames.stats.registry import SignificanceTest, find_effect, find_test
from ireval_frames.stats.sample import ALTERNATIVES, Alternative, Options

FAMILIES = {
    "measure": "the tests of one measure and group are one family",
    "group": "the tests of all measures of a group are one family",
    "all": "all tests of the table are one family",
}


@dataclass(frozen=True)
class Asked:
    """What a comparison is asked.

    Attributes:
        tests: in the order asked.
        effects: the effect sizes; the first stands in the table.  None is the one of each test.
        baseline: the system that others are compared with; none is every pair.
        correction: of p-values, by name.
        family: which of them are corrected together.
        missing: what becomes of units that only some systems have.
        tolerance: what differences may be and still be ties; none is the rounding of the values.
        options: of all tests.
        more: what some tests alone read.
    """

    tests: tuple[SignificanceTest, ...]
    effects: tuple[str, ...]
    baseline: Any
    correction: str
    family: str
    missing: str | float
    tolerance: float | None
    options: Options
    more: Mapping[str, Any] = field(default_factory=dict)

    @property
    def threads(self) -> int:
        """How many share the work."""
        return self.options.threads or os.cpu_count() or 1

    @property
    def pairs_units(self) -> bool:
        """Whether any test looks at the units that systems share."""
        return any(test.design != "unpaired" for test in self.tests)

    @property
    def marking(self) -> SignificanceTest | None:
        """The test by which tables mark what differs: the first that tells pairs apart."""
        return next((test for test in self.tests if test.tells_apart), None)

    @property
    def of_moments(self) -> bool:
        """Whether all that is asked needs of each system no more than its moments."""
        effects = self.effects[:1] or tuple(test.effect for test in self.tests)
        return all(test.of_moments for test in self.tests) and all(find_effect(name).of_moments for name in effects)

    def alternative_of(self, test: SignificanceTest) -> Alternative:
        """What the test tests; "greater" is better, whatever the direction of the measure."""
        asked = self.options.alternative
        return test.alternative if asked == "two-sided" else asked

    def of(self, test: SignificanceTest, *, falling: bool) -> Options:
        """The options of one test of a measure; "greater" is better, whatever the direction of the measure."""
        more = {name: self.more.get(name, value) for name, value in test.reads.items()}
        turned: dict[Alternative, Alternative] = {"greater": "less", "less": "greater"} if falling else {}
        alternative = self.alternative_of(test)
        return replace(
            self.options,
            alternative=turned.get(alternative, alternative),
            more=more,
        )


def asked(
    *,
    test: str | Iterable[str],
    effect: str | Iterable[str] | None,
    baseline: Any,
    correction: str,
    family: str,
    confidence: float,
    alternative: str,
    missing: str | float,
    tolerance: float | None,
    draws: int,
    seed: int,
    threads: int | None,
    more: Mapping[str, Any],
) -> Asked:
    """What is asked, checked.

    Raises:
        UnknownName: there is no such test, effect size, correction or option.
        InvalidParameter: a number is outside what it may be.
        NotDefined: a test has no such alternative.
    """
    names = list(dict.fromkeys(names_given(test, "test", "t")))
    if not names:
        raise InvalidParameter("No test is named.", Hint("Write ", Argument("test", "t"), "."))
    tests = tuple(find_test(name) for name in names)
    known = list(dict.fromkeys(option for one in tests for option in one.reads))
    for name in more:
        if name not in known:
            what = f"{', '.join(names)} read{'s' if len(names) == 1 else ''}"
            raise UnknownName(
                f"There is no option {name!r}.", nearest(name, known) if known else f"{what} no further options."
            )
    direction = alternative_named(alternative)
    for one in tests:
        if direction != "two-sided" and not one.one_sided:
            raise NotDefined(
                f"{one.name} has no one-sided form.", Hint("Write ", Argument("alternative", "two-sided"), ".")
            )
    if not isinstance(family, str) or family not in FAMILIES:
        raise UnknownName(f"There is no family {family!r}.", nearest(str(family), FAMILIES))
    share(confidence, "confidence")
    whole = {"draws": (draws, 1, 10_000), "seed": (seed, 0, 0), "threads": (1 if threads is None else threads, 1, 2)}
    for name, (value, least, example) in whole.items():
        if isinstance(value, bool) or not isinstance(value, int) or value < least:
            raise InvalidParameter(
                f"{name} is {value!r}; it must be a whole number of at least {least}.",
                Hint("Write ", Argument(name, example), "."),
            )
    if tolerance is not None and not (_number(tolerance) and 0 <= tolerance < math.inf):
        raise InvalidParameter(
            f"tolerance is {tolerance!r}; it must be a number from 0.", Hint("Write ", Argument("tolerance", 1e-9), ".")
        )
    effects = () if effect is None else tuple(names_given(effect, "effect", "d_z"))
    for name in effects:
        find_effect(name)
    return Asked(
        tests,
        effects,
        baseline,
        find_correction(correction).name,
        family,
        missing_rule(missing),
        tolerance,
        Options(direction, confidence, draws, seed, threads),
        dict(more),
    )


def names_given(given: Any, argument: str, example: str) -> list[str]:
    """What an argument names: one name, or several.

    Raises:
        InvalidParameter: it is something else.
    """
    names: list[Any] = [given] if isinstance(given, str) else list(given) if isinstance(given, Iterable) else [None]
    if not all(isinstance(name, str) for name in names):
        raise InvalidParameter(
            f"{argument} is {given!r}; it must be a name, or a list of names.",
            Hint("Write ", Argument(argument, example), "."),
        )
    return names


def alternative_named(given: Any) -> Alternative:
    """The alternative of that name.

    Raises:
        UnknownName: there is none.
    """
    for known in ALTERNATIVES:
        if given == known:
            return known
    raise UnknownName(f"There is no alternative {given!r}.", nearest(str(given), ALTERNATIVES))


def share(value: Any, name: str, example: float = 0.95) -> float:
    """A number between 0 and 1.

    Raises:
        InvalidParameter: it is something else.
    """
    if not (_number(value) and 0 < value < 1):
        raise InvalidParameter(
            f"{name} is {value!r}; it must lie between 0 and 1.", Hint("Write ", Argument(name, example), ".")
        )
    return float(value)


def missing_rule(missing: Any) -> str | float:
    """What becomes of units that only some systems have: "error", "intersect", or a number that stands for them.

    Raises:
        InvalidParameter: it is something else.
    """
    if missing in (ERROR, INTERSECT):
        return str(missing)
    if _number(missing) and math.isfinite(missing):
        return float(missing)
    raise InvalidParameter(
        f"missing is {missing!r}; it must be {ERROR!r}, {INTERSECT!r}, or a number that missing values count.",
        Hint("Write ", Argument("missing", INTERSECT), "."),
    )


def _number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
