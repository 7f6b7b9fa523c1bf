"""Order statistics of weighted rows, of which some are infinite; and percentiles by their definitions."""

from __future__ import annotations

import math
from fractions import Fraction
from functools import cached_property

from ireval_frames import per
from ireval_frames.expr import Expr, lit, when
from ireval_frames.plan import Table

# By definition: what is added to n, and to the position of the p-quantile: h = p · (n + added) + shift.
POSITIONS = {"linear": (-1.0, 1.0), "weibull": (1.0, 0.0), "hazen": (0.0, 0.5)}
# Of shares of counts up to a hundred million: more than the errors of floats and less than a request.
ROUNDING = 1e-13
DEFINITIONS = ("nearest-rank", *POSITIONS, "nearest-index")


class OrderStatistics:
    """The values of a table's rows in their order, in each row of a coarser table.

    Args:
        table: a row per value.
        value: a column of it; null is infinite.
        weight: how many values each row is; a whole number.
        into: the coarser table.
        plain: every weight is 1, so that an engine that has all rows at hand may find a value without running counts.
    """

    def __init__(self, table: Table, value: Expr, weight: Expr, into: Table, *, plain: bool = False) -> None:
        # The SQL of running counts is the same in all databases; that of single ranks is not.
        self._plain = plain and table.plan.engine.in_process
        self.table, self.into, self._weight = table, into, weight
        self._value = table.column(value, "value")
        self._finite = ~self._value.is_null()

    @cached_property
    def _finite_weight(self) -> Expr:
        return self.table.column(when(self._finite).then(self._weight).otherwise(0.0), "finite_weight")

    @cached_property
    def _up_to(self) -> Expr:
        """How many values are at most this one."""
        running = self._finite_weight.cum_sum()
        return self.table.over(running, self.into.keys, order_by=[self._value.name], name="up_to")

    @cached_property
    def n(self) -> per.Unit:
        """The number of values."""
        return self.table.sum(self._weight, self.into)

    @cached_property
    def n_finite(self) -> per.Unit:
        """The number of finite values."""
        return self.table.sum(self._finite_weight, self.into)

    def at(self, rank: per.Unit) -> per.Unit:
        """The value of that rank, from 1; infinite where that many values are not finite."""
        there = self.table.lookup(self.into.column(rank, "wanted_rank"), of=self.into)
        smallest = self.table.min(when(self._finite & (self._up_to >= there)).then(self._value), self.into)
        return when(rank <= self.n_finite).then(smallest).otherwise(math.inf)

    def number_within(self, limit: float) -> per.Unit:
        """The number of values that are at most the limit."""
        near = when(self._finite & (self._value <= limit)).then(self._weight).otherwise(0.0)
        return self.table.sum(near, self.into)

    def percentile(self, p: float, definition: str) -> per.Unit:
        """The value below which p % of the values lie; null where there are none.

        Args:
            p: the percentage.
            definition: one of `DEFINITIONS`.
        """
        # As a fraction, p · n is a whole number exactly where it should be: floats do not have 99.9 / 100.
        of = Fraction(str(float(p))) / 100
        up, down = float(of.numerator), float(of.denominator)
        if definition == "nearest-rank" and self._plain:
            # The share is a little smaller where p · n is a whole number, and floats might make it more.
            share = float(of) if of in (0, 1) else float(of) - ROUNDING
            return self.table.value_at(self._value.fill_null(math.inf), max(share, 0.0), self.into)
        if definition == "nearest-rank":
            value = self.at(self._within((self.n * up / down).ceil()))
        elif definition == "nearest-index":
            value = self.at(self._within(((self.n - 1.0) * up / down + 0.5).floor() + 1.0))
        else:
            added, shift = POSITIONS[definition]
            value = self._between(self._within((self.n + added) * up / down + shift))
        return when(self.n > 0).then(value)

    def _within(self, position: Expr) -> Expr:
        """The position, but at least the first and at most the last."""
        first = when(position < 1.0).then(lit(1.0)).otherwise(position)
        return self.into.column(when(first > self.n).then(self.n).otherwise(first), "position")

    def _between(self, position: Expr) -> Expr:
        """Interpolated linearly between the values of two ranks."""
        rank = self.into.column(position.floor(), "lower_rank")
        share = self.into.column(position - rank, "share")
        low, high = self.at(rank), self.at(self._within(rank + 1.0))
        low, high = self.into.column(low, "low"), self.into.column(high, "high")
        infinite = (rank > self.n_finite) | ((share > 0.0) & (rank + 1.0 > self.n_finite))
        return (
            when(infinite).then(math.inf).otherwise(when(share > 0.0).then(low + share * (high - low)).otherwise(low))
        )
