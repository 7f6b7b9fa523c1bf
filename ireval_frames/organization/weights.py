"""How much a document weighs: the first n carry the share W, and all together 1."""

from __future__ import annotations

import math
from dataclasses import dataclass

import narwhals.stable.v2 as nw

from ireval_frames.engines import expressions
from ireval_frames.organization.inputs import TAIL
from ireval_frames.organization.tables import OrganizationTables
from ireval_frames.plan import Table

WEIGHTS = ("exponential", "hyperbolic", "uniform")


@dataclass(frozen=True)
class Weights:
    """The weights of documents by their place in a list: C(k) is what the first k of an endless list carry."""

    n: float
    W: float
    kind: str

    def between(self, above: nw.Expr, upto: nw.Expr) -> nw.Expr:
        """C(upto) − C(above), without cancellation in long lists."""
        if self.kind == "exponential":
            rate = math.log1p(-self.W) / self.n
            return (above * rate).exp() * (1.0 - ((upto - above) * rate).exp())
        c = self._half
        return c * (upto - above) / ((above + c) * (upto + c))

    def beyond(self, found: nw.Expr) -> nw.Expr:
        """1 − C(found): what the tail carries."""
        if self.kind == "exponential":
            return (found * (math.log1p(-self.W) / self.n)).exp()
        return self._half / (found + self._half)

    @property
    def _half(self) -> float:
        """At which rank the hyperbola has given half of the weight."""
        return self.n * (1.0 - self.W) / self.W

    def of_document(self, tables: OrganizationTables, side: str) -> tuple[Table, nw.Expr] | None:
        """The weight of one document and the table it stands in: by place, or by grade; None where all weigh the same.

        Equal places share their mass.  The tail shares what the list leaves of the whole;
        without a tail the list has all.
        """
        if self.kind == "uniform" or "priority" not in tables.tasks:
            return None
        table = tables.placed if side == "system" else tables.graded
        size = tables.cells.sum(tables.number, into=table, name="size")
        order, tail = (
            (nw.col("place"), nw.col("place") == TAIL)
            if side == "system"
            else (0.0 - nw.col("grade"), nw.col("grade") <= 0.0)
        )
        by = table.column(order, "order")
        upto = table.over(size.cum_sum(), tables.keys, [expressions.name(by)], "upto")
        # Counted in a table of few rows: windows over many are dear.
        found, left = (
            table.take(
                tables.cells.sum(nw.when(which).then(tables.number).otherwise(0.0), into=tables.lengths),
                of=tables.lengths,
            )
            for which in (~tail, tail)
        )
        whole = nw.when(left > 0.0).then(1.0).otherwise(1.0 - self.beyond(found))
        listed = self.between(upto - size, upto) / whole
        return table, table.column(nw.when(tail).then(self.beyond(found)).otherwise(listed) / size, f"{side}_weight")

    def at(self, tables: OrganizationTables, side: str, table: Table) -> nw.Expr:
        """The weight of one document, at the rows of a table that has the document's place or grade."""
        found = self.of_document(tables, side)
        if found is None:
            return table.column(1.0 / tables.total(table), "uniform_weight")
        return table.take(found[1], of=found[0])
