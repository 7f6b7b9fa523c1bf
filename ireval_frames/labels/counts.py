"""What a class, an item, or a whole unit counts: true and false positives and negatives, under the field's names."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import narwhals.stable.v2 as nw

from ireval_frames.policy import LabelPolicy

# Sums of weights that are fractions differ in their last bits; a rest below this share of the total is nothing.
ROUNDING = 1e-12


@dataclass(frozen=True)
class Counts:
    """The four counts as expressions of one table, and the ratios that the policy for undefined values rules.

    Attributes:
        tp: has the class and got it.
        support: has the class.
        predicted: got the class.
        total: all.
    """

    tp: nw.Expr
    support: nw.Expr
    predicted: nw.Expr
    total: nw.Expr
    ratio: Callable[[nw.Expr, nw.Expr], nw.Expr]

    @property
    def fp(self) -> nw.Expr:
        """Got the class and does not have it."""
        return self.predicted - self.tp

    @property
    def fn(self) -> nw.Expr:
        """Has the class and did not get it."""
        return self.support - self.tp

    @property
    def tn(self) -> nw.Expr:
        """Neither has it nor got it."""
        return self._rest(self.total - self.support - self.predicted + self.tp)

    @property
    def negatives(self) -> nw.Expr:
        """Does not have the class."""
        return self._rest(self.total - self.support)

    @property
    def unpredicted(self) -> nw.Expr:
        """Did not get the class."""
        return self._rest(self.total - self.predicted)

    @property
    def association(self) -> nw.Expr:
        """tp·tn − fp·fn, which is n·tp − support·predicted without its cancellation."""
        return self.tp * self.tn - self.fp * self.fn

    def _rest(self, difference: nw.Expr) -> nw.Expr:
        return nw.when(difference > ROUNDING * self.total).then(difference).otherwise(0.0)


def ratio_of(policy: LabelPolicy) -> Callable[[nw.Expr, nw.Expr], nw.Expr]:
    """A ratio that is what the policy says where its denominator is 0."""

    def ratio(numerator: nw.Expr, denominator: nw.Expr) -> nw.Expr:
        value = nw.when(denominator != 0).then(numerator / denominator)
        return value if policy.undefined == "null" else nw.when(denominator != 0).then(numerator / denominator).otherwise(float(policy.undefined))

    return ratio


def one_if(condition: nw.Expr) -> nw.Expr:
    """1 where the condition holds, else 0."""
    return nw.when(condition).then(1.0).otherwise(0.0)
