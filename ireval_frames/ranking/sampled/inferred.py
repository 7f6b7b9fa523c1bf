"""Inferred measures: estimates from judgments of a pool that was sampled in strata."""

from __future__ import annotations

from dataclasses import replace

from ireval_frames.catalog import measure
from ireval_frames.expr import Expr, col, when
from ireval_frames.parameters import UPWARDS, choice, whole
from ireval_frames.ranking.context import Query
from ireval_frames.ranking.measures.gain import GAINS, discount_of, gaining, gains_of
from ireval_frames.ranking.parameters import REL, REQUIRED_CUTOFF, documents
from ireval_frames.ranking.sampled.ideal import IdealList
from ireval_frames.ranking.sampled.strata import Strata

YILMAZ = "Yilmaz, Kanoulas and Aslam, SIGIR 2008; sample_eval.pl (NIST)"
# sample_eval evaluates this many documents of a list.
LONGEST = 1000
READS = ("stratum",)

DEPTH = whole(LONGEST, "evaluate the top k; sample_eval's copies have 1000 or 2000")
VARIANT = choice(
    None,
    "2011",
    "2012-trecvid",
    what="the copy of sample_eval whose numbers it gives: that of October 2011, or that of TRECVID of September 2012",
)


@measure(
    "ranking",
    "xinfAP",
    # TRECVID's copy may exceed 1.
    parameters={"rel": REL, "variant": replace(VARIANT, ranges={"2012-trecvid": UPWARDS}), "cutoff": DEPTH},
    aliases=("xinfMAP",),
    reads=READS,
    relevant=documents,
    formula="1/R̂ Σ over sampled relevant of N_s/n_s · E[P@rank]",
    source=YILMAZ,
)
def xinfAP(q: Query, rel: float, variant: str | None, cutoff: int) -> Expr:
    """Extended inferred average precision: AP estimated from judgments sampled at another rate in each stratum.

    xinfAP = 1/R̂ Σ over retrieved relevant documents of N_s/n_s · E[P@i], where stratum s has N_s pooled and n_s judged
    documents, r_s of them relevant, and R̂ = Σ_s N_s/n_s · r_s.  The expected precision at rank i is
    E[P@i] = 1/i + 1/i Σ_s d_s (ρ_s + ε)/(σ_s + 3ε), with ε = 0.00001, where above rank i the list has d_s documents of
    the stratum, σ_s judged and ρ_s relevant.  It is what sample_eval prints as infAP; trec_eval's infAP is another
    measure: it has one stratum, 2ε, and divides by the judged relevant documents.

    Variants: None and "2011" give the same; "2012-trecvid" multiplies by R̂/k where R̂ is larger than the cutoff k, as a
    list of k documents cannot hold all, so that the value may exceed 1.  All copies count grades above 0 as relevant,
    which is rel=1 for whole grades.

    Columns: `stratum` of the judgments, with a row per pooled document; those not judged have a negative grade.

    Range: 0 to 1, higher is better; no upper end for "2012-trecvid".  Without sampled relevant documents it is 0
    (policy `no_relevant`).  A stratum without a judgment adds nothing to R̂, which a warning says.

    Raises:
        MissingColumn: the judgments have no column `stratum`.
        InvalidValue: a pooled document has no stratum.

    Example:
        >>> import ireval_frames as ir
        >>> ir.evaluate(*ir.examples.sampled(), "xinfAP").wide()["xinfAP"].round(4).to_list()
        [0.8389]
    """
    strata = Strata(q, rel)
    relevant = strata.of_unit(strata.estimated_relevant)
    term = strata.hit * strata.at_rows(strata.weight) * strata.expected_precision
    value = q.ratio(q.sum(when(strata.hit > 0).then(term).otherwise(0.0), cutoff), relevant)
    if variant != "2012-trecvid":
        return value
    return when(relevant > cutoff).then(value * relevant / cutoff).otherwise(value)


