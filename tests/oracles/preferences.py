"""Preferences: pairs of documents of which an assessor prefers one, and whether a list has them in that order.

Judgments are those of each assessor: the grades of documents, or a list of
such judgments, one for each group in which grades can be compared.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations
from typing import Any

from tests.oracles.relevance import Judgments, Ranking

Opinions = Judgments | list[Judgments]
Pairs = set[tuple[Any, Any]]


def groups(opinions: Opinions) -> list[Judgments]:
    return opinions if isinstance(opinions, list) else [opinions]


def preferred(opinions: Opinions) -> Pairs:
    """All (better, worse), with what follows from preferences in several groups."""
    pairs = {(a, b) for judged in groups(opinions) for a in judged for b in judged if judged[a] > judged[b]}
    # Grades of one group are in an order already.
    while isinstance(opinions, list):
        more = {(a, d) for a, b in pairs for c, d in pairs if b == c} - pairs
        if not more:
            break
        pairs |= more
    return pairs


def order(ranking: Ranking, pair: tuple[Any, Any], least: int) -> int | None:
    """1 if the better one stands first, 0 if not; None if fewer than `least` of the two are in the list."""
    better, worse = pair
    ranked = [doc_id for doc_id in pair if doc_id in ranking]
    if len(ranked) < least:
        return None
    if better not in ranked:
        return 0
    return 1 if worse not in ranked or ranking.index(better) < ranking.index(worse) else 0


def counted(ranking: Ranking, pairs: Pairs, least: int) -> tuple[int, int]:
    """Preferences fulfilled, and all."""
    marks = [mark for mark in (order(ranking, pair, least) for pair in pairs) if mark is not None]
    return sum(marks), len(marks)


def of_all(ranking: Ranking, judgments: Mapping[Any, Opinions], least: int) -> tuple[int, int]:
    counts = [counted(ranking, preferred(opinions), least) for opinions in judgments.values()]
    return sum(c[0] for c in counts), sum(c[1] for c in counts)


def number_of_preferences(ranking: Ranking, judgments: Mapping[Any, Opinions], *, retrieved: int = 0) -> float:
    return float(of_all(ranking, judgments, retrieved)[1])


def number_fulfilled(ranking: Ranking, judgments: Mapping[Any, Opinions], *, retrieved: int = 0) -> float:
    return float(of_all(ranking, judgments, retrieved)[0])


def simple_share(
    ranking: Ranking, judgments: Mapping[Any, Opinions], *, retrieved: int = 0, assessors: str | None = None
) -> float:
    if assessors == "mean":
        return sum(
            simple_share(ranking, {a: opinions}, retrieved=retrieved) for a, opinions in judgments.items()
        ) / len(judgments)
    fulfilled, possible = of_all(ranking, judgments, retrieved)
    return fulfilled / possible if possible else 0.0


def share_of_pairs(ranking: Ranking, judgments: Mapping[Any, Opinions], *, retrieved: int = 0) -> float:
    every = [preferred(opinions) for opinions in judgments.values()]
    documents = sorted({doc_id for pairs in every for pair in pairs for doc_id in pair}, key=repr)
    shares = []
    for a, b in combinations(documents, 2):
        marks = [order(ranking, pair, retrieved) for pairs in every for pair in ((a, b), (b, a)) if pair in pairs]
        known = [mark for mark in marks if mark is not None]
        if known:
            shares.append(sum(known) / len(known))
    return sum(shares) / len(shares) if shares else 0.0


def balanced_share(
    ranking: Ranking, judgments: Mapping[Any, Opinions], *, retrieved: int = 0, counting: str = "stated"
) -> float:
    counts = [balanced(ranking, opinions, retrieved, counting) for opinions in judgments.values()]
    if counting == "trec_eval" and any(possible == 0 for _, possible in counts):
        return 0.0
    return sum(fulfilled / possible if possible else 0.0 for fulfilled, possible in counts) / len(counts)


def balanced(ranking: Ranking, opinions: Opinions, retrieved: int, counting: str) -> tuple[float, float]:
    """One assessor's preferences fulfilled, and all, with as many non-relevant documents as relevant ones."""
    grade: Judgments = {}
    for judged in groups(opinions):
        for doc_id in judged:
            grade[doc_id] = max(judged[doc_id], grade.get(doc_id, judged[doc_id]))
    first = [doc_id for doc_id in ranking if doc_id in grade]
    last = sorted((d for d in grade if d not in ranking), key=lambda d: d.encode() if isinstance(d, str) else d)
    line = first if retrieved == 2 else first + last
    good, bad = [d for d in line if grade[d] > 0], [d for d in line if grade[d] <= 0]
    all_good = [d for d in grade if grade[d] > 0]
    shown = [d for d in good if d in ranking]
    pairs = {(a, b) for a, b in preferred(opinions) if grade[a] > 0}
    if len(good) >= len(bad):
        fulfilled, possible = counted(ranking, pairs, retrieved)
        lacking = len(good) - len(bad)
        owners = all_good if counting == "trec_eval" else good
        return fulfilled + len(shown) * lacking, possible + len(owners) * lacking
    one_group = len(groups(opinions)) == 1
    keep = len(all_good) if counting == "trec_eval" and not one_group else len(good)
    bad_used = bad[:keep]
    fulfilled, possible = counted(ranking, {(a, b) for a, b in pairs if grade[b] > 0 or b in bad_used}, retrieved)
    if counting == "trec_eval" and one_group:
        # The non-relevant documents against the first of them, themselves among these.
        for x in bad:
            for y in bad_used:
                possible += 1
                fulfilled += x in ranking and line.index(x) < line.index(y)
    return fulfilled, possible
