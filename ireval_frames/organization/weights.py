"""How much a document weighs: the first n carry the share W, and all together 1."""

from __future__ import annotations

import math
from dataclasses import dataclass

from ireval_frames.expr import Expr, col, lit, when
from ireval_frames.organization.inputs import NOT_RETRIEVED
from ireval_frames.organization.tables import OrganizationTables
from ireval_frames.plan import Table

WEIGHTS = ("exponential", "hyperbolic", "uniform")

# Exponents up to this are small: so many terms of the series are exact.
SMALL, TERMS = 0.01, 7


@dataclass(frozen=True)
class Weights:
    """The weights of documents by their position in a list: C(k) is what the first k of an endless list carry."""

    n: float
    W: float
    kind: str

    def between(self, above: Expr, upto: Expr) -> Expr:
        """C(upto) − C(above), without cancellation in long lists and of flat weights."""
        if self.kind == "exponential":
            return (above * self._rate).exp() * _one_less_exponential((upto - above) * self._rate)
        c = self._half
        return c / (above + c) * ((upto - above) / (upto + c))

    def within(self, found: Expr) -> Expr:
        """C(found): what a list has of the whole."""
        if self.kind == "exponential":
            return _one_less_exponential(found * self._rate)
        return found / (found + self._half)

    def beyond(self, found: Expr) -> Expr:
        """1 − C(found): what the tail carries."""
        if self.kind == "exponential":
            return (found * self._rate).exp()
        return self._half / (found + self._half)

    @property
    def _rate(self) -> float:
        """How the logarithm of what is beyond changes from rank to rank."""
        return math.log1p(-self.W) / self.n

    @property
    def _half(self) -> float:
        """At which rank the hyperbola has given half of the weight."""
        return self.n * (1.0 - self.W) / self.W

    def of_document(self, tables: OrganizationTables, side: str) -> tuple[Table, Expr] | None:
        """The weight of one document, and the table by position or by grade that has it; None where all weigh the same.

        Equal positions share their mass.  The tail shares what the list leaves of the whole;
        without a tail the list has all.
        """
        if self.kind == "uniform" or "priority" not in tables.tasks:
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
        # Counted in a table of few rows: windows over many are dear.
        found, left = (
            table.lookup(tables.cells.sum(when(which).then(tables.number).otherwise(0.0)), of=tables.units)
            for which in (~tail, tail)
        )
        whole = when(left > 0.0).then(1.0).otherwise(self.within(found))
        listed = self.between(upto - size, upto) / whole
        return table, table.column(when(tail).then(self.beyond(found)).otherwise(listed) / size, f"{side}_weight")

    def at(self, tables: OrganizationTables, side: str, table: Table) -> Expr:
        """The weight of one document, at the rows of a table that has the document's position or grade."""
        found = self.of_document(tables, side)
        if found is None:
            return table.column(1.0 / tables.total(table), "uniform_weight")
        return table.lookup(found[1], of=found[0])


def _one_less_exponential(x: Expr) -> Expr:
    """1 − e^x for x ≤ 0, also where e^x is 1 but for the last digits: Taylor's series there."""
    series = lit(1.0)
    for k in range(TERMS, 1, -1):
        series = 1.0 + x / float(k) * series
    return when(x > -SMALL).then((0.0 - x) * series).otherwise(1.0 - x.exp())
