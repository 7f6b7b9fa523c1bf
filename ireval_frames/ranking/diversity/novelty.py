"""The novelty of documents by subtopic, and the greedy order of the judged documents by novelty.

The greedy order is a loop in Python.
"""

from __future__ import annotations

import functools
import heapq
import math
import re
from collections.abc import Callable, Sequence
from typing import Any

import polars as pl

from ireval_frames.errors import NotDefined
from ireval_frames.expr import Expr, col, lit, when
from ireval_frames.plan import Table
from ireval_frames.ranking.context import Query
from ireval_frames.ranking.cwl.rank_grid import DEEPEST
from ireval_frames.ranking.tables import RankingTables, relevant
from ireval_frames.ratios import indicator

# A value of a rank, as an expression and as a number.
ByRank = Callable[[Any], Any]
# Below this, the sum over all ranks takes too many terms.
SMALLEST_ALPHA = 1e-4


class Novelty:
    """The relevant retrieved documents, once for each subtopic they are relevant to, with the gain of their novelty.

    A document gains Σ over the subtopics it is relevant to of w·(1−α)^c, where c counts the documents above that are
    relevant to the same subtopic and w is the subtopic's weight.
    """

    def __init__(self, q: Query, rel: float, alpha: float) -> None:
        self.q, self.rel, self.alpha = q, rel, alpha
        self.each = q.each("subtopic_id")
        hit = self.each.relevant(rel)
        n_above = self.each.so_far(hit) - hit
        rows = self.each.rows
        self.gain = rows.column(self.each.weighted(hit * lit(1.0 - alpha) ** n_above, rows), "new_gain")

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
        """The sum for one subtopic if every document were relevant to it, which is the largest possible one.

        Raises:
            NotDefined: without a cutoff for an alpha of nearly 0, where the sum is infinite.
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
        judgments, weight = weighted_judgments(self.each)
        table = best_order(tables, judgments, weight, self.rel, self.alpha)
        rank = col("ideal_rank")
        term = col("ideal_gain") * value(rank)
        term = term if cutoff is None else when(rank <= cutoff).then(term).otherwise(0.0)
        return self.q.of_unit(table.sum(term, into=tables.judged_queries))


def subtopics(q: Query, rel: float) -> Expr:
    """The number (or weight) of the query's subtopics with a relevant document."""
    return with_judgment(q, q.each("subtopic_id"), relevant(rel))


def with_judgment(q: Query, each: Query, counts: Expr) -> Expr:
    """The number (or weight) of the query's subtopics with a judgment that counts."""
    by_subtopic, queries = each.tables.judged_queries, q.tables.judged_queries
    has_judgment = indicator(each.tables.sum_by_query(counts, name="num_relevant") > 0)
    return q.of_unit(by_subtopic.sum(each.weighted(has_judgment, by_subtopic), into=queries, name="intents"))


def weighted_judgments(each: Query) -> tuple[Table, Expr]:
    """The judgments by subtopic and document, and their subtopics' weights."""
    tables = each.tables
    if tables.weight is None:
        return tables.qrels, lit(1.0)
    queries = tables.judged_queries
    return tables.plan.joined(
        f"{tables.qrels.name}_weighted", tables.qrels.keys, tables.qrels, queries, queries.keys
    ), tables.weight


def best_order(tables: RankingTables, judgments: Table, weight: Expr, rel: float, alpha: float) -> Table:
    """A row per relevant document with its rank and gain in the greedy order.

    Args:
        tables: the tables; each of their judged queries is ordered.
        judgments: a row per query, subtopic and document.
        weight: the weight of each row's subtopic.
        rel: the lowest grade that counts as relevant.
        alpha: the probability that after a document on a subtopic nothing is left to learn about it.
    """
    plan, keys = tables.plan, tables.judged_queries.keys
    name = re.sub(r"\W+", "_", "_".join(("best_order", *tables.facet_keys, repr(alpha), repr(rel))))
    documents = plan.selected(f"{name}_of", judgments.keys, judgments, where=relevant(rel) > 0, weight=weight)
    greedy = functools.partial(greedy_order, keys=keys, alpha=alpha)
    functools.update_wrapper(greedy, greedy_order)
    dtypes = {"ideal_rank": pl.Float64, "ideal_gain": pl.Float64}
    return plan.applied(name, (*keys, "doc_id"), documents, greedy, dtypes, by=keys)


def greedy_order(rows: pl.DataFrame, keys: Sequence[str], alpha: float) -> pl.DataFrame:
    """The greedy order: always the document with the largest gain next, of equal ones the one with the larger id.

    Gains only fall as documents are taken, so a heap of old gains gives the next one without looking at all.
    """
    ranked: list[tuple[Any, ...]] = []
    subtopics: dict[tuple[Any, ...], dict[Any, list[tuple[Any, float]]]] = {}
    for *query, subtopic, doc, weight in rows.select(*keys, "subtopic_id", "doc_id", "weight").iter_rows():
        subtopics.setdefault(tuple(query), {}).setdefault(doc, []).append((subtopic, weight))
    for key, documents in subtopics.items():
        n_seen: dict[Any, int] = {}

        def gain(doc: Any, documents: Any = documents, n_seen: dict[Any, int] = n_seen) -> float:
            return math.fsum(weight * (1.0 - alpha) ** n_seen.get(subtopic, 0) for subtopic, weight in documents[doc])

        ordered = sorted(documents)
        heap = [(-gain(doc), -index) for index, doc in enumerate(ordered)]
        heapq.heapify(heap)
        rank = 0
        while heap:
            negative, index = heapq.heappop(heap)
            doc = ordered[-index]
            gains = gain(doc)
            if gains != -negative:
                heapq.heappush(heap, (-gains, index))
                continue
            rank += 1
            ranked.append((*key, doc, float(rank), gains))
            for subtopic, _ in documents[doc]:
                n_seen[subtopic] = n_seen.get(subtopic, 0) + 1
    types = rows.schema
    schema = {k: types[k] for k in (*keys, "doc_id")} | {"ideal_rank": pl.Float64(), "ideal_gain": pl.Float64()}
    return pl.DataFrame(ranked, schema=schema, orient="row")
