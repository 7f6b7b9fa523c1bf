"""Precision interpolated at levels of recall."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

from tests.oracles.relevance import Judgments, Ranking, count_relevant, is_relevant

ELEVEN_POINTS = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)


def interpolated_precision(
    ranking: Ranking,
    judgments: Judgments,
    *,
    recall: float,
    rel: float = 1,
    rule: str = "10",
) -> float:
    """The highest precision at any rank from which the recall is reached."""
    needed = relevant_needed(recall, count_relevant(judgments, rel), rule)
    best = 0.0
    hits = 0
    for rank, doc_id in enumerate(ranking, start=1):
        if is_relevant(doc_id, judgments, rel):
            hits += 1
        if hits >= needed:
            best = max(best, hits / rank)
    return best


def relevant_needed(recall: float, relevant: int, rule: str) -> int | Fraction:
    """How many relevant documents a recall level stands for."""
    if rule == "exact":
        # hits / relevant >= recall, where 0.3 means three tenths.
        return Fraction(repr(recall)) * relevant
    product = recall * relevant
    if rule == "10":
        # To the nearest, halves up. product + 0.5 could round up by itself.
        whole = math.floor(product)
        return whole + 1 if product - whole >= 0.5 else whole
    if rule == "9":
        return math.floor(product + 0.9)
    raise ValueError(f'rule is "10", "9" or "exact", not {rule!r}')


def interpolated_average_precision(
    ranking: Ranking,
    judgments: Judgments,
    *,
    rel: float = 1,
    recalls: Sequence[float] = ELEVEN_POINTS,
    rule: str = "10",
) -> float:
    total = 0.0
    for level in recalls:
        total += interpolated_precision(ranking, judgments, recall=level, rel=rel, rule=rule)
    return total / len(recalls)
