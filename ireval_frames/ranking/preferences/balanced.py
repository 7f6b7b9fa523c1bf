"""Preferences with as many non-relevant documents as relevant ones, for grades that can all be compared."""

from __future__ import annotations

from functools import cached_property

from ireval_frames.expr import Expr, col, when
from ireval_frames.ranking.context import Query
from ireval_frames.ranking.preferences.balanced_pairs import BalancedPairs
from ireval_frames.ranking.preferences.implied import Preferences
from ireval_frames.ratios import indicator


def balanced(q: Query, *, both: bool, as_trec_eval: bool) -> Expr:
    """The mean over assessors of preferences fulfilled to preferences, in the context of a query.

    Args:
        q: the context.
        both: count retrieved documents only.
        as_trec_eval: count as its code does.
    """
    made_by = BalancedPairs if "subgroup_id" in q.tables.facets else Balanced
    if "assessor_id" not in q.tables.facets:
        made = made_by(q, both=both, as_trec_eval=as_trec_eval)
        return q.ratio(made.fulfilled, made.possible)
    each = q.each("assessor_id")
    made = made_by(each, both=both, as_trec_eval=as_trec_eval)
    value = q.mean(each, q.ratio(made.fulfilled, made.possible).fill_null(0.0))
    if not as_trec_eval:
        return value
    # trec_eval gives 0 for all assessors if one of them has no preference.
    least = each.tables.units.min(made.possible, into=q.tables.units)
    return when(least > 0).then(value).otherwise(0.0)


class Balanced:
    """The counts of one assessor."""

    def __init__(self, q: Query, *, both: bool, as_trec_eval: bool) -> None:
        self.q, self.both, self.as_trec_eval = q, both, as_trec_eval
        self.known, self.among_relevant = Preferences(q, of_relevant=True), Preferences(q, to_relevant=True)
        tables, rows = q.tables, q.tables.judged
        good, bad = indicator(col("relevance") > 0), indicator(col("relevance") <= 0)
        self.good, self.bad = rows.column(good, "good"), rows.column(bad, "bad")
        self.all_relevant = q.of_unit(tables.num_of_topic(good))
        self.relevant_found = rows.sum(self.good, into=tables.units)
        self.nonrelevant_found = rows.sum(self.bad, into=tables.units)
        # The numbers that are made equal.
        self.relevant = self.relevant_found if both else self.all_relevant
        self.nonrelevant = self.nonrelevant_found if both else q.of_unit(tables.num_of_topic(bad))
        self.retrieved = 2 if both else 0

    @cached_property
    def fulfilled(self) -> Expr:
        """The number of preferences fulfilled."""
        filled_up = self.known.fulfilled(self.retrieved) + self.relevant_found * (self.relevant - self.nonrelevant)
        cut = self.among_relevant.fulfilled(self.retrieved) + self._before_first()
        if self.as_trec_eval:
            # The last grade is compared with itself.
            seen = when(self.nonrelevant_found < self.relevant).then(self.nonrelevant_found).otherwise(self.relevant)
            cut = cut + seen * self.relevant - seen * (seen + 1.0) / 2.0
        return when(self.relevant >= self.nonrelevant).then(filled_up).otherwise(cut)

    @cached_property
    def possible(self) -> Expr:
        """The number of preferences there are."""
        whose = self.all_relevant if self.as_trec_eval else self.relevant
        filled_up = self.known.possible(self.retrieved) + whose * (self.relevant - self.nonrelevant)
        cut = self.among_relevant.possible(self.retrieved) + self.relevant * self.relevant
        cut = cut + self.nonrelevant * self.relevant if self.as_trec_eval else cut
        return when(self.relevant >= self.nonrelevant).then(filled_up).otherwise(cut)

    def _before_first(self) -> Expr:
        """The preferences fulfilled to the first non-relevant documents, as many as there are relevant ones."""
        tables, rows, keys = self.q.tables, self.q.tables.judged, self.q.tables.units.keys
        place = rows.over(self.bad.cum_sum(), keys, ["rank"], "nonrelevant_so_far")
        above = rows.over(self.good.cum_sum(), keys, ["rank"], "relevant_so_far")
        most = rows.over(self.good.sum(), keys, name="relevant_retrieved") if self.both else self._relevant_of_rows()
        first = rows.sum(when(place <= most).then(self.bad * above).otherwise(0.0), into=tables.units)
        if self.both:
            return first
        # Of documents that were not retrieved so many are among the first.
        lacking = self.relevant - self.nonrelevant_found
        return first + self.relevant_found * when(lacking > 0).then(lacking).otherwise(0.0)

    def _relevant_of_rows(self) -> Expr:
        tables = self.q.tables
        return tables.judged.lookup(tables.num_of_topic(indicator(col("relevance") > 0)), of=tables.judged_queries)
