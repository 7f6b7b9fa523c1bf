"""Reading judgments: which documents are judged, which are relevant.

Judgments map a document to its grade. A grade of 0 or more is a judgment. A
negative grade says the document was in the pool and nobody judged it. A
document that is not in the judgments was not in the pool.
"""

from __future__ import annotations

from collections.abc import Callable

Ranking = list[str]
Judgments = dict[str, float]
Oracle = Callable[..., "float | None"]


def is_judged(doc_id: str, judgments: Judgments) -> bool:
    return doc_id in judgments and judgments[doc_id] >= 0


def is_relevant(doc_id: str, judgments: Judgments, rel: float) -> bool:
    # A pooled but unjudged document is never relevant, however low rel is.
    return is_judged(doc_id, judgments) and judgments[doc_id] >= rel


def count_relevant(judgments: Judgments, rel: float) -> int:
    """R: how many judged documents reach the relevance level."""
    total = 0
    for doc_id in judgments:
        if is_relevant(doc_id, judgments, rel):
            total += 1
    return total


def count_hits(ranking: Ranking, judgments: Judgments, rel: float, cutoff: int | None = None) -> int:
    """H(k): relevant documents among the first `cutoff` retrieved."""
    hits = 0
    for doc_id in top(ranking, cutoff):
        if is_relevant(doc_id, judgments, rel):
            hits += 1
    return hits


def positive_grade(doc_id: str, judgments: Judgments) -> float:
    """The grade of a document, 0 where it is negative or missing."""
    grade = judgments.get(doc_id, 0.0)
    return float(grade) if grade > 0 else 0.0


def top(ranking: Ranking, cutoff: int | None) -> Ranking:
    """The first `cutoff` documents, or all of them without a cutoff."""
    if cutoff is None:
        return ranking
    if cutoff < 1:
        raise ValueError(f"a cutoff is at least 1, not {cutoff}")
    return ranking[:cutoff]
