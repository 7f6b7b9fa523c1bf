"""Preferences with as many non-relevant documents as relevant ones.

`Balanced` is for grades that can all be compared, `BalancedPairs` for judgments in several groups of an assessor.
"""

from __future__ import annotations

from functools import cached_property

import polars as pl

from ireval_frames.expr import Expr, col, lit, when
from ireval_frames.plan import Table
from ireval_frames.ranking.context import Query
from ireval_frames.ranking.preferences.implied import Preferences
from ireval_frames.ranking.preferences.pairs import PreferencePairs
from ireval_frames.ratios import indicator


def balanced(q: Query, *, both: bool, as_trec_eval: bool) -> Expr:
    """The mean over assessors of preferences fulfilled to preferences, in the context of a query.

    Args:
        q: the context.
        both: count retrieved documents only.
        as_trec_eval: count as trec_eval's code does.
    """
    counts_of = BalancedPairs if "subgroup_id" in q.tables.facets else Balanced
    if "assessor_id" not in q.tables.facets:
        counts = counts_of(q, both=both, as_trec_eval=as_trec_eval)
        return q.ratio(counts.fulfilled, counts.possible)
    each = q.each("assessor_id")
    counts = counts_of(each, both=both, as_trec_eval=as_trec_eval)
    value = q.mean(each, q.ratio(counts.fulfilled, counts.possible).fill_null(0.0))
    if not as_trec_eval:
        return value
    # trec_eval gives 0 for all assessors if one of them has no preference.
    least = each.tables.units.min(counts.possible, into=q.tables.units)
    return when(least > 0).then(value).otherwise(0.0)


class Balanced:
    """The counts of one assessor."""

    def __init__(self, q: Query, *, both: bool, as_trec_eval: bool) -> None:
        self.q, self.both, self.as_trec_eval = q, both, as_trec_eval
        self.known, self.among_relevant = Preferences(q, of_relevant=True), Preferences(q, to_relevant=True)
        tables, rows = q.tables, q.tables.judged
        good, bad = indicator(col("relevance") > 0), indicator(col("relevance") <= 0)
        self.good, self.bad = rows.column(good, "good"), rows.column(bad, "bad")
        self.all_relevant = q.of_unit(tables.sum_by_query(good))
        self.retrieved_relevant = rows.sum(self.good, into=tables.units)
        self.retrieved_nonrelevant = rows.sum(self.bad, into=tables.units)
        # The numbers that are balanced.
        self.relevant = self.retrieved_relevant if both else self.all_relevant
        self.nonrelevant = self.retrieved_nonrelevant if both else q.of_unit(tables.sum_by_query(bad))
        self.retrieved = 2 if both else 0

    @cached_property
    def fulfilled(self) -> Expr:
        """The number of preferences fulfilled."""
        filled_up = self.known.fulfilled(self.retrieved) + self.retrieved_relevant * (self.relevant - self.nonrelevant)
        cut = self.among_relevant.fulfilled(self.retrieved) + self._before_first()
        if self.as_trec_eval:
            # The last grade is compared with itself.
            counted = (
                when(self.retrieved_nonrelevant < self.relevant)
                .then(self.retrieved_nonrelevant)
                .otherwise(self.relevant)
            )
            cut = cut + counted * self.relevant - counted * (counted + 1.0) / 2.0
        return when(self.relevant >= self.nonrelevant).then(filled_up).otherwise(cut)

    @cached_property
    def possible(self) -> Expr:
        """The number of preferences."""
        n_relevant = self.all_relevant if self.as_trec_eval else self.relevant
        filled_up = self.known.possible(self.retrieved) + n_relevant * (self.relevant - self.nonrelevant)
        cut = self.among_relevant.possible(self.retrieved) + self.relevant * self.relevant
        cut = cut + self.nonrelevant * self.relevant if self.as_trec_eval else cut
        return when(self.relevant >= self.nonrelevant).then(filled_up).otherwise(cut)

    def _before_first(self) -> Expr:
        """The preferences fulfilled to the first non-relevant documents, as many as there are relevant ones."""
        tables, rows, keys = self.q.tables, self.q.tables.judged, self.q.tables.units.keys
        position = rows.over(self.bad.cum_sum(), keys, ["rank"], "nonrelevant_so_far")
        above = rows.over(self.good.cum_sum(), keys, ["rank"], "relevant_so_far")
        limit = rows.over(self.good.sum(), keys, name="relevant_retrieved") if self.both else self._relevant_of_rows()
        first = rows.sum(when(position <= limit).then(self.bad * above).otherwise(0.0), into=tables.units)
        if self.both:
            return first
        # The number of documents that were not retrieved among the first ones.
        n_missing = self.relevant - self.retrieved_nonrelevant
        return first + self.retrieved_relevant * when(n_missing > 0).then(n_missing).otherwise(0.0)

    def _relevant_of_rows(self) -> Expr:
        tables = self.q.tables
        return tables.judged.lookup(tables.sum_by_query(indicator(col("relevance") > 0)), of=tables.judged_queries)


