"""Preferences with as many non-relevant documents as relevant ones, for judgments in several groups of an assessor."""

from __future__ import annotations

from functools import cached_property

import polars as pl

from ireval_frames.expr import Expr, col, lit, when
from ireval_frames.plan import Table
from ireval_frames.ranking.context import Query
from ireval_frames.ranking.preferences.pairs import PreferencePairs
from ireval_frames.ratios import indicator


class BalancedPairs:
    """The counts of one assessor.

    Args:
        q: the context of each assessor, or of queries with one.
        both: count retrieved documents only.
        as_trec_eval: count as its code does.
    """

    def __init__(self, q: Query, *, both: bool, as_trec_eval: bool) -> None:
        self.q, self.tables, self.plan, self.both, self.as_trec_eval = q, q.tables, q.tables.plan, both, as_trec_eval
        self.known = PreferencePairs(q)
        tables = self.tables
        good, bad = indicator(col("relevance") > 0), indicator(col("relevance") <= 0)
        self.relevant, self.nonrelevant = q.of_unit(tables.num_of_topic(good)), q.of_unit(tables.num_of_topic(bad))
        self.relevant_found = tables.judged.sum(good, into=tables.units)
        self.nonrelevant_found = tables.judged.sum(bad, into=tables.units)

    @property
    def _enough(self) -> Expr:
        """Whether there are as many relevant documents as others."""
        return self.relevant_found >= self.nonrelevant_found if self.both else self.relevant >= self.nonrelevant

    @cached_property
    def pairs(self) -> Table:
        """The preferences for relevant documents; with grades of 0 or more there are no others."""
        every, keys = self.known.pairs, self.known.pairs.keys
        grade = every.lookup(col("relevance"), of=self.tables.qrels)
        return self.plan.selected(f"{every.name}_of_relevant", keys, every, where=grade > 0, n=col("n"))

    @cached_property
    def fulfilled(self) -> Expr:
        """The number of preferences fulfilled."""
        pairs = self.pairs
        lacking = self.relevant_found - self.nonrelevant_found if self.both else self.relevant - self.nonrelevant
        filled_up = self.known.fulfilled(pairs, lit(1.0), 2 if self.both else 0) + self.relevant_found * lacking
        before = (
            when(col("other_rank").is_null())
            .then(0.0 if self.both else 1.0)
            .otherwise(indicator(col("rank") < col("other_rank")))
        )
        cut = self._met.sum(before * self._counts(self._met), into=self.tables.units) + self._among_nonrelevant(
            fulfilled=True
        )
        return when(self._enough).then(filled_up).otherwise(cut)

    @cached_property
    def possible(self) -> Expr:
        """The number of preferences there are."""
        pairs, tables = self.pairs, self.tables
        whose = self.relevant_found if self.both and not self.as_trec_eval else self.relevant
        lacking = self.relevant_found - self.nonrelevant_found if self.both else self.relevant - self.nonrelevant
        filled_up = self.known.possible(pairs, lit(1.0), 2 if self.both else 0) + whose * lacking
        if self.both:
            found = when(col("other_rank").is_null()).then(0.0).otherwise(1.0)
            cut = self._met.sum(found * self._counts(self._met), into=tables.units)
        else:
            others = self.known.others(pairs)
            times = pairs.count(into=others)
            of_relevant = others.sum(
                times * indicator(others.lookup(col("other_grade"), of=self._grades) > 0), into=tables.judged_queries
            )
            below = self.plan.selected(
                f"{others.name}_as_documents", tables.qrels.keys, others, doc_id=col("other_id"), times=times
            )
            kept = self._placed.sum(
                self._kept * self._placed.lookup(col("times"), of=below).fill_null(0.0), into=tables.units
            )
            cut = self.q.of_unit(of_relevant) + kept
        return when(self._enough).then(filled_up).otherwise(cut + self._among_nonrelevant(fulfilled=False))

    # ---- where there are more documents that are not relevant: the first of them

    @cached_property
    def _placed(self) -> Table:
        """A row per list and non-relevant document, retrieved or not."""
        plan, tables, name = self.plan, self.tables, f"nonrelevant{self.known.suffix}"
        bad = plan.selected(name, tables.qrels.keys, tables.qrels, where=col("relevance") <= 0)
        keys = (*tables.units.keys, "doc_id")
        listed = tables.spine(f"{name}_lists", keys, bad)
        return plan.joined(f"{name}_placed", keys, listed, tables.ranked, on=(*tables.list_keys, "doc_id"), how="left")

    @cached_property
    def _kept(self) -> Expr:
        """1 for the first of the non-relevant documents: retrieved ones by rank, then the others by id."""
        placed, tables, rank = self._placed, self.tables, col("rank")
        last = placed.column(when(rank.is_null()).then(float("inf")).otherwise(rank.cast(pl.Float64)), "place")
        place = placed.over(
            last.cum_count().cast(pl.Float64),
            tables.units.keys,
            [last.name, "doc_id"],
            "among_nonrelevant",
        )
        most = placed.lookup(tables.num_of_topic(indicator(col("relevance") > 0)), of=tables.judged_queries)
        if not self.both:
            return placed.column(indicator(place <= most), "kept")
        lists = self.plan.grouped(f"judged_lists{self.known.suffix}", tables.judged, *tables.units.keys)
        found = placed.lookup(tables.judged.sum(indicator(col("relevance") > 0), into=lists), of=lists).fill_null(0.0)
        if self.as_trec_eval:
            found = when(placed.lookup(self._groups, of=tables.judged_queries) > 1).then(most).otherwise(found)
        return placed.column(when(rank.is_null()).then(0.0).otherwise(indicator(place <= found)), "kept")

    @cached_property
    def _met(self) -> Table:
        return self.known.met(self.pairs)

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

    def _counts(self, met: Table) -> Expr:
        """1 for pairs whose other document is relevant or kept."""
        keys = (*self.tables.units.keys, "other_id")
        name = f"kept{self.known.suffix}_{int(self.both)}_{int(self.as_trec_eval)}"
        kept = self.plan.selected(name, keys, self._placed, other_id=col("doc_id"), **{name: self._kept})
        counted = met.lookup(col(name), of=kept).fill_null(0.0)
        return when(met.lookup(col("other_grade"), of=self._grades) > 0).then(1.0).otherwise(counted)

    @property
    def _groups(self) -> Expr:
        """In how many groups the judged query's judgments are."""
        tables, plan = self.tables, self.plan
        groups = plan.grouped(
            f"groups{self.known.suffix}", tables.judgments, *tables.judged_queries.keys, "subgroup_id"
        )
        return groups.count(into=tables.judged_queries)

    def _among_nonrelevant(self, *, fulfilled: bool) -> Expr:
        """What trec_eval's code counts of pairs of non-relevant documents, if they are in one group.

        The last grade is compared with itself.
        """
        if not self.as_trec_eval:
            return lit(0.0)
        if self.both:
            first = self.relevant_found
            extra = first * (first - 1.0) / 2.0 if fulfilled else self.nonrelevant_found * first
        else:
            first = self.relevant
            seen = when(self.nonrelevant_found < first).then(self.nonrelevant_found).otherwise(first)
            extra = seen * first - seen * (seen + 1.0) / 2.0 if fulfilled else self.nonrelevant * first
        return when(self.q.of_unit(self._groups) > 1).then(0.0).otherwise(extra)
