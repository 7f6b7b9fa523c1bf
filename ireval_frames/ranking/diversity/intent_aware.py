"""Intent-aware measures: means over a query's subtopics, and gains summed over them."""

from __future__ import annotations

from collections.abc import Callable

from ireval_frames.catalog import measure
from ireval_frames.expr import Expr, col, when
from ireval_frames.kernels.browsing import log_of_rank
from ireval_frames.parameters import flag, number
from ireval_frames.ranking.context import Query
from ireval_frames.ranking.diversity.measures import CLARKE, SUBTOPIC
from ireval_frames.ranking.diversity.novelty import subtopics, weighted_judgments
from ireval_frames.ranking.parameters import CUTOFF, JUDGED_ONLY, REL
from ireval_frames.ranking.tables import relevant
from ireval_frames.ratios import indicator

COMPLETE = flag(default=False, what="1 if all subtopics are covered, else 0")
GAMMA = number(0.5, "how much subtopic recall weighs against D-nDCG", low=0.0, high=1.0)


def over_intents(q: Query, counts: Expr, value: Callable[[Query], Expr], *, weighted: bool = True) -> Expr:
    """The mean of a value over the query's subtopics with a judgment that counts."""
    each = q.each("subtopic_id")
    counts_for = each.of_unit(each.tables.sum_by_query(counts, name="num_relevant")) > 0
    return q.mean(each, when(counts_for).then(value(each)), weighted=weighted)


@measure(
    "ranking",
    "AP_IA",
    parameters={"rel": REL, "cutoff": CUTOFF, "judged_only": JUDGED_ONLY},
    aliases=("MAP_IA", "APIA", "MAPIA"),
    relevant=subtopics,
    formula="1/A Σ_s AP of the list for subtopic s",
    source=f"Agrawal et al., WSDM 2009; {CLARKE}",
    **SUBTOPIC,
)
def AP_IA(q: Query, rel: float, cutoff: int | None) -> Expr:
    """Intent-aware average precision: the mean over the query's subtopics of AP.

    AP-IA = 1/A Σ_s AP_s over the A subtopics that have a relevant document.  It is `AP(subtopics="mean")`; every
    measure has this parameter.  With `judged_only` a document judged for any subtopic counts as judged.

    Columns: `subtopic_id` of the judgments, and `subtopic_weight` if the judgments have it.
    Range: 0 to 1, higher is better.  Without relevant documents it is 0 (policy `no_relevant`).

    Example:
        >>> import ireval_frames as ir
        >>> ir.evaluate(*ir.examples.diversity(), "AP_IA").wide()["AP_IA"].round(4).to_list()
        [0.4556]
    """

    def average_precision(each: Query) -> Expr:
        hit = each.relevant(rel)
        return each.ratio(each.sum(hit * each.so_far(hit) / each.rank, cutoff), each.num_relevant(rel))

    return over_intents(q, relevant(rel), average_precision)


@measure(
    "ranking",
    "P_IA",
    parameters={"rel": REL, "cutoff": CUTOFF, "judged_only": JUDGED_ONLY},
    aliases=("PIA",),
    relevant=subtopics,
    formula="1/A Σ_s H_s(k) / k",
    source=f"Agrawal et al., WSDM 2009; {CLARKE}",
    **SUBTOPIC,
)
def P_IA(q: Query, rel: float, cutoff: int | None) -> Expr:
    """Intent-aware precision: the mean over the query's subtopics of P@k.

    P-IA@k = Σ_s H_s(k) / (A k) over the A subtopics that have a relevant document; without a
    cutoff k is the length of the list.

    Columns: `subtopic_id` of the judgments, and `subtopic_weight` if the judgments have it.
    Range: 0 to 1, higher is better.  Without relevant documents it is 0 (policy `no_relevant`).

    Example:
        >>> import ireval_frames as ir
        >>> ir.evaluate(*ir.examples.diversity(), "P_IA@2").wide()["P_IA@2"].round(4).to_list()
        [0.5]
    """

    def precision(each: Query) -> Expr:
        return each.ratio(each.discounted_sum(each.relevant(rel), cutoff=cutoff), cutoff or each.num_retrieved)

    return over_intents(q, relevant(rel), precision)


