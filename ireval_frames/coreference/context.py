"""The context of measures of coreference: what their functions compute with."""

from __future__ import annotations

import polars as pl

from ireval_frames import per
from ireval_frames.conventions.coreference import CoreferencePolicy
from ireval_frames.coreference.tables import GOLD, CoreferenceTables, Side
from ireval_frames.documents.context import DocumentContext
from ireval_frames.expr import Expr, col, lit, when
from ireval_frames.kernels.assignment import assignment_step
from ireval_frames.plan import Table
from ireval_frames.ratios import ratio


class CoreferenceContext(DocumentContext[CoreferenceTables]):
    """What a measure of coreference computes with."""

    policy: CoreferencePolicy

    @property
    def gold(self) -> Side:
        """The entities of the gold: `size` and `matched` at the entities, `at_cells` at the cells."""
        return self.tables.sides["gold"]

    @property
    def predicted(self) -> Side:
        """The predicted entities: `size` and `matched` at the entities, `at_cells` at the cells."""
        return self.tables.sides["predicted"]

    @property
    def size(self) -> per.Cell:
        """At the cells: the number of mentions that a gold and a predicted entity share."""
        return col("size") if self.tables.adds else self.tables.common.count(into=self.tables.cells)

    def over_cells(self, term: per.Cell, into: Table | None = None) -> per.Unit:
        """The sum of a term over the cells, in the current unit or in another table, such as documents."""
        return self.sum(self.tables.cells, self._copies(term), into)

    def over(self, side: Side, term: per.Cluster | None = None, into: Table | None = None) -> per.Unit:
        """The sum of a term over the entities of one side, or their number."""
        return self.sum(side.clusters, self._copies(lit(1.0) if term is None else term), into)

    def _copies(self, term: Expr) -> Expr:
        return term * col("copies") if self.tables.adds else term

    def of_user(self, term: per.Same) -> per.Same:
        """At the cells or the gold entities: the term, and 0 for those that a policy adds to the gold."""
        return when(~col(GOLD).is_null()).then(term).otherwise(0.0) if self.tables.adds else term

    def assigned(self, by: str) -> per.Unit:
        """The largest sum over an assignment of a document's predicted entities to its gold entities, one to one.

        Args:
            by: what is summed: "size", the number of mentions that both share, or "similarity", that times 2 over the
                sizes of both.
        """
        tables, plan = self.tables, self.tables.plan
        of = self.size
        value = of if by == "size" else 2.0 * of / (self.gold.at_cells + self.predicted.at_cells)
        cells, rows, columns = tables.alignment(by, value)
        step = assignment_step(tables.keys, rows, columns, by)
        matched = plan.applied(f"assignment_by_{by}", tables.keys, cells, step, {"matched": pl.Float64}, by=tables.keys)
        return self.over_documents(tables.documents.lookup(col("matched"), of=matched).fill_null(0.0))

    def f(self, precision: per.Same, recall: per.Same) -> per.Same:
        """The harmonic mean; undefined where both are, and 0 where only one is: the other one is 0 there."""
        p, r = self.unit.column(precision), self.unit.column(recall)
        some, p, r = ~(p.is_null() & r.is_null()), p.fill_null(0.0), r.fill_null(0.0)
        return when(some).then(when(p + r > 0).then(ratio(2.0 * p * r, p + r)).otherwise(0.0))
