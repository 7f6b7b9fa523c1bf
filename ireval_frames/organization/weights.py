"""The weights of documents: those of the top n sum to W, and all of them to 1."""

from __future__ import annotations

import math
from dataclasses import dataclass

from ireval_frames.expr import Expr, col, lit, when
from ireval_frames.organization.inputs import NOT_RETRIEVED
from ireval_frames.organization.tables import OrganizationTables
from ireval_frames.plan import Table

WEIGHTS = ("exponential", "hyperbolic", "uniform")

# For exponents up to this, this number of terms of the series is exact.
SMALL, TERMS = 0.01, 7


@dataclass(frozen=True)
class Weights:
    """The weights of documents by their position: C(k) is the sum of those of the top k in an infinite list."""

    n: float
    W: float
    shape: str

    def between(self, above: Expr, upto: Expr) -> Expr:
        """C(upto) − C(above), without cancellation in long lists and of flat weights."""
        if self.shape == "exponential":
            return (above * self._rate).exp() * _one_less_exponential((upto - above) * self._rate)
        c = self._half
        return c / (above + c) * ((upto - above) / (upto + c))

    def within(self, length: Expr) -> Expr:
        """C(length): the sum of the weights of a list of this length."""
        if self.shape == "exponential":
            return _one_less_exponential(length * self._rate)
        return length / (length + self._half)

    def beyond(self, length: Expr) -> Expr:
        """1 − C(length): the sum of the weights after a list of this length."""
        if self.shape == "exponential":
            return (length * self._rate).exp()
        return self._half / (length + self._half)

    @property
    def _rate(self) -> float:
        """The change of the logarithm of 1 − C from rank to rank."""
        return math.log1p(-self.W) / self.n

    @property
    def _half(self) -> float:
        """The rank at which C of the hyperbola is 1/2."""
        return self.n * (1.0 - self.W) / self.W

    def of_document(self, tables: OrganizationTables, side: str) -> tuple[Table, Expr] | None:
        """The weight of one document, and its table by position or by grade; None if all weights are equal.

        Equal positions share their weight.  The tail shares the weight after the list; without a tail the list has all.
        """
        if self.shape == "uniform" or "priority" not in tables.tasks:
            return None
        table = tables.positions if side == "system" else tables.grades
        size = tables.cells.sum(tables.number, into=table, name="size")
        order, tail = (
            (col("position"), col("position") == NOT_RETRIEVED)
            if side == "system"
            else (0.0 - col("grade"), col("grade") <= 0.0)
        )
        by = table.column(order, "order")
        upto = table.over(size.cum_sum(), tables.keys, [by.name], "upto")
        # Counted in a table of few rows: windows over many rows are expensive.
        length, n_tail = (
            table.lookup(tables.cells.sum(when(rows).then(tables.number).otherwise(0.0)), of=tables.units)
            for rows in (~tail, tail)
        )
        total = when(n_tail > 0.0).then(1.0).otherwise(self.within(length))
        listed = self.between(upto - size, upto) / total
        return table, table.column(when(tail).then(self.beyond(length)).otherwise(listed) / size, f"{side}_weight")

    def at(self, tables: OrganizationTables, side: str, table: Table) -> Expr:
        """The weight of one document, at the rows of a table that has the document's position or grade."""
        weight_of = self.of_document(tables, side)
        if weight_of is None:
            return table.column(1.0 / tables.total(table), "uniform_weight")
        return table.lookup(weight_of[1], of=weight_of[0])


def _one_less_exponential(x: Expr) -> Expr:
    """1 − e^x for x ≤ 0, by Taylor's series where e^x is nearly 1."""
    series = lit(1.0)
    for k in range(TERMS, 1, -1):
        series = 1.0 + x / float(k) * series
    return when(x > -SMALL).then((0.0 - x) * series).otherwise(1.0 - x.exp())
