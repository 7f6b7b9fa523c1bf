"""The tables of a ranking evaluation, seen one subtopic or one assessor at a time.

The ranking is the same; a judgment's key and a unit's key have one column more.  A measure computed here has a value
per (run, query, subtopic) or per (run, query, assessor), and `Query.mean` leads back to (run, query).
"""

from __future__ import annotations

from functools import cached_property

import polars as pl

from ireval_frames.errors import Argument, Hint, InvalidValue, MissingColumn
from ireval_frames.expr import Expr, col
from ireval_frames.plan import Table
from ireval_frames.ranking.inputs.facets import WEIGHT
from ireval_frames.ranking.tables import RankingTables

# Whose judgments make a document a judged one in condensed lists: the assessor's own, but those for any subtopic, since
# judgments by subtopic often list only what is relevant to it.
OWN_JUDGMENTS = ("assessor_id",)


class FacetTables(RankingTables):
    """The tables with one facet of the judgments among the keys.

    Args:
        base: the tables without it.
        facet: "subtopic_id" or "assessor_id".
        measure: who asks, for errors.

    Raises:
        MissingColumn: the judgments have no such column.
    """

    def __init__(self, base: RankingTables, facet: str, measure: str) -> None:
        if facet not in base.facets:
            raise missing_facet(facet, measure)
        self.base, self.facet, self.facet_keys = base, facet, (*base.facet_keys, facet)
        self._suffix = "_".join(("_by", *(f.removesuffix("_id") for f in self.facet_keys)))
        super().__init__(base.ranked_run)

    @cached_property
    def judged_queries(self) -> Table:
        """A row per judged (query, facet)."""
        return self.plan.grouped(f"topics{self._suffix}", self.qrels, "query_id", *self.facet_keys)

    @property
    def weight(self) -> Expr | None:
        """How much each row of `judged_queries` counts in a mean.

        The subtopic's probability, if the judgments have it.
        """
        if self.facet != "subtopic_id" or not self.weighted:
            return None
        weight = col(WEIGHT)
        self.plan.require(self.judgments, weight.is_null() | ~weight.is_finite() | (weight < 0), bad_weight)
        largest = self.judgments.max(weight, into=self.judged_queries)
        smallest = self.judgments.min(weight, into=self.judged_queries)
        self.plan.require(self.judged_queries, largest != smallest, several_weights)
        return largest

    @property
    def topics(self) -> Table:
        """The same: those of queries that are not evaluated meet no unit."""
        return self.judged_queries

    @cached_property
    def units(self) -> Table:
        """A row per (run, query, facet)."""
        return self.spine(f"units{self._suffix}", (*self.list_keys, *self.facet_keys), self.judged_queries)

    @cached_property
    def judged(self) -> Table:
        """The retrieved rows, once for each facet they are judged for."""
        keys = (*self.ranked.keys, *self.facet_keys)
        return self.plan.joined(f"judged{self._suffix}", keys, self.ranked, self.qrels, on=("query_id", "doc_id"))

    @cached_property
    def retrieved(self) -> Table:
        """All retrieved rows, once for each facet of their query."""
        self.ranked_run.wants_all_rows()
        keys = (*self.ranked.keys, *self.facet_keys)
        every = self.plan.joined(f"ranked{self._suffix}", keys, self.ranked, self.judged_queries, on=("query_id",))
        return self.plan.joined(
            f"retrieved{self._suffix}", keys, every, self.qrels, on=("query_id", *self.facet_keys, "doc_id"), how="left"
        )

    @cached_property
    def condensed(self) -> Table:
        """The judged rows with their ranks among the documents that count as judged."""
        name = f"condensed{self._suffix}"
        if self.facet in OWN_JUDGMENTS:
            return self.plan.selected(name, self.judged.keys, self.judged, where=col("relevance") >= 0)
        return self.plan.joined(
            name, self.judged.keys, self._condensed_ranks, self.qrels, on=("query_id", *self.base.facet_keys, "doc_id")
        )

    @cached_property
    def condensed_lists(self) -> Table:
        """All documents that count as judged, once for each facet."""
        if self.facet in OWN_JUDGMENTS:
            return self.condensed
        name, keys = f"condensed_lists{self._suffix}", self.judged.keys
        every = self.plan.joined(
            f"{name}_ranks", keys, self._condensed_ranks, self.judged_queries, on=("query_id", *self.base.facet_keys)
        )
        return self.plan.joined(name, keys, every, self.qrels, on=("query_id", *self.facet_keys, "doc_id"), how="left")

    @cached_property
    def _condensed_ranks(self) -> Table:
        """The condensed lists of the base tables, ranked."""
        above = self.base.condensed
        return self.plan.selected(f"ranks{self._suffix}", above.keys, above, rank=self.base.condensed_rank(above))

    def condensed_rank(self, rows: Table) -> Expr:
        """The rank in the condensed list."""
        if self.facet in OWN_JUDGMENTS:
            return super().condensed_rank(rows)
        return rows.column(col("rank").cast(pl.Float64), "condensed_rank")

    def num_retrieved(self, *, judged_only: bool, into: Table | None = None) -> Expr:
        """The number of documents of each unit's list, which is the same list for each facet."""
        into = into or self.units
        if judged_only and self.facet in OWN_JUDGMENTS:
            return self.condensed.count(into=into)
        if not judged_only:
            return into.lookup(col("n").cast(pl.Float64), of=self.lists).fill_null(0.0)
        above = self.base.condensed
        counted = self.plan.grouped(f"lengths{self._suffix}", above, *self.list_keys, *self.base.facet_keys)
        return into.lookup(above.count(into=counted), of=counted).fill_null(0.0)


def bad_weight(rows: pl.DataFrame, count: int) -> InvalidValue:
    """A subtopic's probability is negative or missing."""
    return InvalidValue(
        f"Column {WEIGHT!r} of the qrels table must hold probabilities or other weights of 0 or more; {count} rows do "
        "not. The first:"
        f" query_id {rows['query_id'][0]!r}, subtopic_id {rows['subtopic_id'][0]!r}, {WEIGHT} {rows[WEIGHT][0]}.",
        "Give every row its subtopic's weight, or leave the column out: then all subtopics count alike.",
    )


def several_weights(rows: pl.DataFrame, count: int) -> InvalidValue:
    """A subtopic has several probabilities."""
    return InvalidValue(
        f"Column {WEIGHT!r} of the qrels table differs within {count} subtopics; the first: query_id "
        f"{rows['query_id'][0]!r}, subtopic_id"
        f" {rows['subtopic_id'][0]!r}.",
        "Give all rows of a subtopic its one weight.",
    )


def missing_facet(facet: str, measure: str) -> MissingColumn:
    """The judgments do not say which subtopic or assessor they belong to."""
    what = facet.removesuffix("_id")
    return MissingColumn(
        f"{measure} needs judgments by {what}, but the qrels table has no column {facet!r}.",
        Hint(
            "Read it: ",
            Argument("second", facet, "ir.io.scan_qrels(path, {})"),
            ", or name it: ",
            Argument("columns", {facet: "their_name"}),
            ".",
        ),
    )
