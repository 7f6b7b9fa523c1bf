"""Diversity: several subtopics, and what a document adds to those above it.

Judgments are those of each subtopic, as a dict of dicts. Weights are the
subtopics' probabilities; without them all count alike.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Mapping
from typing import Any

from tests.oracles.precision import average_precision
from tests.oracles.relevance import Judgments, Ranking, count_hits, count_relevant, is_relevant, positive_grade

BySubtopic = Mapping[Any, Judgments]
Weights = Mapping[Any, float]


def intents(judgments: BySubtopic, rel: float, weights: Weights | None = None) -> dict[Any, float]:
    """The subtopics that have a relevant document, and what each counts."""
    of_intent = {}
    for subtopic, grades in judgments.items():
        if count_relevant(grades, rel) > 0:
            of_intent[subtopic] = 1.0 if weights is None else weights[subtopic]
    return of_intent


def novelty(ranking: Ranking, judgments: BySubtopic, rel: float, alpha: float, weights: Weights | None) -> list[float]:
    """What each document of the list adds: less for a subtopic the more often it came before."""
    counted = intents(judgments, rel, weights)
    before = dict.fromkeys(counted, 0)
    gains = []
    for doc_id in ranking:
        added = []
        for subtopic in counted:
            if is_relevant(doc_id, judgments[subtopic], rel):
                added.append(counted[subtopic] * (1 - alpha) ** before[subtopic])
                before[subtopic] += 1
        gains.append(math.fsum(added))
    return gains


def greedy(judgments: BySubtopic, rel: float, alpha: float, weights: Weights | None) -> Ranking:
    """All relevant documents, each time the one that adds most, of equals the one with the larger id."""
    counted = intents(judgments, rel, weights)
    topics: dict[Any, list[Any]] = {}
    for subtopic in counted:
        for doc_id in judgments[subtopic]:
            if is_relevant(doc_id, judgments[subtopic], rel):
                topics.setdefault(doc_id, []).append(subtopic)
    left = sorted(topics, key=lambda d: d.encode() if isinstance(d, str) else d)
    before = dict.fromkeys(counted, 0)
    order: Ranking = []
    while left:
        adds = [math.fsum(counted[s] * (1 - alpha) ** before[s] for s in topics[doc_id]) for doc_id in left]
        last_of_the_best = len(adds) - 1 - adds[::-1].index(max(adds))
        doc_id = left.pop(last_of_the_best)
        order.append(doc_id)
        for subtopic in topics[doc_id]:
            before[subtopic] += 1
    return order


def total(gains: list[float], worth: Callable[[int], float], cutoff: int | None) -> float:
    """The gains down to the cutoff, each times the worth of its rank."""
    return math.fsum(gain * worth(rank) for rank, gain in enumerate(gains[:cutoff], 1))


@functools.cache
def most(alpha: float, worth: Callable[[int], float], cutoff: int | None) -> float:
    """The total of a list whose every document is relevant to one subtopic; without a cutoff, of an endless one."""
    out, rank = 0.0, 1
    while rank <= (cutoff or 10**6):
        term = (1 - alpha) ** (rank - 1) * worth(rank)
        if term < 1e-17 * out:
            break
        out += term
        rank += 1
    return out


def log_worth(rank: int) -> float:
    return 1 / math.log2(rank + 1)


def reciprocal_worth(rank: int) -> float:
    return 1 / rank


def per_most(
    ranking: Ranking,
    judgments: BySubtopic,
    rel: float,
    alpha: float,
    cutoff: int | None,
    weights: Weights | None,
    worth: Callable[[int], float],
) -> float:
    counted = math.fsum(intents(judgments, rel, weights).values())
    if counted == 0:
        return 0.0
    return total(novelty(ranking, judgments, rel, alpha, weights), worth, cutoff) / (
        counted * most(alpha, worth, cutoff)
    )


def per_greedy(
    ranking: Ranking,
    judgments: BySubtopic,
    rel: float,
    alpha: float,
    cutoff: int | None,
    weights: Weights | None,
    worth: Callable[[int], float],
) -> float:
    best = novelty(greedy(judgments, rel, alpha, weights), judgments, rel, alpha, weights)
    ideal = total(best, worth, cutoff)
    return 0.0 if ideal == 0 else total(novelty(ranking, judgments, rel, alpha, weights), worth, cutoff) / ideal


def alpha_dcg(
    ranking: Ranking,
    judgments: BySubtopic,
    *,
    rel: float = 1,
    alpha: float = 0.5,
    cutoff: int | None = None,
    weights: Weights | None = None,
) -> float:
    return per_most(ranking, judgments, rel, alpha, cutoff, weights, log_worth)


def alpha_ndcg(
    ranking: Ranking,
    judgments: BySubtopic,
    *,
    rel: float = 1,
    alpha: float = 0.5,
    cutoff: int | None = None,
    weights: Weights | None = None,
) -> float:
    return per_greedy(ranking, judgments, rel, alpha, cutoff, weights, log_worth)


def err_ia(
    ranking: Ranking,
    judgments: BySubtopic,
    *,
    rel: float = 1,
    alpha: float = 0.5,
    cutoff: int | None = None,
    weights: Weights | None = None,
) -> float:
    return per_most(ranking, judgments, rel, alpha, cutoff, weights, reciprocal_worth)


def nerr_ia(
    ranking: Ranking,
    judgments: BySubtopic,
    *,
    rel: float = 1,
    alpha: float = 0.5,
    cutoff: int | None = None,
    weights: Weights | None = None,
) -> float:
    return per_greedy(ranking, judgments, rel, alpha, cutoff, weights, reciprocal_worth)


def nrbp(
    ranking: Ranking,
    judgments: BySubtopic,
    *,
    rel: float = 1,
    alpha: float = 0.5,
    beta: float = 0.5,
    weights: Weights | None = None,
) -> float:
    counted = math.fsum(intents(judgments, rel, weights).values())
    if counted == 0:
        return 0.0
    gains = novelty(ranking, judgments, rel, alpha, weights)
    return (1 - (1 - alpha) * beta) / counted * total(gains, lambda rank: beta ** (rank - 1), None)


def nnrbp(
    ranking: Ranking,
    judgments: BySubtopic,
    *,
    rel: float = 1,
    alpha: float = 0.5,
    beta: float = 0.5,
    weights: Weights | None = None,
) -> float:
    return per_greedy(ranking, judgments, rel, alpha, None, weights, lambda rank: beta ** (rank - 1))


def weighed_mean(values: dict[Any, float], counted: dict[Any, float]) -> float:
    whole = math.fsum(counted.values())
    return math.fsum(values[s] * counted[s] for s in counted) / whole if whole else 0.0


def ap_ia(
    ranking: Ranking,
    judgments: BySubtopic,
    *,
    rel: float = 1,
    cutoff: int | None = None,
    weights: Weights | None = None,
) -> float:
    counted = intents(judgments, rel, weights)
    return weighed_mean({s: average_precision(ranking, judgments[s], rel=rel, cutoff=cutoff) for s in counted}, counted)


def p_ia(
    ranking: Ranking,
    judgments: BySubtopic,
    *,
    rel: float = 1,
    cutoff: int | None = None,
    weights: Weights | None = None,
) -> float:
    counted = intents(judgments, rel, weights)
    length = cutoff or len(ranking)
    return weighed_mean(
        {s: count_hits(ranking, judgments[s], rel, cutoff) / length if length else 0.0 for s in counted}, counted
    )


def subtopic_recall(
    ranking: Ranking,
    judgments: BySubtopic,
    *,
    rel: float = 1,
    cutoff: int | None = None,
    complete: bool = False,
    weights: Weights | None = None,
) -> float:
    counted = intents(judgments, rel, weights)
    covered = {s: 1.0 if count_hits(ranking, judgments[s], rel, cutoff) else 0.0 for s in counted}
    if complete:
        return float(bool(counted) and all(covered[s] for s, weight in counted.items() if weight > 0))
    return weighed_mean(covered, counted)


def d_ndcg(
    ranking: Ranking, judgments: BySubtopic, *, cutoff: int | None = None, weights: Weights | None = None
) -> float:
    gains: dict[Any, float] = {}
    for subtopic, grades in judgments.items():
        for doc_id in grades:
            gains[doc_id] = gains.get(doc_id, 0.0) + positive_grade(doc_id, grades) * (
                1.0 if weights is None else weights[subtopic]
            )
    ideal = total(sorted(gains.values(), reverse=True), log_worth, cutoff)
    return 0.0 if ideal == 0 else total([gains.get(doc_id, 0.0) for doc_id in ranking], log_worth, cutoff) / ideal


def d_sharp_ndcg(
    ranking: Ranking,
    judgments: BySubtopic,
    *,
    gamma: float = 0.5,
    cutoff: int | None = None,
    weights: Weights | None = None,
) -> float:
    expected = covered = 0
    for grades in judgments.values():
        if any(grade > 0 for grade in grades.values()):
            expected += 1
            covered += any(positive_grade(doc_id, grades) > 0 for doc_id in ranking[:cutoff])
    recall = covered / expected if expected else 0.0
    return gamma * recall + (1 - gamma) * d_ndcg(ranking, judgments, cutoff=cutoff, weights=weights)
