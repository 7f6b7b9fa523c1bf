"""What is new in a list, subtopic by subtopic, and the best order of the judged documents in that respect."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from ireval_frames.errors import NotDefined
from ireval_frames.expr import Expr, col, lit, when
from ireval_frames.plan import Table
from ireval_frames.ranking.context import Query
from ireval_frames.ranking.cwl.rank_grid import DEEPEST
from ireval_frames.ranking.diversity.greedy import best_order
from ireval_frames.ranking.tables import relevant
from ireval_frames.ratios import indicator

# A value of a rank, as an expression and as a number.
ByRank = Callable[[Any], Any]
# Below this, the sum over all ranks takes too many terms.
SMALLEST_ALPHA = 1e-4


class Novelty:
    """The relevant retrieved documents, once for each subtopic they are relevant to, with what is new in them.

    A document gains Σ over the subtopics it is relevant to of w·(1−α)^c, where c counts the documents above that are
    relevant to the same subtopic and w is the subtopic's weight.
    """

    def __init__(self, q: Query, rel: float, alpha: float) -> None:
        self.q, self.rel, self.alpha = q, rel, alpha
        self.each = q.each("subtopic_id")
        hit = self.each.relevant(rel)
        seen = self.each.so_far(hit) - hit
        rows = self.each.rows
        self.gain = rows.column(self.each.weighted(hit * lit(1.0 - alpha) ** seen, rows), "new_gain")

    def sum(self, value: ByRank, cutoff: int | None) -> Expr:
        """The sum of gain · value(rank) down to the cutoff, into the query."""
        rank = self.each.rank
        term = self.gain * value(rank)
        term = term if cutoff is None else when(rank <= cutoff).then(term).otherwise(0.0)
        return self.each.rows.sum(term, into=self.q.tables.units)

    def subtopics(self) -> Expr:
        """The number (or weight) of the subtopics with a relevant document."""
        return with_judgment(self.q, self.each, relevant(self.rel))

    def largest(self, value: Callable[[int], float], cutoff: int | None) -> float:
        """The sum for one subtopic if every document were relevant to it: what a list can have of it at most.

        Raises:
            NotDefined: without a cutoff for an alpha of nearly 0, where the sum has no end.
        """
        if self.alpha < SMALLEST_ALPHA and (cutoff is None or cutoff > DEEPEST):
            where = "without a cutoff" if cutoff is None else f"that can be computed down to rank {cutoff}"
            raise NotDefined(
                f"{self.q.measure} has no largest value {where} for an alpha below {SMALLEST_ALPHA:g}.",
                f"Write {self.q.measure.partition('@')[0]}@20, or take a larger alpha.",
            )
        last = cutoff or DEEPEST
        if self.alpha >= SMALLEST_ALPHA:
            # Further terms are below the last bit of the sum.
            last = min(last, 1 if self.alpha == 1 else math.ceil(math.log(1e-18) / math.log(1.0 - self.alpha)))
        return math.fsum((1.0 - self.alpha) ** (i - 1) * value(i) for i in range(1, last + 1))

    def ideal(self, value: ByRank, cutoff: int | None) -> Expr:
        """The same sum over the greedy order of the query's relevant documents."""
        tables = self.q.tables
        judgments, weight = weighed(self.each)
        table = best_order(tables, judgments, weight, self.rel, self.alpha)
        rank = col("ideal_rank")
        term = col("ideal_gain") * value(rank)
        term = term if cutoff is None else when(rank <= cutoff).then(term).otherwise(0.0)
        return self.q.of_unit(table.sum(term, into=tables.judged_queries))


def subtopics(q: Query, rel: float) -> Expr:
    """The number (or weight) of the query's subtopics with a relevant document: what there is to find."""
    return with_judgment(q, q.each("subtopic_id"), relevant(rel))


def with_judgment(q: Query, each: Query, counts: Expr) -> Expr:
    """The number (or weight) of the query's subtopics with a judgment that counts."""
    fine, topics = each.tables.judged_queries, q.tables.judged_queries
    found = indicator(each.tables.num_of_topic(counts, name="num_relevant") > 0)
    return q.of_unit(fine.sum(each.weighted(found, fine), into=topics, name="intents"))


def weighed(each: Query) -> tuple[Table, Expr]:
    """The judgments by subtopic and document, and their subtopics' weights."""
    tables = each.tables
    if tables.weight is None:
        return tables.qrels, lit(1.0)
    topics = tables.judged_queries
    return tables.plan.joined(
        f"{tables.qrels.name}_weighed", tables.qrels.keys, tables.qrels, topics, topics.keys
    ), tables.weight
