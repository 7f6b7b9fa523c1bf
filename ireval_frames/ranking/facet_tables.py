"""The tables of a ranking evaluation by subtopic or by assessor.

The ranking is the same; the keys of judgments and units have one more column.  A measure has a value per (run, query,
subtopic) or per (run, query, assessor), of which `Query.mean` makes one per (run, query).
"""

from __future__ import annotations

from functools import cached_property

import polars as pl

from ireval_frames.errors import Argument, Hint, InvalidValue, MissingColumn
from ireval_frames.expr import Expr, col
from ireval_frames.plan import Table
from ireval_frames.ranking.inputs.facets import WEIGHT
from ireval_frames.ranking.tables import RankingTables

# In condensed lists a document counts as judged if the same assessor judged it, but if it was judged for any subtopic:
# judgments by subtopic often list only what is relevant to it.
OWN_JUDGMENTS = ("assessor_id",)


class FacetTables(RankingTables):
    """The tables with one facet of the judgments among the keys.

    Args:
        base: the tables without it.
        facet: "subtopic_id" or "assessor_id".
        measure: the measure, for errors.

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
        return self.plan.grouped(f"judged_queries{self._suffix}", self.qrels, "query_id", *self.facet_keys)

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
    def queries(self) -> Table:
        """The same table: rows of queries that are not evaluated join no unit."""
        return self.judged_queries

    @cached_property
    def units(self) -> Table:
        """A row per (run, query, facet)."""
        return self.all_units(f"units{self._suffix}", (*self.list_keys, *self.facet_keys), self.judged_queries)

    @cached_property
    def judged(self) -> Table:
        """The retrieved rows, once for each facet they are judged for."""
        keys = (*self.ranked.keys, *self.facet_keys)
        return self.plan.joined(f"judged{self._suffix}", keys, self.ranked, self.qrels, on=("query_id", "doc_id"))

    @cached_property
    def retrieved(self) -> Table:
        """All retrieved rows, once for each facet of their query."""
        self.ranked_run.require_all_rows()
        keys = (*self.ranked.keys, *self.facet_keys)
        all_rows = self.plan.joined(f"ranked{self._suffix}", keys, self.ranked, self.judged_queries, on=("query_id",))
        return self.plan.joined(
            f"retrieved{self._suffix}",
            keys,
            all_rows,
            self.qrels,
            on=("query_id", *self.facet_keys, "doc_id"),
            how="left",
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
        all_rows = self.plan.joined(
            f"{name}_ranks", keys, self._condensed_ranks, self.judged_queries, on=("query_id", *self.base.facet_keys)
        )
        return self.plan.joined(
            name, keys, all_rows, self.qrels, on=("query_id", *self.facet_keys, "doc_id"), how="left"
        )

    @cached_property
    def _condensed_ranks(self) -> Table:
        """The condensed lists of the base tables, ranked."""
        base_lists = self.base.condensed
        return self.plan.selected(
            f"ranks{self._suffix}", base_lists.keys, base_lists, rank=self.base.condensed_rank(base_lists)
        )

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
        base_lists = self.base.condensed
        lengths = self.plan.grouped(f"lengths{self._suffix}", base_lists, *self.list_keys, *self.base.facet_keys)
        return into.lookup(base_lists.count(into=lengths), of=lengths).fill_null(0.0)


def bad_weight(rows: pl.DataFrame, count: int) -> InvalidValue:
    """The error of a subtopic's probability that is negative or missing."""
    return InvalidValue(
        f"Column {WEIGHT!r} of the qrels table must hold probabilities or other weights of 0 or more; {count} rows do "
        "not. The first:"
        f" query_id {rows['query_id'][0]!r}, subtopic_id {rows['subtopic_id'][0]!r}, {WEIGHT} {rows[WEIGHT][0]}.",
        "Give every row its subtopic's weight, or leave the column out: then all subtopics count alike.",
    )


def several_weights(rows: pl.DataFrame, count: int) -> InvalidValue:
    """The error of a subtopic with several probabilities."""
    return InvalidValue(
        f"Column {WEIGHT!r} of the qrels table differs within {count} subtopics; the first: query_id "
        f"{rows['query_id'][0]!r}, subtopic_id"
        f" {rows['subtopic_id'][0]!r}.",
        "Give all rows of a subtopic its one weight.",
    )


def missing_facet(facet: str, measure: str) -> MissingColumn:
    """The error that the judgments have no column of subtopics or assessors."""
    what = facet.removesuffix("_id")
    return MissingColumn(
        f"{measure} needs judgments by {what}, but the qrels table has no column {facet!r}.",
        Hint(
            "Read it: ",
            Argument("second", facet, "ir.io.scan_qrels(path, {})"),
            ", or name it: ",
            Argument("columns", {facet: "your_name"}),
            ".",
        ),
    )
