"""What a class, an item, or a whole unit counts: true and false positives and negatives, under the field's names."""

from __future__ import annotations

from dataclasses import dataclass

import narwhals.stable.v2 as nw

from ireval_frames.ratios import Ratio

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
    ratio: Ratio

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
