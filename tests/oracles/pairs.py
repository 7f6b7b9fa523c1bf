"""Pairs of documents of which one is better, counted one by one."""

from __future__ import annotations

import math
from itertools import combinations
from typing import Any

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


def extended_places(ranking: Ranking, judgments: Judgments, *, unretrieved: bool) -> dict[Any, int]:
    places = {doc_id: place for place, doc_id in enumerate(ranking)}
    if unretrieved and ranking:
        places |= {
            doc_id: len(ranking) for doc_id in judgments if doc_id not in places and is_judged(doc_id, judgments)
        }
    return places


def area_in_collection(ranking: Ranking, judgments: Judgments, rel: float, n_docs: int) -> float | None:
    relevant = [doc_id for doc_id in judgments if is_relevant(doc_id, judgments, rel)]
    others_retrieved = [place for place, doc_id in enumerate(ranking) if doc_id not in relevant]
    others = n_docs - len(relevant)
    if not ranking or not relevant or not others:
        return None
    right = 0.0
    for doc_id in relevant:
        below_the_list = others - len(others_retrieved)
        if doc_id in ranking:
            right += sum(ranking.index(doc_id) < place for place in others_retrieved) + below_the_list
        else:
            right += below_the_list / 2
    return right / (len(relevant) * others)


def tau_of_grades(
    ranking: Ranking, judgments: Judgments, *, variant: str = "b", unretrieved: bool = False
) -> float | None:
    """The signs of all pairs of documents with a grade, by place and by grade."""
    places = extended_places(ranking, judgments, unretrieved=unretrieved)
    graded = [doc_id for doc_id in places if is_judged(doc_id, judgments)]
    if not any(doc_id in ranking for doc_id in graded):
        return None
    total = by_place = by_grade = pairs = 0
    for one, other in combinations(graded, 2):
        place = (places[one] < places[other]) - (places[one] > places[other])
        grade = (judgments[one] > judgments[other]) - (judgments[one] < judgments[other])
        pairs += 1
        total += place * grade
        by_place += place != 0
        by_grade += grade != 0
    divisor = float(pairs) if variant == "a" else math.sqrt(by_place * by_grade)
    return total / divisor if divisor else None


def area_under_roc(
    ranking: Ranking, judgments: Judgments, *, rel: float = 1, unretrieved: bool = False, n_docs: int = 0
) -> float | None:
    """With unretrieved, judged documents that are not in the list come after it, all at one place.

    With n_docs these are all further documents of a collection of that size; those without a judgment have no name.
    """
    if n_docs:
        return area_in_collection(ranking, judgments, rel, n_docs)
    places = extended_places(ranking, judgments, unretrieved=unretrieved)
    pairs, right = 0, 0.0
    for doc_id, place in places.items():
        if not is_relevant(doc_id, judgments, rel):
            continue
        for other, other_place in places.items():
            if not is_relevant(other, judgments, rel):
                pairs += 1
                right += 1.0 if place < other_place else 0.5 if place == other_place else 0.0
    return right / pairs if pairs else None
