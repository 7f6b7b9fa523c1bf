"""Measures that tell unjudged documents from nonrelevant ones."""

from __future__ import annotations

from tests.oracles.relevance import Judgments, Ranking, count_relevant, is_judged, is_relevant, top

# The smoothing of inferred AP, as trec_eval has it.
EPSILON = 0.00001


def binary_preference(ranking: Ranking, judgments: Judgments, *, rel: float = 1) -> float:
    """bpref: unjudged documents, pooled or not, are passed over."""
    relevant = count_relevant(judgments, rel)
    if relevant == 0:
        return 0.0
    nonrelevant = count_relevant(judgments, 0) - relevant
    total = 0.0
    nonrelevant_above = 0
    for doc_id in ranking:
        if is_relevant(doc_id, judgments, rel):
            lost = 0.0
            if nonrelevant_above:
                lost = min(nonrelevant_above, relevant) / min(nonrelevant, relevant)
            total += 1 - lost
        elif is_judged(doc_id, judgments):
            nonrelevant_above += 1
    return total / relevant


def inferred_average_precision(ranking: Ranking, judgments: Judgments, *, rel: float = 1) -> float:
    """AP with the precision above each relevant document estimated from the judged ones.

    A document outside the pool counts as nonrelevant. A pooled one that was
    not judged is taken to be relevant as often as the judged ones above.
    """
    relevant = count_relevant(judgments, rel)
    if relevant == 0:
        return 0.0
    total = 0.0
    for rank, doc_id in enumerate(ranking, start=1):
        if not is_relevant(doc_id, judgments, rel):
            continue
        above = ranking[: rank - 1]
        if not above:
            total += 1.0
            continue
        pooled = [other for other in above if other in judgments]
        judged = [other for other in pooled if is_judged(other, judgments)]
        hits = [other for other in judged if is_relevant(other, judgments, rel)]
        in_pool = len(pooled) / len(above)
        rate = (len(hits) + EPSILON) / (len(judged) + 2 * EPSILON)
        total += 1 / rank + (rank - 1) / rank * in_pool * rate
    return total / relevant


def judged_rate(
    ranking: Ranking,
    judgments: Judgments,
    *,
    cutoff: int | None = None,
    pooled: bool = False,
) -> float | None:
    """Judged documents among the first min(k, n), as a share of them.

    With pooled=True a negative grade counts as a judgment, as in ir_measures.
    """
    considered = top(ranking, cutoff)
    if not considered:
        return None
    count = 0
    for doc_id in considered:
        if is_judged(doc_id, judgments) or (pooled and doc_id in judgments):
            count += 1
    return count / len(considered)


def unjudged_rate(ranking: Ranking, judgments: Judgments, *, cutoff: int) -> float:
    """Documents without a judgment among the first k, as a share of k."""
    return sum(not is_judged(doc_id, judgments) for doc_id in top(ranking, cutoff)) / cutoff


def rank_biased_residual(ranking: Ranking, judgments: Judgments, *, p: float = 0.9) -> float:
    """What unjudged documents could add to RBP: those in the list, and all that come after it.

    None of that if all are judged.
    """
    unjudged = [rank for rank, doc_id in enumerate(ranking, start=1) if not is_judged(doc_id, judgments)]
    if not unjudged:
        return 0.0
    return p ** len(ranking) + (1 - p) * sum(p ** (rank - 1) for rank in unjudged)
