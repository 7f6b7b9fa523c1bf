"""Measures that walk down the list and the best order together."""

from __future__ import annotations

import math

from tests.oracles.gain import (
    Gains,
    best_gains,
    discounted_cumulated_gain,
    document_gain,
    ideal_discounted_cumulated_gain,
)
from tests.oracles.relevance import Judgments, Ranking, count_hits, count_relevant, is_relevant


def binary_gain(ranking: Ranking, judgments: Judgments, *, rel: float = 1) -> float:
    relevant = count_relevant(judgments, rel)
    total = 0.0
    for rank, doc_id in enumerate(ranking, start=1):
        if is_relevant(doc_id, judgments, rel):
            others_above = rank - count_hits(ranking, judgments, rel, rank)
            total += 1 / math.log2(2 + others_above)
    return total / relevant if relevant else 0.0


def normalized_gain(
    ranking: Ranking, judgments: Judgments, *, gains: Gains | None = None, unjudged: float = 0.0
) -> float:
    """A document is discounted by how much more the best order has gained by its rank."""
    best = best_gains(judgments, "log2", gains)
    if not best:
        return 0.0
    total = 0.0
    reached = 0.0
    possible = 0.0
    for place, doc_id in enumerate(ranking):
        gain = document_gain(doc_id, judgments, "log2", gains, unjudged)
        reached += gain
        # A document costs at least 1 to look at.
        possible += max(1.0, best[place]) if place < len(best) else 1.0
        # Unjudged documents may gain more than the best order holds.
        behind = max(0.0, possible - reached)
        total += gain / math.log2(2 + behind)
    return total / math.fsum(best)


def at_rank(ranking: Ranking, judgments: Judgments, rank: int, gains: Gains | None, unjudged: float) -> float:
    """DCG@rank over IDCG@rank."""
    reached = discounted_cumulated_gain(ranking, judgments, gains=gains, unjudged=unjudged, cutoff=rank)
    return reached / ideal_discounted_cumulated_gain(judgments, gains=gains, cutoff=rank)


def gain_averaged_over_relevant(
    ranking: Ranking, judgments: Judgments, *, gains: Gains | None = None, unjudged: float = 0.0
) -> float:
    """The nDCG at the rank of each document that gains; those not retrieved get that of the end of the list."""
    expected = len(best_gains(judgments, "log2", gains))
    if expected == 0:
        return 0.0
    points = []
    for rank, doc_id in enumerate(ranking, start=1):
        if document_gain(doc_id, judgments, "log2", gains, unjudged) > 0:
            points.append(at_rank(ranking, judgments, rank, gains, unjudged))
    end = discounted_cumulated_gain(
        ranking, judgments, gains=gains, unjudged=unjudged
    ) / ideal_discounted_cumulated_gain(judgments, gains=gains)
    total = math.fsum(points) + (expected - len(points)) * end
    return max(0.0, total / expected)


def gain_averaged_over_falls(
    ranking: Ranking,
    judgments: Judgments,
    *,
    rel: float = 1,
    gains: Gains | None = None,
    unjudged: float = 0.0,
) -> float:
    """The nDCG at the ranks where the best order falls to a smaller gain, and at the end of a longer list."""
    best = best_gains(judgments, "log2", gains)
    if not best or count_relevant(judgments, rel) == 0:
        return 0.0
    ranks = [rank for rank in range(1, len(best) + 1) if rank == len(best) or best[rank] < best[rank - 1]]
    if len(ranking) > len(best) + 1:
        ranks.append(len(ranking))
    return math.fsum(at_rank(ranking, judgments, rank, gains, unjudged) for rank in ranks) / len(ranks)
