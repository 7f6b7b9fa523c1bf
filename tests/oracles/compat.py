"""Compatibility: rank-biased overlap with an ideal ranking, depth by depth."""

from __future__ import annotations

import math

from tests.oracles.readers import once
from tests.oracles.relevance import Judgments, Ranking


@once
def compatibility(
    ranking: Ranking,
    judgments: Judgments,
    *,
    p: float = 0.95,
    normalize: bool = True,
    max_depth: int | str | None = 1000,
) -> float:
    place = {doc_id: rank for rank, doc_id in enumerate(ranking)}
    ideal = [doc_id for doc_id in judgments if judgments[doc_id] > 0]
    ideal.sort(key=lambda doc_id: (-judgments[doc_id], place.get(doc_id, len(ranking))))
    if not ideal:
        return 0.0
    if max_depth == "longest":
        depth = max(len(ranking), len(ideal))
    else:
        # Without an end: until the weights are too small to count.
        depth = int(max_depth) if max_depth else math.ceil(math.log(1e-20) / math.log(p)) + len(ranking) + len(ideal)
    value = rank_biased_overlap(ranking, ideal, p, depth)
    return value / rank_biased_overlap(ideal, ideal, p, depth) if normalize else value


def rank_biased_overlap(one: Ranking, other: Ranking, p: float, depth: int) -> float:
    seen_in_one: set[str] = set()
    seen_in_other: set[str] = set()
    shared = 0
    total = weights = 0.0
    for place in range(depth):
        for ranking, mine, its in ((one, seen_in_one, seen_in_other), (other, seen_in_other, seen_in_one)):
            if place < len(ranking):
                mine.add(ranking[place])
                shared += ranking[place] in its
        total += p**place * shared / (place + 1)
        weights += p**place
    return total / weights