@measure(
    "ranking",
    "infNDCG",
    parameters={"gains": GAINS, "variant": VARIANT, "cutoff": DEPTH},
    range=UPWARDS,
    reads=READS,
    relevant=gaining,
    formula="Σ_s D_s/σ_s Σ g_i/log2(i+1), divided by the ideal of the estimated numbers of documents",
    source=YILMAZ,
)
def infNDCG(q: Query, gains: tuple[tuple[float, float], ...], variant: str | None, cutoff: int) -> Expr:
    """Inferred nDCG: nDCG estimated from judgments sampled at another rate in each stratum.

    infDCG = Σ_s D_s/σ_s Σ over judged documents of stratum s at ranks i of g_i/log2(i+1), where the list has D_s pooled
    documents of the stratum, σ_s of them judged: the rate within the list, not that of the stratum.  It is divided by
    the DCG of a best list with R̂_g = Σ_s N_s/n_s · r_s,g documents of each gain g, rounded, the largest gains first.

    Variants: with None the best list ends at the cutoff.  sample_eval's copies add one more document of every further
    grade behind it, at the rank that it would have: "2011" is that of October 2011, which rounds R̂_g; "2012-trecvid"
    and copies before it count R̂_g as it is, so that ranks are fractions.  They give the same as None where R̂_g are
    whole, and all of them fit into k documents.

    Columns: `stratum` of the judgments, with a row per pooled document; those not judged have a negative grade.

    Range: 0 to ∞, higher is better; estimates above 1 occur, as both parts are estimates.  Without a sampled document
    of a positive gain it is 0 (policy `no_relevant`).

    Raises:
        MissingColumn: the judgments have no column `stratum`.
        InvalidValue: a pooled document has no stratum.

    Example:
        >>> import ireval_frames as ir
        >>> ir.evaluate(*ir.examples.sampled(), "infNDCG").wide()["infNDCG"].round(4).to_list()
        [0.9318]
    """
    strata = Strata(q, 0.0)
    gain, ideal = gains_of(q, gains)
    discount = discount_of("log2", 2.0)
    best = IdealList(strata, ideal, cutoff, variant).sum(discount)
    term = strata.rate_in_list(cutoff) * when(gain > 0).then(gain).otherwise(0.0) / discount(q.rank)
    return q.ratio(q.sum(when(col("relevance") >= 0).then(term).otherwise(0.0), cutoff), strata.of_unit(best))


@measure(
    "ranking",
    "infP",
    parameters={"rel": REL, "cutoff": REQUIRED_CUTOFF},
    aliases=("iP",),
    reads=READS,
    relevant=documents,
    formula="1/k Σ_s d_s (ρ_s + ε)/(σ_s + 3ε)",
    source=YILMAZ,
)
def infP(q: Query, rel: float, cutoff: int) -> Expr:
    """Inferred precision: the estimated share of relevant documents among the first k.

    infP@k = 1/k Σ_s d_s (ρ_s + ε)/(σ_s + 3ε), with ε = 0.00001, where the first k documents have d_s of stratum s, σ_s
    of them judged and ρ_s relevant.  Where none of a stratum's d_s documents is judged, a third of them counts as
    relevant: that is what the smoothing says.  A list shorter than k is divided by k.  It is sample_eval's iP.

    Columns: `stratum` of the judgments, with a row per pooled document; those not judged have a negative grade.

    Range: 0 to 1, higher is better.  Defined for every query.

    Raises:
        MissingColumn: the judgments have no column `stratum`.
        InvalidValue: a pooled document has no stratum.

    Example:
        >>> import ireval_frames as ir
        >>> ir.evaluate(*ir.examples.sampled(), "infP@5").wide()["infP@5"].round(4).to_list()
        [0.8]
    """
    return q.sum(Strata(q, rel).relevant_at, cutoff) / cutoff


