"""Novelty and diversity of a list, for queries with several meanings and judgments by subtopic."""

from __future__ import annotations

import math
from typing import Any

from ireval_frames.catalog import measure
from ireval_frames.expr import Expr, lit
from ireval_frames.kernels.browsing import logarithmic, reciprocal
from ireval_frames.parameters import number
from ireval_frames.ranking.context import Query
from ireval_frames.ranking.diversity.novelty import Novelty, subtopics
from ireval_frames.ranking.parameters import CUTOFF, JUDGED_ONLY, REL

ALPHA = number(
    0.5, "the probability that after a document on a subtopic nothing is left to learn about it", low=0.0, high=1.0
)
BETA = number(0.5, "the probability of continuing to the next document", low=0.0, high=1.0, open_ends=True)
CLARKE = "Clarke et al., WSDM 2011; ndeval"
SUBTOPIC: dict[str, Any] = {"reads": ("subtopic_id",), "without": ("subtopics",)}
GREEDY = "the greedy order of a query's relevant documents, about n log n in their number"
# The bound of lists that beat the greedy order.
OVER_GREEDY = math.e / (math.e - 1.0)


@measure(
    "ranking",
    "alpha_DCG",
    parameters={"rel": REL, "alpha": ALPHA, "cutoff": CUTOFF, "judged_only": JUDGED_ONLY},
    aliases=("α_DCG", "alphaDCG", "αDCG"),
    relevant=subtopics,
    formula="Σ_{i≤k} Σ_s (1−α)^c_is / log2(i+1), divided by A Σ_{i≤k} (1−α)^(i−1) / log2(i+1)",
    source=f"Clarke et al., SIGIR 2008; {CLARKE}",
    **SUBTOPIC,
)
def alpha_DCG(q: Query, rel: float, alpha: float, cutoff: int | None) -> Expr:
    """Discounted gain of novelty, divided by the largest one that a list could have.

    alpha-DCG@k = Σ_{i≤k} G_i / log2(i+1) / (A Σ_{i≤k} (1−α)^(i−1) / log2(i+1)), where G_i adds (1−α)^c for every
    subtopic that document i is relevant to, c being the number of documents above it that are relevant to the same
    subtopic, and A is the number of the query's subtopics with a relevant document.  Without a cutoff the divisor sums
    over all ranks.

    Columns: `subtopic_id` of the judgments; with a column `subtopic_weight` (its probability) subtopics count by it.
    Range: 0 to 1, higher is better.  Without relevant documents it is 0 (policy `no_relevant`).  At cutoff 1 older
    versions of ndeval do not divide.  An alpha below 0.0001 needs a cutoff.

    Example:
        >>> import ireval_frames as ir
        >>> ir.evaluate(*ir.examples.diversity(), "alpha_DCG@3").wide()["alpha_DCG@3"].round(4).to_list()
        [0.4504]
    """
    novelty = Novelty(q, rel, alpha)
    most = novelty.largest(lambda i: 1.0 / math.log2(i + 1), cutoff)
    return q.ratio(novelty.sum(logarithmic, cutoff), novelty.subtopics() * most)


@measure(
    "ranking",
    "alpha_nDCG",
    parameters={"rel": REL, "alpha": ALPHA, "cutoff": CUTOFF, "judged_only": JUDGED_ONLY},
    aliases=("α_nDCG", "alphanDCG", "αnDCG"),
    range=(0.0, OVER_GREEDY),
    relevant=subtopics,
    formula="alpha-DCG@k / alpha-DCG@k of the greedy order",
    source=f"Clarke et al., SIGIR 2008; {CLARKE}",
    runs="python",
    cost=GREEDY,
    **SUBTOPIC,
)
def alpha_nDCG(q: Query, rel: float, alpha: float, cutoff: int | None) -> Expr:
    """Discounted gain of novelty, normalized by that of the greedy order of the judged documents.

    alpha-nDCG@k = alpha-DCG@k / alpha-DCG@k of the greedy order, which takes the document with the largest gain
    next, of equal ones the one with the larger id.  (The best order is hard to find; Clarke et al. normalize so, too.)

    Columns: `subtopic_id` of the judgments, and `subtopic_weight` if the judgments have it.
    Range: 0 to 1, higher is better; a list that beats the greedy order has more (never above e/(e−1)).
    Without relevant documents it is 0 (policy `no_relevant`).  The greedy order is a step in Python, on
    every engine; sql() refuses it.

    Example:
        >>> import ireval_frames as ir
        >>> ir.evaluate(*ir.examples.diversity(), "alpha_nDCG@3").wide()["alpha_nDCG@3"].round(4).to_list()
        [0.6756]
    """
    novelty = Novelty(q, rel, alpha)
    return q.ratio(novelty.sum(logarithmic, cutoff), novelty.ideal(logarithmic, cutoff))


