"""True and false positives and negatives of a class, an item, or a unit."""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from operator import and_

from ireval_frames import per
from ireval_frames.expr import Expr, when
from ireval_frames.ratios import Ratio


@dataclass(frozen=True)
class Counts:
    """The four counts as expressions of one table, and their ratios under the policy for undefined values.

    Attributes:
        tp: true positives.
        fp: false positives.
        fn: false negatives.
        total: all items.
        ratio: the ratio of two counts, under the policy for undefined values.
        lightest: the smallest weight; None without weights, where differences are exact.
        propagates: whether a value that depends on an undefined ratio is undefined, too.
        scale: the factor of counts before they are multiplied with each other; None without weights.
    """

    tp: per.Counted
    fp: per.Counted
    fn: per.Counted
    total: per.Counted
    ratio: Ratio
    lightest: per.Counted | None = None
    scale: per.Counted | None = None
    propagates: bool = False

    @property
    def scaled(self) -> Counts:
        """The counts times `scale`, for ratios of products, which could overflow or underflow."""
        if self.scale is None:
            return self
        tp, fp, fn, total = (n * self.scale for n in (self.tp, self.fp, self.fn, self.total))
        lightest = None if self.lightest is None else self.lightest * self.scale
        return Counts(tp, fp, fn, total, self.ratio, lightest, propagates=self.propagates)

    def propagated(self, value: per.Same, *denominators: per.Same) -> per.Same:
        """A value of ratios with these denominators: undefined where one is 0, if the policy propagates."""
        return when(reduce(and_, [d > 0 for d in denominators])).then(value) if self.propagates else value

    @property
    def support(self) -> per.Counted:
        """The items that have the class."""
        return self.tp + self.fn

    @property
    def predicted(self) -> per.Counted:
        """The items predicted to have the class."""
        return self.tp + self.fp

    @property
    def tn(self) -> per.Counted:
        """True negatives."""
        return self._difference(self.total - self.tp - self.fp - self.fn)

    @property
    def negatives(self) -> per.Counted:
        """The items without the class."""
        return self._difference(self.total - self.support)

    @property
    def unpredicted(self) -> per.Counted:
        """The items predicted not to have the class."""
        return self._difference(self.total - self.predicted)

    @property
    def association(self) -> per.Counted:
        """tp·tn − fp·fn, which equals n·tp − support·predicted without cancellation."""
        return self.tp * self.tn - self.fp * self.fn

    def _difference(self, difference: Expr) -> Expr:
        """A difference of sums of weights; less than the lightest item is rounding."""
        if self.lightest is None:
            return difference
        return when(difference > self.lightest / 2.0).then(difference).otherwise(0.0)
