"""Cumulated gain, discounted or not, and its share of the ideal."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from tests.oracles.relevance import Judgments, Ranking, positive_grade, top

Gains = Mapping[float, float]


def cumulated_gain(ranking: Ranking, judgments: Judgments, *, cutoff: int | None = None) -> float:
    total = 0.0
    for doc_id in top(ranking, cutoff):
        total += positive_grade(doc_id, judgments)
    return total


def discounted_cumulated_gain(
    ranking: Ranking,
    judgments: Judgments,
    *,
    dcg: str = "log2",
    gains: Gains | None = None,
    unjudged: float = 0.0,
    base: float = 2.0,
    cutoff: int | None = None,
) -> float:
    total = 0.0
    for rank, doc_id in enumerate(top(ranking, cutoff), start=1):
        gain = document_gain(doc_id, judgments, dcg, gains, unjudged)
        total += gain / discount(rank, dcg, base)
    return total


def ideal_discounted_cumulated_gain(
    judgments: Judgments,
    *,
    dcg: str = "log2",
    gains: Gains | None = None,
    base: float = 2.0,
    cutoff: int | None = None,
) -> float:
    """The best there is: the positive gains of judged documents, largest first."""
    total = 0.0
    for rank, gain in enumerate(best_gains(judgments, dcg, gains)[:cutoff], start=1):
        total += gain / discount(rank, dcg, base)
    return total


def best_gains(judgments: Judgments, dcg: str = "log2", gains: Gains | None = None) -> list[float]:
    """The positive gains of the judged documents, largest first; what was pooled and not judged is none of them."""
    values = [document_gain(doc_id, judgments, dcg, gains) for doc_id in judgments if judgments[doc_id] >= 0]
    return sorted((gain for gain in values if gain > 0), reverse=True)


def ideal_gain(_: Ranking, judgments: Judgments, **parameters: Any) -> float:
    """What the best order gains, whatever was retrieved."""
    return ideal_discounted_cumulated_gain(judgments, **parameters)


def normalized_discounted_cumulated_gain(
    ranking: Ranking,
    judgments: Judgments,
    *,
    dcg: str = "log2",
    gains: Gains | None = None,
    unjudged: float = 0.0,
    base: float = 2.0,
    cutoff: int | None = None,
) -> float:
    ideal = ideal_discounted_cumulated_gain(judgments, dcg=dcg, gains=gains, base=base, cutoff=cutoff)
    if ideal == 0:
        return 0.0
    reached = discounted_cumulated_gain(
        ranking, judgments, dcg=dcg, gains=gains, unjudged=unjudged, base=base, cutoff=cutoff
    )
    return reached / ideal


def document_gain(doc_id: str, judgments: Judgments, dcg: str, gains: Gains | None, unjudged: float = 0.0) -> float:
    """What a document is worth: the gain given for its grade, or the grade."""
    grade = judgments.get(doc_id)
    if grade is None:
        gain = unjudged
    elif gains is not None and grade in gains:
        gain = float(gains[grade])
    else:
        gain = positive_grade(doc_id, judgments)
    if dcg in ("exp-log2", "exp-jk"):
        return float(2.0**gain - 1)
    return gain


def discount(rank: int, dcg: str, base: float) -> float:
    """What the gain at a rank is divided by."""
    if dcg in ("log2", "exp-log2"):
        return math.log2(rank + 1)
    if dcg in ("jk", "exp-jk"):
        # Järvelin and Kekäläinen leave the ranks before the base undiscounted.
        return 1.0 if rank <= base else math.log(rank) / math.log(base)
    raise ValueError(f"dcg is log2, exp-log2, jk or exp-jk, not {dcg!r}")
