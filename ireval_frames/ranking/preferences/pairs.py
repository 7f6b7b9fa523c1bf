"""Preferences as a table of pairs.

It is needed for the transitive closure over several groups of an assessor (`closure`), and for pairs of documents on
which the opinions of several assessors are counted.

```
preferences   a row per (query, assessor, document, document it is preferred to)
counted       a row per (query, pair): how many assessors prefer it so
retrieved     the pairs whose better document is in a list, with the rank of the other one
lost          a row per retrieved document: the number of preferences with it as the other one
```
"""

from __future__ import annotations

from functools import cached_property

from ireval_frames.expr import Expr, col, lit, when
from ireval_frames.plan import Table
from ireval_frames.ranking.context import Query
from ireval_frames.ranking.preferences.closure import closure_of
from ireval_frames.ranking.tables import RankingTables


class PreferencePairs:
    """The preferences of a query, or of one of its assessors.

    Args:
        q: the context: of the query, or of each assessor.
        shared: only between documents that several assessors judged.
    """

    def __init__(self, q: Query, *, shared: bool = False) -> None:
        self.q, self.tables, self.plan, self.shared = q, q.tables, q.tables.plan, shared
        self.suffix = "_".join(
            ("", *(f.removesuffix("_id") for f in self.tables.facet_keys), *(("shared",) if shared else ()))
        )
        _ = q.rank  # refuses ties=expectation

    @cached_property
    def pairs(self) -> Table:
        """The preferences with their number of assessors, `n`."""
        each = assessed_pairs(self.tables, shared=self.shared)
        keys = (*self.tables.judged_queries.keys, "doc_id", "other_id")
        if set(each.keys) == set(keys):
            return self.plan.selected(f"preferences{self.suffix}_counted", keys, each, n=lit(1.0))
        grouped = self.plan.grouped(f"preferences{self.suffix}_grouped", each, *keys)
        return self.plan.selected(f"preferences{self.suffix}_counted", keys, grouped, n=each.count(into=grouped))

    @cached_property
    def shares(self) -> Table:
        """Per preference, the share of assessors who have it among those who prefer one of the two, and its weight."""
        keys = self.pairs.keys
        reversed_pairs = self.plan.selected(
            f"preferences{self.suffix}_reversed",
            keys,
            self.pairs,
            doc_id=col("other_id"),
            other_id=col("doc_id"),
            n_reversed=col("n"),
        )
        both = self.plan.joined(f"preferences{self.suffix}_both", keys, self.pairs, reversed_pairs, keys, "left")
        n_other_way = col("n_reversed").fill_null(0.0)
        share = col("n") / (col("n") + n_other_way)
        # A pair of documents that are both preferred by some assessor is two rows.
        pair = when(n_other_way > 0).then(0.5).otherwise(1.0)
        return self.plan.selected(f"shares{self.suffix}", keys, both, share=share, pair=pair, n=col("n"))

    def retrieved_pairs(self, pairs: Table) -> Table:
        """The pairs whose better document was retrieved, with the rank of the other one, null if it was not."""
        tables, name = self.tables, f"{pairs.name}_retrieved"
        keys = (*tables.list_keys, *pairs.keys[1:])
        better = self.plan.joined(f"{name}_better", keys, tables.ranked, pairs, on=("query_id", "doc_id"))
        return self.plan.joined(name, keys, better, self._others, on=(*tables.list_keys, "other_id"), how="left")

    @cached_property
    def _others(self) -> Table:
        """The ranked rows as the other documents of pairs."""
        tables = self.tables
        return self.plan.selected(
            "other_ranks",
            (*tables.list_keys, "other_id"),
            tables.ranked,
            other_id=col("doc_id"),
            other_rank=col("rank"),
        )

    def fulfilled(self, pairs: Table, weight: Expr, retrieved: int) -> Expr:
        """The weight of the pairs whose better document comes first; those not retrieved come last."""
        rows, other = self.retrieved_pairs(pairs), col("other_rank")
        absent = lit(0.0) if retrieved == 2 else weight
        term = when(other.is_null()).then(absent).otherwise(when(col("rank") < other).then(weight).otherwise(0.0))
        return rows.sum(term, into=self.tables.units)

    def possible(self, pairs: Table, weight: Expr, retrieved: int) -> Expr:
        """The weight of the pairs of which at least `retrieved` documents were retrieved."""
        tables = self.tables
        if retrieved == 0:
            return self.q.of_unit(pairs.sum(weight, into=tables.judged_queries))
        rows = self.retrieved_pairs(pairs)
        both = rows.sum(when(col("other_rank").is_null()).then(0.0).otherwise(weight), into=tables.units)
        if retrieved == 2:
            return both
        return rows.sum(weight, into=tables.units) + self._lost(pairs, weight) - both

    def others(self, pairs: Table) -> Table:
        """The documents to which others are preferred."""
        return self.plan.grouped(f"{pairs.name}_others", pairs, *self.tables.judged_queries.keys, "other_id")

    def _lost(self, pairs: Table, weight: Expr) -> Expr:
        """The weight of the pairs whose other document was retrieved."""
        tables, query_keys, others = self.tables, self.tables.judged_queries.keys, self.others(pairs)
        total = pairs.sum(weight, into=others)
        lost = self.plan.joined(
            f"{pairs.name}_lost",
            (*tables.list_keys, *query_keys[1:], "other_id"),
            self._others,
            others,
            on=("query_id", "other_id"),
        )
        return lost.sum(total, into=tables.units)


def assessed_pairs(tables: RankingTables, *, shared: bool) -> Table:
    """A row per query, assessor (if judgments have them), document and document it is preferred to."""
    plan = tables.plan
    by = tuple(f for f in ("assessor_id", "subgroup_id") if f in tables.facets)
    judged = tables.ranked_run.graded(*by)
    if "subgroup_id" in by:
        return closure_of(plan, judged, ("query_id", *by[:-1]))
    if shared:
        documents = plan.grouped("assessed_documents", judged, "query_id", "doc_id")
        several = plan.selected("shared_documents", documents.keys, documents, where=judged.count(into=documents) > 1)
        judged = plan.joined("shared_judgments", judged.keys, judged, several, on=documents.keys)
    keys, name = ("query_id", *by), "shared_" if shared else ""
    levels = plan.grouped(f"{name}levels", judged, *keys, "relevance")
    lower = plan.selected(f"{name}lower", (*keys, "lower"), levels, lower=col("relevance"))
    steps = plan.joined(f"{name}all_steps", (*keys, "relevance", "lower"), levels, lower, on=keys)
    down = plan.selected(f"{name}steps", steps.keys, steps, where=col("relevance") > col("lower"))
    better = plan.joined(f"{name}better", (*keys, "doc_id", "lower"), judged, down, on=(*keys, "relevance"))
    others = plan.selected(
        f"{name}others", (*keys, "other_id", "lower"), judged, other_id=col("doc_id"), lower=col("relevance")
    )
    return plan.joined(f"{name}preferences", (*keys, "doc_id", "other_id"), better, others, on=(*keys, "lower"))