@measure(
    "ranking",
    "ERR_IA",
    parameters={"rel": REL, "alpha": ALPHA, "cutoff": CUTOFF, "judged_only": JUDGED_ONLY},
    aliases=("ERRIA",),
    relevant=subtopics,
    formula="Σ_{i≤k} 1/i Σ_s (1−α)^c_is, divided by A Σ_{i≤k} (1−α)^(i−1) / i",
    source=f"Chapelle et al., Information Retrieval 14(6), 2011; {CLARKE}",
    **SUBTOPIC,
)
def ERR_IA(q: Query, rel: float, alpha: float, cutoff: int | None) -> Expr:
    """Intent-aware expected reciprocal rank, divided by the largest one that a list could have.

    ERR-IA@k = Σ_{i≤k} G_i / i / (A Σ_{i≤k} (1−α)^(i−1) / i), with the gains G and the number A of subtopics of
    alpha-DCG. Without a cutoff the divisor sums over all ranks.  (Chapelle et al. do not divide by the second sum; it
    is a constant.)

    Columns: `subtopic_id` of the judgments, and `subtopic_weight` if the judgments have it.
    Range: 0 to 1, higher is better.  Without relevant documents it is 0 (policy `no_relevant`).  An alpha below 0.0001
    needs a cutoff.

    Example:
        >>> import ireval_frames as ir
        >>> ir.evaluate(*ir.examples.diversity(), "ERR_IA@3").wide()["ERR_IA@3"].round(4).to_list()
        [0.4375]
    """
    novelty = Novelty(q, rel, alpha)
    return q.ratio(novelty.sum(reciprocal, cutoff), novelty.subtopics() * novelty.largest(lambda i: 1.0 / i, cutoff))


@measure(
    "ranking",
    "nERR_IA",
    parameters={"rel": REL, "alpha": ALPHA, "cutoff": CUTOFF, "judged_only": JUDGED_ONLY},
    aliases=("nERRIA", "NERR_IA"),
    range=(0.0, OVER_GREEDY),
    relevant=subtopics,
    formula="ERR-IA@k / ERR-IA@k of the greedy order",
    source=CLARKE,
    runs="python",
    cost=GREEDY,
    **SUBTOPIC,
)
def nERR_IA(q: Query, rel: float, alpha: float, cutoff: int | None) -> Expr:
    """Intent-aware expected reciprocal rank, normalized by that of the greedy order of the judged documents.

    nERR-IA@k = ERR-IA@k / ERR-IA@k of the greedy order (see alpha_nDCG).

    Columns: `subtopic_id` of the judgments, and `subtopic_weight` if the judgments have it.
    Range: 0 to 1, higher is better; a list that beats the greedy order has more (never above e/(e−1)).
    Without relevant documents it is 0 (policy `no_relevant`).  The greedy order is a step in Python, on
    every engine; sql() refuses it.

    Example:
        >>> import ireval_frames as ir
        >>> ir.evaluate(*ir.examples.diversity(), "nERR_IA@3").wide()["nERR_IA@3"].round(4).to_list()
        [0.6562]
    """
    novelty = Novelty(q, rel, alpha)
    return q.ratio(novelty.sum(reciprocal, cutoff), novelty.ideal(reciprocal, cutoff))


@measure(
    "ranking",
    "NRBP",
    parameters={"rel": REL, "alpha": ALPHA, "beta": BETA, "judged_only": JUDGED_ONLY},
    relevant=subtopics,
    formula="(1−(1−α)β) / A · Σ β^(i−1) Σ_s (1−α)^c_is",
    source=f"Clarke, Kolla and Vechtomova, ICTIR 2009; {CLARKE}",
    **SUBTOPIC,
)
def NRBP(q: Query, rel: float, alpha: float, beta: float) -> Expr:
    """Novelty- and rank-biased precision: the rate of novelty for a user who continues with probability β.

    NRBP = (1 − (1−α)β) / A · Σ_i β^(i−1) G_i, with the gains G and the number A of subtopics of alpha-DCG.

    Columns: `subtopic_id` of the judgments, and `subtopic_weight` if the judgments have it.
    Range: 0 to 1, higher is better.  Without relevant documents it is 0 (policy `no_relevant`).

    Example:
        >>> import ireval_frames as ir
        >>> ir.evaluate(*ir.examples.diversity(), "NRBP").wide()["NRBP"].round(4).to_list()
        [0.4609]
    """
    novelty = Novelty(q, rel, alpha)
    return (1.0 - (1.0 - alpha) * beta) * q.ratio(
        novelty.sum(lambda rank: lit(beta) ** (rank - 1.0), None), novelty.subtopics()
    )


@measure(
    "ranking",
    "nNRBP",
    parameters={"rel": REL, "alpha": ALPHA, "beta": BETA, "judged_only": JUDGED_ONLY},
    range=(0.0, OVER_GREEDY),
    relevant=subtopics,
    formula="NRBP / NRBP of the greedy order",
    source=CLARKE,
    runs="python",
    cost=GREEDY,
    **SUBTOPIC,
)
def nNRBP(q: Query, rel: float, alpha: float, beta: float) -> Expr:
    """Novelty- and rank-biased precision, normalized by that of the greedy order of the judged documents.

    nNRBP = NRBP / NRBP of the greedy order (see alpha_nDCG).

    Columns: `subtopic_id` of the judgments, and `subtopic_weight` if the judgments have it.
    Range: 0 to 1, higher is better; a list that beats the greedy order has more (never above e/(e−1)).
    Without relevant documents it is 0 (policy `no_relevant`).  The greedy order is a step in Python, on
    every engine; sql() refuses it.

    Example:
        >>> import ireval_frames as ir
        >>> ir.evaluate(*ir.examples.diversity(), "nNRBP").wide()["nNRBP"].round(4).to_list()
        [0.6821]
    """
    novelty = Novelty(q, rel, alpha)
    weight = lambda rank: lit(beta) ** (rank - 1.0)  # noqa: E731
    return q.ratio(novelty.sum(weight, None), novelty.ideal(weight, None))
