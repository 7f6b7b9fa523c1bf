"""Measures that count relevant documents down the ranking."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

from .relevance import Judgments, Ranking, count_hits, count_relevant, is_relevant, top

ELEVEN_POINTS = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)


def precision(ranking: Ranking, judgments: Judgments, *, cutoff: int, rel: float = 1) -> float:
    # A short list is padded with nonrelevant documents: always divided by k.
    return count_hits(ranking, judgments, rel, cutoff) / cutoff


def recall(ranking: Ranking, judgments: Judgments, *, cutoff: int, rel: float = 1) -> float:
    relevant = count_relevant(judgments, rel)
    if relevant == 0:
        return 0.0
    return count_hits(ranking, judgments, rel, cutoff) / relevant


def f_measure(
    ranking: Ranking,
    judgments: Judgments,
    *,
    cutoff: int,
    rel: float = 1,
    beta: float = 1.0,
) -> float:
    """F of precision at k and recall at k."""
    return harmonic(
        precision(ranking, judgments, cutoff=cutoff, rel=rel),
        recall(ranking, judgments, cutoff=cutoff, rel=rel),
        beta,
    )


def harmonic(precision: float, recall: float, beta: float) -> float:
    """The weighted harmonic mean: recall counts beta times as much."""
    if precision == 0 or recall == 0:
        return 0.0
    weight = beta * beta
    return (1 + weight) / (1 / precision + weight / recall)


def success(ranking: Ranking, judgments: Judgments, *, cutoff: int, rel: float = 1) -> float:
    return 1.0 if count_hits(ranking, judgments, rel, cutoff) > 0 else 0.0


def reciprocal_rank(ranking: Ranking, judgments: Judgments, *, rel: float = 1, cutoff: int | None = None) -> float:
    for rank, doc_id in enumerate(top(ranking, cutoff), start=1):
        if is_relevant(doc_id, judgments, rel):
            return 1 / rank
    return 0.0


def average_precision(ranking: Ranking, judgments: Judgments, *, rel: float = 1, cutoff: int | None = None) -> float:
    """The sum stops at the cutoff; the divisor is R with a cutoff too."""
    relevant = count_relevant(judgments, rel)
    if relevant == 0:
        return 0.0
    total = 0.0
    for rank, doc_id in enumerate(top(ranking, cutoff), start=1):
        if is_relevant(doc_id, judgments, rel):
            total += count_hits(ranking, judgments, rel, rank) / rank
    return total / relevant


def r_precision(ranking: Ranking, judgments: Judgments, *, rel: float = 1) -> float:
    relevant = count_relevant(judgments, rel)
    if relevant == 0:
        return 0.0
    return count_hits(ranking, judgments, rel, relevant) / relevant


def break_even_point(ranking: Ranking, judgments: Judgments, *, rel: float = 1) -> float | None:
    """Precision at rank R, where it equals recall. A list shorter than R never gets there."""
    relevant = count_relevant(judgments, rel)
    if relevant == 0 or len(ranking) < relevant:
        return None
    return count_hits(ranking, judgments, rel, relevant) / relevant


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