@measure(
    "ranking",
    "infR",
    parameters={"rel": REL, "cutoff": DEPTH},
    range=UPWARDS,
    reads=READS,
    relevant=documents,
    formula="Σ_s d_s (ρ_s + ε)/(σ_s + 3ε), divided by R̂",
    source=YILMAZ,
)
def infR(q: Query, rel: float, cutoff: int) -> Expr:
    """Inferred recall: the estimated number of relevant documents among the first k, over that of all.

    infR@k = infNumRelRet@k / infNumRel = Σ_s d_s (ρ_s + ε)/(σ_s + 3ε) / Σ_s N_s/n_s · r_s.

    Columns: `stratum` of the judgments, with a row per pooled document; those not judged have a negative grade.

    Range: 0 to ∞, higher is better; estimates above 1 occur, as both parts are estimates.  Without sampled relevant
    documents it is 0 (policy `no_relevant`).

    Raises:
        MissingColumn: the judgments have no column `stratum`.
        InvalidValue: a pooled document has no stratum.

    Example:
        >>> import ireval_frames as ir
        >>> ir.evaluate(*ir.examples.sampled(), "infR@3").wide()["infR@3"].round(4).to_list()
        [0.75]
    """
    strata = Strata(q, rel)
    return q.ratio(q.sum(strata.relevant_at, cutoff), strata.of_unit(strata.estimated_relevant))


@measure(
    "ranking",
    "infNumRelRet",
    parameters={"rel": REL, "cutoff": DEPTH},
    aliases=("inum_rel_ret",),
    range=UPWARDS,
    higher_is_better=None,
    aggregation="sum",
    reads=READS,
    relevant=None,
    formula="Σ_s d_s (ρ_s + ε)/(σ_s + 3ε)",
    source=YILMAZ,
)
def infNumRelRet(q: Query, rel: float, cutoff: int) -> Expr:
    """The estimated number of relevant documents among the first k; summed over queries.

    infNumRelRet@k = k · infP@k.  It is sample_eval's inum_rel_ret.

    Columns: `stratum` of the judgments, with a row per pooled document; those not judged have a negative grade.

    Range: 0 to k.  Defined for every query.

    Raises:
        MissingColumn: the judgments have no column `stratum`.
        InvalidValue: a pooled document has no stratum.

    Example:
        >>> import ireval_frames as ir
        >>> ir.evaluate(*ir.examples.sampled(), "infNumRelRet").wide()["infNumRelRet"].round(3).to_list()
        [4.0]
    """
    return q.sum(Strata(q, rel).relevant_at, cutoff)


@measure(
    "ranking",
    "infNumRel",
    parameters={"rel": REL},
    aliases=("inum_rel",),
    range=UPWARDS,
    higher_is_better=None,
    aggregation="sum",
    reads=READS,
    relevant=None,
    formula="R̂ = Σ_s N_s/n_s · r_s",
    source=YILMAZ,
)
def infNumRel(q: Query, rel: float) -> Expr:
    """The estimated number of relevant documents of a query; summed over queries.

    R̂ = Σ_s N_s/n_s · r_s, where stratum s has N_s pooled documents, n_s judged and r_s relevant ones.  A stratum
    without a judgment adds nothing, so that R̂ is too small, which a warning says.  It is sample_eval's inum_rel, whose
    sum is over all judged queries, also those without a list.

    Columns: `stratum` of the judgments, with a row per pooled document; those not judged have a negative grade.

    Range: 0 to the number of pooled documents.  Defined for every query.

    Raises:
        MissingColumn: the judgments have no column `stratum`.
        InvalidValue: a pooled document has no stratum.

    Example:
        >>> import ireval_frames as ir
        >>> ir.evaluate(*ir.examples.sampled(), "infNumRel").wide()["infNumRel"].to_list()
        [4.0]
    """
    strata = Strata(q, rel)
    return strata.of_unit(strata.estimated_relevant)
