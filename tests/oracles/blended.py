"""NTCIR's measures: the blended ratio at documents with a gain."""

from __future__ import annotations

from tests.oracles.gain import Gains, best_gains, document_gain
from tests.oracles.relevance import Judgments, Ranking, top


def document_gains(ranking: Ranking, judgments: Judgments, gains: Gains | None) -> list[float]:
    """What was pooled and not judged gains nothing."""
    return [document_gain(d, judgments, "log2", gains) if judgments.get(d, -1) >= 0 else 0.0 for d in ranking]


def blended_ratios(ranking: Ranking, judgments: Judgments, beta: float, gains: Gains | None) -> list[float | None]:
    """The blended ratio of each rank with a gain, None at the others."""
    best = best_gains(judgments, "log2", gains)
    out: list[float | None] = []
    number = 0
    gained = 0.0
    for rank, gain in enumerate(document_gains(ranking, judgments, gains), start=1):
        gained += gain
        number += gain > 0
        out.append((number + beta * gained) / (rank + beta * sum(best[:rank])) if gain > 0 else None)
    return out


def q_measure(
    ranking: Ranking, judgments: Judgments, *, beta: float = 1.0, gains: Gains | None = None, cutoff: int | None = None
) -> float:
    relevant = len(best_gains(judgments, "log2", gains))
    if relevant == 0:
        return 0.0
    ratios = blended_ratios(top(ranking, cutoff), judgments, beta, gains)
    return sum(ratio for ratio in ratios if ratio is not None) / min(relevant, cutoff or relevant)


def o_measure(ranking: Ranking, judgments: Judgments, *, beta: float = 1.0, gains: Gains | None = None) -> float:
    if not best_gains(judgments, "log2", gains):
        return 0.0
    return next((ratio for ratio in blended_ratios(ranking, judgments, beta, gains) if ratio is not None), 0.0)


def preferred(ranking: Ranking, judgments: Judgments, gains: Gains | None) -> int | None:
    """The place of the first document with the largest gain in the list."""
    of_documents = document_gains(ranking, judgments, gains)
    if max(of_documents, default=0.0) <= 0 or not best_gains(judgments, "log2", gains):
        return None
    return of_documents.index(max(of_documents))


def p_measure(ranking: Ranking, judgments: Judgments, *, beta: float = 1.0, gains: Gains | None = None) -> float:
    place = preferred(ranking, judgments, gains)
    if place is None:
        return 0.0
    return blended_ratios(ranking, judgments, beta, gains)[place] or 0.0


def p_plus(ranking: Ranking, judgments: Judgments, *, beta: float = 1.0, gains: Gains | None = None) -> float:
    place = preferred(ranking, judgments, gains)
    if place is None:
        return 0.0
    ratios = [ratio for ratio in blended_ratios(ranking, judgments, beta, gains)[: place + 1] if ratio is not None]
    return sum(ratios) / len(ratios)


def normalized_cumulative_utility(
    ranking: Ranking,
    judgments: Judgments,
    *,
    stop: str = "rank-biased",
    gamma: float = 0.95,
    beta: float = 1.0,
    gains: Gains | None = None,
) -> float:
    best = best_gains(judgments, "log2", gains)
    if not best:
        return 0.0
    of_documents = document_gains(ranking, judgments, gains)
    total = 0.0
    number = 0
    for gain, ratio in zip(of_documents, blended_ratios(ranking, judgments, beta, gains), strict=True):
        if ratio is None:
            continue
        if stop == "graded":
            share = gain / sum(best)
        elif stop == "uniform":
            share = 1 / len(best)
        else:
            share = gamma**number / sum(gamma**i for i in range(len(best)))
        total += share * ratio
        number += 1
    return total


def normalized_cumulated_gain(
    ranking: Ranking, judgments: Judgments, *, gains: Gains | None = None, cutoff: int | None = None
) -> float:
    best = best_gains(judgments, "log2", gains)
    if not best:
        return 0.0
    return sum(document_gains(top(ranking, cutoff), judgments, gains)) / sum(best[:cutoff])
