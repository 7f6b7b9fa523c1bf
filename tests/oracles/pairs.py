"""Pairs of a relevant document and one that is not, counted one by one."""

from __future__ import annotations

from tests.oracles.relevance import Judgments, Ranking, is_judged, is_relevant, top


def accuracy(ranking: Ranking, judgments: Judgments, *, rel: float = 1, cutoff: int | None = None) -> float | None:
    pairs = right = 0
    for place, doc_id in enumerate(top(ranking, cutoff)):
        if not is_relevant(doc_id, judgments, rel):
            continue
        for other_place, other in enumerate(top(ranking, cutoff)):
            if not is_relevant(other, judgments, rel):
                pairs += 1
                right += place < other_place
    return right / pairs if pairs else None


def area_under_roc(
    ranking: Ranking, judgments: Judgments, *, rel: float = 1, unretrieved: bool = False
) -> float | None:
    """With unretrieved, judged documents that are not in the list come after it, all at one place."""
    places = {doc_id: place for place, doc_id in enumerate(ranking)}
    if unretrieved and ranking:
        places |= {
            doc_id: len(ranking) for doc_id in judgments if doc_id not in places and is_judged(doc_id, judgments)
        }
    pairs, right = 0, 0.0
    for doc_id, place in places.items():
        if not is_relevant(doc_id, judgments, rel):
            continue
        for other, other_place in places.items():
            if not is_relevant(other, judgments, rel):
                pairs += 1
                right += 1.0 if place < other_place else 0.5 if place == other_place else 0.0
    return right / pairs if pairs else None
