"""Preferences between documents that follow from grades, and how many of them a list fulfils.

An assessor prefers a document to all documents of a smaller grade.  These pairs are not listed: documents of smaller
grades are counted by grade, those ranked above a retrieved one by a running count for each grade.

```
levels   a row per query, assessor and grade: the number of documents with it, a smaller and a larger one
ladder   a row per retrieved judged document and grade: the number of documents of this grade down to it
```
"""

from __future__ import annotations

from functools import cached_property

from ireval_frames.expr import Expr, col, when
from ireval_frames.plan import Table
from ireval_frames.ranking.context import Query
from ireval_frames.ratios import indicator


class Preferences:
    """The preferences of a query, or of one assessor of it, for judgments that can be compared with each other.

    Args:
        q: the context of the query, or of each assessor.
        of_relevant: only preferences for documents above grade 0.
        to_relevant: only preferences to documents above grade 0.
        of_grades: preferences by a document's grade, the largest over assessors; documents of a negative grade, which
            are pooled and not judged, are left out.
    """

    def __init__(
        self, q: Query, *, of_relevant: bool = False, to_relevant: bool = False, of_grades: bool = False
    ) -> None:
        self.q, self.of_relevant, self.to_relevant = q, of_relevant, to_relevant
        _ = q.rank  # refuses ties=expectation
        by_assessor = "assessor_id" in q.tables.facets and "assessor_id" not in q.tables.facet_keys and not of_grades
        self.tables = q.each("assessor_id").tables if by_assessor else q.tables
        self.plan, self.query_keys = self.tables.plan, self.tables.judged_queries.keys
        self._suffix = "_".join(("", *(f.removesuffix("_id") for f in self.tables.facet_keys)))
        self._judgments, self._judged = self.tables.qrels, self.tables.judged
        if of_grades:
            self._suffix += "_of_grades"
            self._judgments, self._judged = (
                self.plan.selected(f"{table.name}_of_grades", table.keys, table, where=col("relevance") >= 0)
                for table in (self._judgments, self._judged)
            )

    @property
    def num_retrieved(self) -> Expr:
        """The number of retrieved documents between which there may be preferences."""
        return self._judged.count(into=self.q.tables.units)

    @cached_property
    def _levels(self) -> Table:
        return self.plan.grouped(f"levels{self._suffix}", self._judgments, *self.query_keys, "relevance")

    @property
    def _n(self) -> Expr:
        """The number of documents with the grade."""
        return self._judgments.count(into=self._levels)

    @property
    def _smaller(self) -> Expr:
        """The number of documents with a smaller grade, to which these are preferred."""
        positive = col("relevance") > 0
        counted = self._levels.column(when(positive).then(self._n).otherwise(0.0)) if self.to_relevant else self._n
        smaller = self._levels.over(counted.cum_sum(), self.query_keys, ["relevance"], "up_to") - counted
        return when(positive).then(smaller).otherwise(0.0) if self.of_relevant else smaller

    @property
    def _larger(self) -> Expr:
        return self._levels.over(self._n.sum(), self.query_keys) - self._smaller - self._n

    @cached_property
    def _ladder(self) -> Table:
        lower = self.plan.selected(
            f"lower_levels{self._suffix}", (*self.query_keys, "lower"), self._levels, lower=col("relevance")
        )
        return self.plan.joined(
            f"ladder{self._suffix}", (*self._judged.keys, "lower"), self._judged, lower, on=self.query_keys
        )

    def _retrieved(self, *, in_order: bool) -> Expr:
        """The number of pairs of retrieved documents; with `in_order` those whose better document comes first."""
        ladder, units = self._ladder, (*self.tables.units.keys, "lower")
        is_level = ladder.column(indicator(col("relevance") == col("lower")), "of_level")
        retrieved = ladder.over(is_level.sum(), units, name="of_level_retrieved")
        counts = col("relevance") > col("lower")
        counts = counts & (col("relevance") > 0) if self.of_relevant else counts
        counts = counts & (col("lower") > 0) if self.to_relevant else counts
        worse_documents = (
            retrieved - ladder.over(is_level.cum_sum(), units, ["rank"], "of_level_so_far") if in_order else retrieved
        )
        return ladder.sum(when(counts).then(worse_documents).otherwise(0.0), into=self.q.tables.units)

    def _of_retrieved(self, level: Expr) -> Expr:
        judged = self._judged
        return judged.sum(judged.lookup(level, of=self._levels), into=self.q.tables.units)

    def fulfilled(self, retrieved: int) -> Expr:
        """The number of preferences whose better document comes first; those not retrieved come last."""
        both = self._retrieved(in_order=True)
        if retrieved == 2:
            return both
        return self._of_retrieved(self._smaller) - self._retrieved(in_order=False) + both

    def possible(self, retrieved: int) -> Expr:
        """The number of preferences of which at least `retrieved` documents were retrieved."""
        if retrieved == 0:
            queries = self.q.tables.judged_queries
            return self.q.of_unit(self._levels.sum(self._n * self._smaller, into=queries))
        both = self._retrieved(in_order=False)
        return both if retrieved == 2 else self._of_retrieved(self._smaller + self._larger) - both
