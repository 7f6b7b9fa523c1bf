"""What a class, an item, or a whole unit counts: true and false positives and negatives, under the field's names."""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from operator import and_

from ireval_frames import per
from ireval_frames.expr import Expr, when
from ireval_frames.ratios import Ratio


@dataclass(frozen=True)
class Counts:
    """The four counts as expressions of one table, and the ratios that the policy for undefined values rules.

    Attributes:
        tp: has the class and got it.
        fp: got the class and does not have it.
        fn: has the class and did not get it.
        total: all.
        ratio: of two of them, as the policy says of undefined values.
        lightest: the smallest weight that a rest can be; None where items have no weights, so that rests are exact.
        propagates: whether what rests on an undefined ratio is undefined, too.
        scale: what counts are multiplied by before they are multiplied with each other; None without weights.
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
        """The same counts, for ratios of products: these overflow or vanish where weights are huge or tiny."""
        if self.scale is None:
            return self
        tp, fp, fn, total = (n * self.scale for n in (self.tp, self.fp, self.fn, self.total))
        lightest = None if self.lightest is None else self.lightest * self.scale
        return Counts(tp, fp, fn, total, self.ratio, lightest, propagates=self.propagates)

    def resting(self, value: per.Same, *denominators: per.Same) -> per.Same:
        """A value that rests on ratios with these denominators: undefined where one is 0, if the policy says so."""
        return when(reduce(and_, [d > 0 for d in denominators])).then(value) if self.propagates else value

    @property
    def support(self) -> per.Counted:
        """Has the class."""
        return self.tp + self.fn

    @property
    def predicted(self) -> per.Counted:
        """Got the class."""
        return self.tp + self.fp

    @property
    def tn(self) -> per.Counted:
        """Neither has it nor got it."""
        return self._rest(self.total - self.tp - self.fp - self.fn)

    @property
    def negatives(self) -> per.Counted:
        """Does not have the class."""
        return self._rest(self.total - self.support)

    @property
    def unpredicted(self) -> per.Counted:
        """Did not get the class."""
        return self._rest(self.total - self.predicted)

    @property
    def association(self) -> per.Counted:
        """tp·tn − fp·fn, which is n·tp − support·predicted without its cancellation."""
        return self.tp * self.tn - self.fp * self.fn

    def _rest(self, difference: Expr) -> Expr:
        """A difference of sums of weights: less than the lightest item is rounding, and so nothing."""
        if self.lightest is None:
            return difference
        return when(difference > self.lightest / 2.0).then(difference).otherwise(0.0)