@measure(
    "ranking",
    "StRecall",
    parameters={"rel": REL, "cutoff": CUTOFF, "complete": COMPLETE, "judged_only": JUDGED_ONLY},
    aliases=("strec", "SRecall", "I_rec", "I-rec"),
    relevant=subtopics,
    formula="subtopics with a relevant document among the first k / A; 1 if all have one, else 0, if complete",
    source=f"Zhai, Cohen and Lafferty, SIGIR 2003; {CLARKE}",
    **SUBTOPIC,
)
def StRecall(q: Query, rel: float, cutoff: int | None, *, complete: bool) -> Expr:
    """Subtopic recall: the share of the query's subtopics that the first k documents cover.

    StRecall@k = |{s : H_s(k) > 0}| / A over the A subtopics that have a relevant document; without a cutoff in the
    whole list. With a column `subtopic_weight` it is their share of the weight.  `complete=True` is 1 if all subtopics
    are covered and else 0, for queries that need all of several passages; `ir.nuggets.any_of` makes such judgments.

    Columns: `subtopic_id` of the judgments, and `subtopic_weight` if the judgments have it.
    Range: 0 to 1, higher is better.  Without relevant documents it is 0 (policy `no_relevant`).

    Example:
        >>> import ireval_frames as ir
        >>> ir.evaluate(*ir.examples.diversity(), "StRecall@1").wide()["StRecall@1"].round(4).to_list()
        [0.3333]
    """
    if not complete:
        return over_intents(q, relevant(rel), lambda each: indicator(each.sum(each.relevant(rel), cutoff) > 0))
    missed = over_intents(q, relevant(rel), lambda each: indicator(each.sum(each.relevant(rel), cutoff) == 0))
    return when(~missed.is_null()).then(indicator(missed == 0))


def positive() -> Expr:
    """The grade of a judgment where it is above 0."""
    return when(col("relevance") > 0).then(col("relevance")).otherwise(0.0)


def global_gain(q: Query) -> Expr:
    """Σ over the subtopics of a document's grade, times the subtopic's weight: a column of the judgments."""
    judgments, weight = weighted_judgments(q.each("subtopic_id"))
    return judgments.sum(positive() * weight, into=q.tables.qrels, name="global_gain")


def global_gains(q: Query) -> Expr:
    """The number of documents with a positive global gain."""
    return q.num_gaining(global_gain(q))


def normalized_global_gain(q: Query, cutoff: int | None) -> Expr:
    """The nDCG of global gains."""
    gain = global_gain(q)

    return q.ratio(q.discounted_sum(gain.fill_null(0.0), log_of_rank, cutoff), q.ideal_sum(gain, log_of_rank, cutoff))


@measure(
    "ranking",
    "D_nDCG",
    parameters={"cutoff": CUTOFF, "judged_only": JUDGED_ONLY},
    aliases=("D-nDCG", "DnDCG"),
    relevant=global_gains,
    formula="nDCG@k of the global gains Σ_s P(s) g_s",
    source="Sakai and Song, SIGIR 2011",
    **SUBTOPIC,
)
def D_nDCG(q: Query, cutoff: int | None) -> Expr:
    """The nDCG of global gains: a document gains its grade for every subtopic, times the subtopic's probability.

    D-nDCG@k = Σ_{i≤k} GG_i / log2(i+1) over the same for the documents in descending order of GG = Σ_s P(s) g_s.

    Columns: `subtopic_id` of the judgments, and its probability `subtopic_weight` if there is one; negative grades gain
    0.
    Range: 0 to 1, higher is better.  Without positive grades it is 0 (policy `no_relevant`).

    Example:
        >>> import ireval_frames as ir
        >>> ir.evaluate(*ir.examples.diversity(), "D_nDCG@2").wide()["D_nDCG@2"].round(4).to_list()
        [0.7967]
    """
    return normalized_global_gain(q, cutoff)


@measure(
    "ranking",
    "DSharp_nDCG",
    parameters={"gamma": GAMMA, "cutoff": CUTOFF, "judged_only": JUDGED_ONLY},
    aliases=("D#_nDCG", "D#-nDCG"),
    relevant=global_gains,
    formula="γ · I-rec@k + (1−γ) · D-nDCG@k",
    source="Sakai and Song, SIGIR 2011",
    **SUBTOPIC,
)
def DSharp_nDCG(q: Query, gamma: float, cutoff: int | None) -> Expr:
    """D-nDCG and subtopic recall in one: overall relevance and diversity.

    D#-nDCG@k = γ · I-rec@k + (1−γ) · D-nDCG@k, where I-rec is the share of the subtopics with positive grades that the
    first k documents cover; it does not weigh them.

    Columns: `subtopic_id` of the judgments, and its probability `subtopic_weight` if the judgments have it.
    Range: 0 to 1, higher is better.  Without positive grades it is 0 (policy `no_relevant`).

    Example:
        >>> import ireval_frames as ir
        >>> ir.evaluate(*ir.examples.diversity(), "DSharp_nDCG@2").wide()["DSharp_nDCG@2"].round(4).to_list()
        [0.7317]
    """
    covered = over_intents(
        q,
        indicator(positive() > 0),
        lambda each: indicator(each.sum(indicator(each.grade > 0), cutoff) > 0),
        weighted=False,
    )
    return gamma * covered + (1.0 - gamma) * normalized_global_gain(q, cutoff)
