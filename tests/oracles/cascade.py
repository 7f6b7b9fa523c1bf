"""Measures of a user who reads down the list and may stop after any document."""

from __future__ import annotations

from tests.oracles.relevance import Judgments, Ranking, positive_grade, top


def expected_reciprocal_rank(
    ranking: Ranking,
    judgments: Judgments,
    *,
    max_rel: float = 4,
    stop: str = "grade",
    cutoff: int | None = None,
) -> float:
    total = 0.0
    still_reading = 1.0
    for rank, doc_id in enumerate(top(ranking, cutoff), start=1):
        grade = positive_grade(doc_id, judgments)
        satisfied = (2**grade - 1) / 2**max_rel if stop == "grade" else grade
        total += still_reading * satisfied / rank
        still_reading *= 1 - satisfied
    return total


def normalized_expected_reciprocal_rank(
    ranking: Ranking,
    judgments: Judgments,
    *,
    max_rel: float = 4,
    stop: str = "grade",
    cutoff: int | None = None,
) -> float:
    """ERR over the ERR of all judged documents, highest grade first."""
    best_first = sorted(judgments, key=lambda doc_id: judgments[doc_id], reverse=True)
    ideal = expected_reciprocal_rank(best_first, judgments, max_rel=max_rel, stop=stop, cutoff=cutoff)
    if ideal == 0:
        return 0.0
    reached = expected_reciprocal_rank(ranking, judgments, max_rel=max_rel, stop=stop, cutoff=cutoff)
    return reached / ideal


def rank_biased_utility(
    ranking: Ranking,
    judgments: Judgments,
    *,
    p: float = 0.8,
    effort: float = 0.03,
    max_rel: float | str = "topic",
    stop: str = "grade",
    cutoff: int | None = None,
) -> float:
    """What each document adds to what was found above it, minus what it costs to read it."""
    scale = max([0.0, *judgments.values()]) if max_rel == "topic" else float(max_rel)
    total = 0.0
    still_reading = 1.0
    for rank, doc_id in enumerate(top(ranking, cutoff), start=1):
        grade = positive_grade(doc_id, judgments)
        satisfied = (2**grade - 1) / 2**scale if stop == "grade" else grade
        total += (1 - p) * p ** (rank - 1) * (still_reading * satisfied - effort)
        still_reading *= 1 - satisfied
    return total
