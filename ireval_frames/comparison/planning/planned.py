"""Tests as plans: from a spread to units, power and detectable differences, in units of the measure."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass

from ireval_frames.comparison.planning.pilots import (
    ANOVA,
    EQUIVALENCE,
    INTERVAL,
    MCNEMAR,
    NON_INFERIORITY,
    ONE_WAY,
    Spread,
)
from ireval_frames.errors import InvalidParameter, NotDefined
from ireval_frames.parameters import number
from ireval_frames.stats.power import counts as of_counts
from ireval_frames.stats.power import detectable as smallest
from ireval_frames.stats.power import margins as of_margins
from ireval_frames.stats.power import ranks as of_ranks
from ireval_frames.stats.power import t_tests as of_units
from ireval_frames.stats.sample import Alternative

MARGIN = number(0.05, low=0.0, open_ends=True)


@dataclass(frozen=True)
class Planned(ABC):
    """A planned test: its level, its side, the distribution of differences, and the margin, if it has one."""

    test: str
    alpha: float
    alternative: Alternative
    distribution: str
    margin: float = math.nan

    @abstractmethod
    def sample_size(self, spread: Spread, difference: float, power: float) -> int:
        """How many units the test needs."""

    @abstractmethod
    def power(self, spread: Spread, difference: float, n: int) -> float:
        """The power of n units for the difference."""

    @abstractmethod
    def detectable(self, spread: Spread, n: int, power: float) -> float:
        """The smallest difference that n units detect with this power."""

    def possible(self, spread: Spread, difference: float) -> bool:  # noqa: ARG002 - most tests find any difference
        """Whether there can be such a difference."""
        return True


class _T(Planned):
    def of_its_side(self, difference: float) -> None:
        """Refuse a difference that a one-sided test does not look for."""
        side = {"greater": 1.0, "less": -1.0}.get(self.alternative)
        if side and side * difference < 0:
            where = "above" if side > 0 else "below"
            raise InvalidParameter(
                f"difference is {difference!r}, and the test looks for one {where} 0.",
                f"Write difference={-difference!r}.",
            )

    def sample_size(self, spread: Spread, difference: float, power: float) -> int:
        self.of_its_side(difference)
        return of_units.t_sample_size(difference / spread.deviation, power, self.alpha, self.alternative)

    def power(self, spread: Spread, difference: float, n: int) -> float:
        return of_units.t_power(difference / spread.deviation, n, self.alpha, self.alternative)

    def detectable(self, spread: Spread, n: int, power: float) -> float:
        return spread.deviation * of_units.t_detectable(n, power, self.alpha, self.alternative)


class _OfRanks(_T):
    def sample_size(self, spread: Spread, difference: float, power: float) -> int:
        self.of_its_side(difference)
        scaled = difference / spread.deviation
        return of_ranks.rank_sample_size(self.test, scaled, power, self.alpha, self.alternative, self.distribution)

    def power(self, spread: Spread, difference: float, n: int) -> float:
        scaled = difference / spread.deviation
        return of_ranks.rank_power(self.test, scaled, n, self.alpha, self.alternative, self.distribution)

    def detectable(self, spread: Spread, n: int, power: float) -> float:
        scaled = smallest.rank_detectable(self.test, n, power, self.alpha, self.alternative, self.distribution)
        return spread.deviation * scaled


class _OfSystems(Planned):
    @property
    def _paired(self) -> bool:
        return self.test == ANOVA

    def sample_size(self, spread: Spread, difference: float, power: float) -> int:
        scaled = difference / spread.deviation
        return of_units.anova_sample_size(scaled, spread.systems, power, self.alpha, paired=self._paired)

    def power(self, spread: Spread, difference: float, n: int) -> float:
        scaled = difference / spread.deviation
        return of_units.anova_power(scaled, spread.systems, n, self.alpha, paired=self._paired)

    def detectable(self, spread: Spread, n: int, power: float) -> float:
        scaled = smallest.anova_detectable(spread.systems, n, power, self.alpha, paired=self._paired)
        return spread.deviation * scaled


class _OfItems(Planned):
    def sample_size(self, spread: Spread, difference: float, power: float) -> int:
        better, worse = ((spread.discordant + sign * difference) / 2.0 for sign in (1.0, -1.0))
        return of_counts.mcnemar_sample_size(better, worse, power, self.alpha)

    def power(self, spread: Spread, difference: float, n: int) -> float:
        return of_counts.mcnemar_power(difference, spread.discordant, n, self.alpha)

    def detectable(self, spread: Spread, n: int, power: float) -> float:
        return smallest.mcnemar_detectable(spread.discordant, n, power, self.alpha)

    def possible(self, spread: Spread, difference: float) -> bool:
        return abs(difference) <= spread.discordant


class _OfMargin(Planned):
    """A test that shows that a difference is small."""

    def detectable(self, spread: Spread, n: int, power: float) -> float:
        del spread, n, power
        raise NotDefined(
            f"{self.test} shows that a difference is small, and detects none.",
            f'Ask for ir.comparison.power(test="{self.test}", margin=…, n=…), or write test="t".',
        )


class _Equivalence(_OfMargin):
    def sample_size(self, spread: Spread, difference: float, power: float) -> int:
        margin, scaled = self.margin / spread.deviation, difference / spread.deviation
        return of_margins.equivalence_sample_size(margin, scaled, power, self.alpha)

    def power(self, spread: Spread, difference: float, n: int) -> float:
        return of_margins.equivalence_power(
            self.margin / spread.deviation, n, difference / spread.deviation, self.alpha
        )

    def possible(self, spread: Spread, difference: float) -> bool:
        del spread
        return abs(difference) < self.margin


class _NonInferiority(_OfMargin):
    def sample_size(self, spread: Spread, difference: float, power: float) -> int:
        margin, scaled = self.margin / spread.deviation, difference / spread.deviation
        return of_margins.non_inferiority_sample_size(margin, scaled, power, self.alpha, self.alternative)

    def power(self, spread: Spread, difference: float, n: int) -> float:
        margin, scaled = self.margin / spread.deviation, difference / spread.deviation
        return of_margins.non_inferiority_power(margin, n, scaled, self.alpha, self.alternative)

    def possible(self, spread: Spread, difference: float) -> bool:
        del spread
        return (-difference if self.alternative == "less" else difference) > -self.margin


class _Interval(Planned):
    def sample_size(self, spread: Spread, difference: float, power: float) -> int:
        del power
        return of_units.width_sample_size(difference / spread.deviation, self.alpha)

    def power(self, spread: Spread, difference: float, n: int) -> float:
        del spread, difference, n
        raise NotDefined("An interval has no power.", 'Write test="t", or ask for ir.comparison.sample_size(width=…).')

    def detectable(self, spread: Spread, n: int, power: float) -> float:
        return self.power(spread, power, n)


_KINDS: dict[str, type[Planned]] = {
    "t": _T,
    "wilcoxon": _OfRanks,
    "sign": _OfRanks,
    ANOVA: _OfSystems,
    ONE_WAY: _OfSystems,
    MCNEMAR: _OfItems,
    INTERVAL: _Interval,
    EQUIVALENCE: _Equivalence,
    NON_INFERIORITY: _NonInferiority,
}


def planned(
    test: str, alpha: float, alternative: Alternative, distribution: str, margin: float | None = None
) -> Planned:
    """The test of that name, as a plan.

    Raises:
        NotDefined: it has no one-sided form, or no margin.
        InvalidParameter: it has a margin, which is no number above 0.
    """
    kind = _KINDS[test]
    if alternative != "two-sided" and not issubclass(kind, _T | _NonInferiority):
        raise NotDefined(f"{test} has no one-sided form here.", 'Write alternative="two-sided".')
    if not issubclass(kind, _OfMargin):
        if margin is not None:
            raise NotDefined(f"{test} has no margin.", f'Write test="{EQUIVALENCE}" or test="{NON_INFERIORITY}".')
        return kind(test, alpha, alternative, distribution)
    return kind(test, alpha, alternative, distribution, MARGIN.check("margin", margin))
