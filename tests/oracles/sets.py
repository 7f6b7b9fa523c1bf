"""Measures of the retrieved set as a whole, and counts."""

from __future__ import annotations

from tests.oracles.precision import harmonic
from tests.oracles.relevance import Judgments, Ranking, count_hits, count_relevant, is_judged, is_relevant


def set_precision(ranking: Ranking, judgments: Judgments, *, rel: float = 1, relative: bool = False) -> float:
    """Relevant among retrieved; relative: over the most a set this large can hold."""
    possible = len(ranking)
    if relative:
        possible = min(possible, count_relevant(judgments, rel))
    if possible == 0:
        return 0.0
    return count_hits(ranking, judgments, rel) / possible


def set_recall(ranking: Ranking, judgments: Judgments, *, rel: float = 1) -> float:
    relevant = count_relevant(judgments, rel)
    if relevant == 0:
        return 0.0
    return count_hits(ranking, judgments, rel) / relevant


def set_f_measure(ranking: Ranking, judgments: Judgments, *, rel: float = 1, beta: float = 1.0) -> float:
    return harmonic(
        set_precision(ranking, judgments, rel=rel),
        set_recall(ranking, judgments, rel=rel),
        beta,
    )


def set_average_precision(ranking: Ranking, judgments: Judgments, *, rel: float = 1) -> float:
    """Every relevant document retrieved counts the precision of the whole set."""
    return set_precision(ranking, judgments, rel=rel) * set_recall(ranking, judgments, rel=rel)


def number_of_queries(ranking: Ranking, judgments: Judgments) -> float:
    return 1.0


def number_retrieved(ranking: Ranking, judgments: Judgments, *, rel: float | None = None) -> float:
    if rel is None:
        return float(len(ranking))
    return float(count_hits(ranking, judgments, rel))


def number_relevant(ranking: Ranking, judgments: Judgments, *, rel: float = 1) -> float:
    return float(count_relevant(judgments, rel))


def number_relevant_retrieved(ranking: Ranking, judgments: Judgments, *, rel: float = 1) -> float:
    return float(count_hits(ranking, judgments, rel))


def number_nonrelevant_retrieved(ranking: Ranking, judgments: Judgments, *, rel: float = 1) -> float:
    return float(sum(is_judged(doc_id, judgments) and judgments[doc_id] < rel for doc_id in ranking))


def utility(
    ranking: Ranking,
    judgments: Judgments,
    *,
    rel: float = 1,
    hit: float = 1.0,
    noise: float = -1.0,
    miss: float = 0.0,
    rest: float = 0.0,
    n_docs: float = 0.0,
) -> float:
    """What each cell of the table of retrieved and relevant documents is worth, times what is in it."""
    cells = {"hit": 0, "noise": 0, "miss": 0}
    for doc_id in ranking:
        cells["hit" if is_relevant(doc_id, judgments, rel) else "noise"] += 1
    for doc_id in judgments:
        if is_relevant(doc_id, judgments, rel) and doc_id not in ranking:
            cells["miss"] += 1
    others = n_docs - sum(cells.values())
    return hit * cells["hit"] + noise * cells["noise"] + miss * cells["miss"] + rest * others
