"""Measures of a user who reads down the list and may stop after any document."""

from __future__ import annotations

from .relevance import Judgments, Ranking, is_relevant, positive_grade, top


def expected_reciprocal_rank(
    ranking: Ranking,
    judgments: Judgments,
    *,
    max_rel: float = 4,
    cutoff: int | None = None,
) -> float:
    total = 0.0
    still_reading = 1.0
    for rank, doc_id in enumerate(top(ranking, cutoff), start=1):
        satisfied = (2 ** positive_grade(doc_id, judgments) - 1) / 2**max_rel
        total += still_reading * satisfied / rank
        still_reading *= 1 - satisfied
    return total


def normalized_expected_reciprocal_rank(
    ranking: Ranking,
    judgments: Judgments,
    *,
    max_rel: float = 4,
    cutoff: int | None = None,
) -> float:
    """ERR over the ERR of all judged documents, highest grade first."""
    best_first = sorted(judgments, key=lambda doc_id: judgments[doc_id], reverse=True)
    ideal = expected_reciprocal_rank(best_first, judgments, max_rel=max_rel, cutoff=cutoff)
    if ideal == 0:
        return 0.0
    reached = expected_reciprocal_rank(ranking, judgments, max_rel=max_rel, cutoff=cutoff)
    return reached / ideal


def rank_biased_precision(
    ranking: Ranking,
    judgments: Judgments,
    *,
    p: float = 0.8,
    rel: float = 1,
    max_rel: float | str | None = None,
    cutoff: int | None = None,
) -> float:
    """The user goes on to the next document with probability p.

    The gain is binary at rel without max_rel, grade / max_rel with a number.
    With "topic" grades are divided by the topic's largest when that is above
    1, which is what trec_eval 10 means to do.
    """
    total = 0.0
    for rank, doc_id in enumerate(top(ranking, cutoff), start=1):
        if max_rel is None:
            gain = 1.0 if is_relevant(doc_id, judgments, rel) else 0.0
        elif max_rel == "topic":
            largest = max(judgments.values(), default=0.0)
            gain = positive_grade(doc_id, judgments) / max(largest, 1.0)
        else:
            gain = positive_grade(doc_id, judgments) / float(max_rel)
        total += p ** (rank - 1) * gain
    return (1 - p) * total