class BalancedPairs:
    """The counts of one assessor.

    Args:
        q: the context of each assessor, or of queries with one.
        both: count retrieved documents only.
        as_trec_eval: count as trec_eval's code does.
    """

    def __init__(self, q: Query, *, both: bool, as_trec_eval: bool) -> None:
        self.q, self.tables, self.plan, self.both, self.as_trec_eval = q, q.tables, q.tables.plan, both, as_trec_eval
        self.known = PreferencePairs(q)
        tables = self.tables
        good, bad = indicator(col("relevance") > 0), indicator(col("relevance") <= 0)
        self.relevant, self.nonrelevant = q.of_unit(tables.sum_by_query(good)), q.of_unit(tables.sum_by_query(bad))
        self.retrieved_relevant = tables.judged.sum(good, into=tables.units)
        self.retrieved_nonrelevant = tables.judged.sum(bad, into=tables.units)

    @property
    def _enough(self) -> Expr:
        """Whether there are as many relevant documents as others."""
        return self.retrieved_relevant >= self.retrieved_nonrelevant if self.both else self.relevant >= self.nonrelevant

    @cached_property
    def pairs(self) -> Table:
        """The preferences for relevant documents; with grades of 0 or more there are no others."""
        all_pairs, keys = self.known.pairs, self.known.pairs.keys
        grade = all_pairs.lookup(col("relevance"), of=self.tables.qrels)
        return self.plan.selected(f"{all_pairs.name}_of_relevant", keys, all_pairs, where=grade > 0, n=col("n"))

    @cached_property
    def fulfilled(self) -> Expr:
        """The number of preferences fulfilled."""
        pairs = self.pairs
        n_missing = (
            self.retrieved_relevant - self.retrieved_nonrelevant if self.both else self.relevant - self.nonrelevant
        )
        filled_up = self.known.fulfilled(pairs, lit(1.0), 2 if self.both else 0) + self.retrieved_relevant * n_missing
        before = (
            when(col("other_rank").is_null())
            .then(0.0 if self.both else 1.0)
            .otherwise(indicator(col("rank") < col("other_rank")))
        )
        cut = self._retrieved_pairs.sum(
            before * self._counts(self._retrieved_pairs), into=self.tables.units
        ) + self._among_nonrelevant(fulfilled=True)
        return when(self._enough).then(filled_up).otherwise(cut)

    @cached_property
    def possible(self) -> Expr:
        """The number of preferences."""
        pairs, tables = self.pairs, self.tables
        relevant = self.retrieved_relevant if self.both and not self.as_trec_eval else self.relevant
        n_missing = (
            self.retrieved_relevant - self.retrieved_nonrelevant if self.both else self.relevant - self.nonrelevant
        )
        filled_up = self.known.possible(pairs, lit(1.0), 2 if self.both else 0) + relevant * n_missing
        if self.both:
            retrieved = when(col("other_rank").is_null()).then(0.0).otherwise(1.0)
            cut = self._retrieved_pairs.sum(retrieved * self._counts(self._retrieved_pairs), into=tables.units)
        else:
            others = self.known.others(pairs)
            n_pairs = pairs.count(into=others)
            of_relevant = others.sum(
                n_pairs * indicator(others.lookup(col("other_grade"), of=self._grades) > 0), into=tables.judged_queries
            )
            below = self.plan.selected(
                f"{others.name}_as_documents", tables.qrels.keys, others, doc_id=col("other_id"), times=n_pairs
            )
            counted_documents = self._ranked.sum(
                self._counted * self._ranked.lookup(col("times"), of=below).fill_null(0.0), into=tables.units
            )
            cut = self.q.of_unit(of_relevant) + counted_documents
        return when(self._enough).then(filled_up).otherwise(cut + self._among_nonrelevant(fulfilled=False))

    # ---- where there are more documents that are not relevant: the first of them

    @cached_property
    def _ranked(self) -> Table:
        """A row per list and non-relevant document, retrieved or not."""
        plan, tables, name = self.plan, self.tables, f"nonrelevant{self.known.suffix}"
        bad = plan.selected(name, tables.qrels.keys, tables.qrels, where=col("relevance") <= 0)
        keys = (*tables.units.keys, "doc_id")
        listed = tables.all_units(f"{name}_lists", keys, bad)
        return plan.joined(f"{name}_ranked", keys, listed, tables.ranked, on=(*tables.list_keys, "doc_id"), how="left")

    @cached_property
    def _counted(self) -> Expr:
        """1 for the first of the non-relevant documents: retrieved ones by rank, then the others by id."""
        placed, tables, rank = self._ranked, self.tables, col("rank")
        last = placed.column(when(rank.is_null()).then(float("inf")).otherwise(rank.cast(pl.Float64)), "place")
        position = placed.over(
            last.cum_count().cast(pl.Float64),
            tables.units.keys,
            [last.name, "doc_id"],
            "among_nonrelevant",
        )
        limit = placed.lookup(tables.sum_by_query(indicator(col("relevance") > 0)), of=tables.judged_queries)
        if not self.both:
            return placed.column(indicator(position <= limit), "counted")
        lists = self.plan.grouped(f"judged_lists{self.known.suffix}", tables.judged, *tables.units.keys)
        retrieved = placed.lookup(tables.judged.sum(indicator(col("relevance") > 0), into=lists), of=lists).fill_null(
            0.0
        )
        if self.as_trec_eval:
            retrieved = when(placed.lookup(self._groups, of=tables.judged_queries) > 1).then(limit).otherwise(retrieved)
        return placed.column(when(rank.is_null()).then(0.0).otherwise(indicator(position <= retrieved)), "counted")

    @cached_property
    def _retrieved_pairs(self) -> Table:
        return self.known.retrieved_pairs(self.pairs)

    @cached_property
    def _grades(self) -> Table:
        """The grades of documents as the other ones of pairs."""
        tables = self.tables
        keys = (*tables.judged_queries.keys, "other_id")
        return self.plan.selected(
            f"other_grades{self.known.suffix}",
            keys,
            tables.qrels,
            other_id=col("doc_id"),
            other_grade=col("relevance"),
        )

    def _counts(self, retrieved_pairs: Table) -> Expr:
        """1 for pairs whose other document is relevant or counted."""
        keys = (*self.tables.units.keys, "other_id")
        name = f"counted{self.known.suffix}_{int(self.both)}_{int(self.as_trec_eval)}"
        counted_documents = self.plan.selected(
            name, keys, self._ranked, other_id=col("doc_id"), **{name: self._counted}
        )
        counted = retrieved_pairs.lookup(col(name), of=counted_documents).fill_null(0.0)
        return when(retrieved_pairs.lookup(col("other_grade"), of=self._grades) > 0).then(1.0).otherwise(counted)

    @property
    def _groups(self) -> Expr:
        """In how many groups the judged query's judgments are."""
        tables, plan = self.tables, self.plan
        groups = plan.grouped(
            f"groups{self.known.suffix}", tables.judgments, *tables.judged_queries.keys, "subgroup_id"
        )
        return groups.count(into=tables.judged_queries)

    def _among_nonrelevant(self, *, fulfilled: bool) -> Expr:
        """The pairs of non-relevant documents that trec_eval's code counts, if they are in one group."""
        if not self.as_trec_eval:
            return lit(0.0)
        if self.both:
            first = self.retrieved_relevant
            extra = first * (first - 1.0) / 2.0 if fulfilled else self.retrieved_nonrelevant * first
        else:
            first = self.relevant
            num_first = when(self.retrieved_nonrelevant < first).then(self.retrieved_nonrelevant).otherwise(first)
            extra = num_first * first - num_first * (num_first + 1.0) / 2.0 if fulfilled else self.nonrelevant * first
        return when(self.q.of_unit(self._groups) > 1).then(0.0).otherwise(extra)
