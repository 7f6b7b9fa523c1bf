"""Measures that count relevant documents down the ranking."""

from __future__ import annotations

import math

from tests.oracles.relevance import Judgments, Ranking, count_hits, count_relevant, is_judged, is_relevant, top


def precision(ranking: Ranking, judgments: Judgments, *, cutoff: int, rel: float = 1, relative: bool = False) -> float:
    """A short list is padded with nonrelevant documents: always divided by k.

    Relative: by the most k documents can hold.
    """
    possible = min(cutoff, count_relevant(judgments, rel)) if relative else cutoff
    return count_hits(ranking, judgments, rel, cutoff) / possible if possible else 0.0


def recall(ranking: Ranking, judgments: Judgments, *, cutoff: int, rel: float = 1) -> float:
    relevant = count_relevant(judgments, rel)
    if relevant == 0:
        return 0.0
    return count_hits(ranking, judgments, rel, cutoff) / relevant


def fall_out(
    ranking: Ranking, judgments: Judgments, *, cutoff: int | None = None, rel: float = 1, n_docs: float = 0
) -> float | None:
    """Judged documents alone, or all of a collection of which those without a judgment are not relevant."""
    first = top(ranking, cutoff)
    if n_docs:
        others = n_docs - count_relevant(judgments, rel)
        return sum(not is_relevant(d, judgments, rel) for d in first) / others if others else None
    others = {d for d in judgments if is_judged(d, judgments) and not is_relevant(d, judgments, rel)}
    return sum(d in others for d in first) / len(others) if others else None


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


def average_precision(
    ranking: Ranking, judgments: Judgments, *, rel: float = 1, cutoff: int | None = None, over: str = "relevant"
) -> float:
    """The sum stops at the cutoff; the divisor is R with a cutoff too, unless it is what so many ranks can hold."""
    relevant = count_relevant(judgments, rel)
    if relevant == 0:
        return 0.0
    total = 0.0
    for rank, doc_id in enumerate(top(ranking, cutoff), start=1):
        if is_relevant(doc_id, judgments, rel):
            total += count_hits(ranking, judgments, rel, rank) / rank
    return total / (relevant if over == "relevant" or cutoff is None else min(relevant, cutoff))


def smoothed_average_precision(ranking: Ranking, judgments: Judgments, *, rel: float = 1) -> float:
    """Robertson's: the log odds of the sum of precisions, with 1 added to both sides."""
    relevant = count_relevant(judgments, rel)
    summed = average_precision(ranking, judgments, rel=rel) * relevant
    return math.log(1 + summed) - math.log(1 + relevant - summed)


def r_precision(ranking: Ranking, judgments: Judgments, *, rel: float = 1, multiple: float = 1.0) -> float:
    depth = int(multiple * count_relevant(judgments, rel) + 0.9)
    if depth == 0:
        return 0.0
    return count_hits(ranking, judgments, rel, depth) / depth


def break_even_point(ranking: Ranking, judgments: Judgments, *, rel: float = 1) -> float | None:
    """Precision at rank R, where it equals recall. A list shorter than R never gets there."""
    relevant = count_relevant(judgments, rel)
    if relevant == 0 or len(ranking) < relevant:
        return None
    return count_hits(ranking, judgments, rel, relevant) / relevant
