"""The greedy order of documents that are relevant to several subtopics: the one part of diversity that is a loop."""

from __future__ import annotations

import functools
import heapq
import math
import re
from collections.abc import Sequence
from typing import Any

import polars as pl

from ireval_frames.expr import Expr
from ireval_frames.plan import Table
from ireval_frames.ranking.tables import RankingTables, relevant


def best_order(tables: RankingTables, judgments: Table, weight: Expr, rel: float, alpha: float) -> Table:
    """A row per relevant document with its rank and gain in the greedy order.

    Args:
        tables: whose judged queries are ordered, each for itself.
        judgments: a row per query, subtopic and document.
        weight: the weight of each row's subtopic.
        rel: the lowest grade that counts as relevant.
        alpha: the chance that a document on a subtopic leaves nothing more to learn of it.
    """
    plan, keys = tables.plan, tables.judged_queries.keys
    name = re.sub(r"\W+", "_", "_".join(("best_order", *tables.facet_keys, repr(alpha), repr(rel))))
    found = plan.selected(f"{name}_of", judgments.keys, judgments, where=relevant(rel) > 0, weight=weight)
    greedy = functools.partial(greedy_order, keys=keys, alpha=alpha)
    functools.update_wrapper(greedy, greedy_order)
    adds = {"ideal_rank": pl.Float64, "ideal_gain": pl.Float64}
    return plan.applied(name, (*keys, "doc_id"), found, greedy, adds, by=keys)


def greedy_order(rows: pl.DataFrame, keys: Sequence[str], alpha: float) -> pl.DataFrame:
    """The greedy order: always the document that gains most next, of equal ones that with the larger id.

    Gains only fall as documents are taken, so a heap of old gains finds the next one without looking at all.
    """
    out: list[tuple[Any, ...]] = []
    subtopics: dict[tuple[Any, ...], dict[Any, list[tuple[Any, float]]]] = {}
    for *query, subtopic, doc, weight in rows.select(*keys, "subtopic_id", "doc_id", "weight").iter_rows():
        subtopics.setdefault(tuple(query), {}).setdefault(doc, []).append((subtopic, weight))
    for key, documents in subtopics.items():
        seen: dict[Any, int] = {}

        def gain(doc: Any, documents: Any = documents, seen: dict[Any, int] = seen) -> float:
            return math.fsum(weight * (1.0 - alpha) ** seen.get(subtopic, 0) for subtopic, weight in documents[doc])

        ordered = sorted(documents)
        heap = [(-gain(doc), -place) for place, doc in enumerate(ordered)]
        heapq.heapify(heap)
        rank = 0
        while heap:
            less, place = heapq.heappop(heap)
            doc = ordered[-place]
            gains = gain(doc)
            if gains != -less:
                heapq.heappush(heap, (-gains, place))
                continue
            rank += 1
            out.append((*key, doc, float(rank), gains))
            for subtopic, _ in documents[doc]:
                seen[subtopic] = seen.get(subtopic, 0) + 1
    types = rows.schema
    schema = {k: types[k] for k in (*keys, "doc_id")} | {"ideal_rank": pl.Float64(), "ideal_gain": pl.Float64()}
    return pl.DataFrame(out, schema=schema, orient="row")
