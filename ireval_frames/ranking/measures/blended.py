"""NTCIR's measures, which use the blended ratio of precision and cumulated gain.

BR(r) = (C(r) + β·cg(r)) / (r + β·cg*(r)) at rank r, where C(r) is the number of documents with a gain down to r, cg(r)
their gain, and cg*(r) that of the best order.  β = 0 is precision.  The measures differ in the distribution
of the documents with a gain at which readers stop.
"""

from __future__ import annotations

from ireval_frames.catalog import measure
from ireval_frames.expr import Expr, lit, when
from ireval_frames.parameters import choice, number
from ireval_frames.ranking.context import Query
from ireval_frames.ranking.measures.gain import GAINS, gaining, gains_of
from ireval_frames.ranking.measures.ideal_alignment import SideBySide
from ireval_frames.ranking.parameters import CUTOFF, JUDGED_ONLY
from ireval_frames.ratios import indicator

Gains = tuple[tuple[float, float], ...]
BETA = number(1.0, "how much the gain weighs in the blended ratio; 0 is precision", low=0.0)
BLENDED = {"beta": BETA, "gains": GAINS, "judged_only": JUDGED_ONLY}
ONE_DOCUMENT = "Sakai, IPSJ Transactions on Databases 48(SIG9), 2007; NTCIREVAL"


class Blended:
    """The ranks where the list or the best order gains, with the blended ratio there."""

    def __init__(self, q: Query, beta: float, gains: Gains) -> None:
        _, self.ideal = gains_of(q, gains)
        self.q, self.side = q, SideBySide(q, self.ideal, self.ideal)
        side = self.side
        self.has_gain = side.steps.column(indicator(side.gain > 0), "has_gain")
        self.number = side.so_far(self.has_gain)
        gained, best = side.so_far(side.gain), side.so_far(side.best_gain)
        self.ratio = side.steps.column((self.number + beta * gained) / (side.rank + beta * best), "blended_ratio")

    def sum(self, row: Expr) -> Expr:
        """The sum over the documents with a gain."""
        return self.side.sum(when(self.has_gain > 0).then(row).otherwise(0.0))

    @property
    def is_largest(self) -> Expr:
        """1 where the list's largest gain is."""
        gain = self.side.gain
        largest = self.side.steps.over(gain.max(), self.side.keys, name="largest_gain")
        return self.side.steps.column(indicator((gain == largest) & (gain > 0)), "is_largest")

    @property
    def num_gaining(self) -> Expr:
        """The number of the query's judged documents with a gain."""
        return self.q.num_gaining(self.ideal)

    def over(self, value: Expr, divisor: Expr) -> Expr:
        """A ratio; undefined if no judged document gains."""
        return when(self.num_gaining > 0).then(self.q.ratio(value, divisor).fill_null(0.0))


@measure(
    "ranking",
    "QMeasure",
    parameters={"beta": BETA, "gains": GAINS, "cutoff": CUTOFF, "judged_only": JUDGED_ONLY},
    aliases=("Q", "Q_measure"),
    relevant=gaining,
    formula="1/R Σ over gaining documents of (C(r) + β·cg(r)) / (r + β·cg*(r))",
    source="Sakai and Song, SIGIR 2011; NTCIREVAL",
)
def QMeasure(q: Query, beta: float, gains: Gains, cutoff: int | None) -> Expr:
    """Average precision with the blended ratio in place of precision, for graded relevance.

    Q = 1/R Σ_r BR(r) over the ranks r of documents with a gain, BR(r) = (C(r) + β·cg(r)) / (r + β·cg*(r)); R is the
    number of judged documents with a gain.  Q@k sums down to k and divides by min(k, R), as NTCIREVAL does.  `gains`
    are those of DCG.  With beta=0 it is average precision.

    Range: 0 to 1, higher is better.  Without positive gains it is 0 (policy `no_relevant`).

    Example:
        >>> import ireval_frames as ir
        >>> ir.evaluate(*ir.examples.ranking(), "QMeasure QMeasure@2").summary()["value"].round(4).to_list()
        [0.3889, 0.25]
    """
    blended = Blended(q, beta, gains)
    total = blended.num_gaining
    divisor = total if cutoff is None else when(total < cutoff).then(total).otherwise(cutoff * 1.0)
    value = blended.ratio if cutoff is None else when(blended.side.rank <= cutoff).then(blended.ratio).otherwise(0.0)
    return blended.over(blended.sum(value), divisor)


@measure(
    "ranking",
    "OMeasure",
    parameters=BLENDED,
    aliases=("O_measure",),
    relevant=gaining,
    formula="BR at the first rank with a gain",
    source=ONE_DOCUMENT,
)
def OMeasure(q: Query, beta: float, gains: Gains) -> Expr:
    """The blended ratio at the first document with a gain: reciprocal rank for graded relevance.

    O = (1 + β·g(r)) / (r + β·cg*(r)) at the first rank r with a gain.  With beta=0 it is the reciprocal rank.

    Range: 0 to 1, higher is better.  Without positive gains it is 0 (policy `no_relevant`).

    Example:
        >>> import ireval_frames as ir
        >>> ir.evaluate(*ir.examples.ranking(), "OMeasure").summary()["value"].round(4).to_list()
        [0.5]
    """
    blended = Blended(q, beta, gains)
    return blended.over(blended.sum(blended.ratio * indicator(blended.number == 1)), lit(1.0))


@measure(
    "ranking",
    "PMeasure",
    parameters=BLENDED,
    aliases=("P_measure",),
    relevant=gaining,
    formula="BR at the first rank of the list's largest gain",
    source=ONE_DOCUMENT,
)
def PMeasure(q: Query, beta: float, gains: Gains) -> Expr:
    """The blended ratio at the preferred rank: that of the first document with the largest gain in the list.

    P-measure = BR(r_p), where r_p is the first rank of the largest gain that the list holds: the reader needs one
    document and takes the best.

    Range: 0 to 1, higher is better.  Without positive gains it is 0 (policy `no_relevant`).

    Example:
        >>> import ireval_frames as ir
        >>> ir.evaluate(*ir.examples.ranking(), "PMeasure").summary()["value"].round(4).to_list()
        [0.6667]
    """
    blended = Blended(q, beta, gains)
    largest = blended.is_largest
    first = largest * indicator(blended.side.so_far(largest) == 1)
    return blended.over(blended.sum(blended.ratio * first), lit(1.0))


@measure(
    "ranking",
    "PPlus",
    parameters=BLENDED,
    aliases=("P_plus",),
    relevant=gaining,
    formula="mean of BR over the gaining documents down to the first rank of the list's largest gain",
    source=ONE_DOCUMENT,
)
def PPlus(q: Query, beta: float, gains: Gains) -> Expr:
    """The mean blended ratio of the documents with a gain down to the preferred rank.

    P+ = 1/C(r_p) Σ_{r≤r_p} BR(r) over the documents with a gain; r_p is the first rank of the largest gain in the list.
    Readers who need one document also profit from lesser ones before it.

    Range: 0 to 1, higher is better.  Without positive gains it is 0 (policy `no_relevant`).

    Example:
        >>> import ireval_frames as ir
        >>> ir.evaluate(*ir.examples.ranking(), "PPlus").summary()["value"].round(4).to_list()
        [0.5833]
    """
    blended = Blended(q, beta, gains)
    largest = blended.is_largest
    until = indicator(blended.side.so_far(largest) - largest == 0)
    return blended.over(blended.sum(blended.ratio * until), blended.sum(until))


@measure(
    "ranking",
    "NCU",
    parameters={
        "stop": choice(
            "rank-biased",
            "graded",
            "uniform",
            what="where readers stop: more at early documents, more at larger gains, or uniformly",
        ),
        "gamma": number(
            0.95,
            "of rank-biased readers: how many stop at a document with a gain, relative to the one before",
            low=0.0,
            high=1.0,
        ),
        **BLENDED,
    },
    relevant=gaining,
    formula="Σ over gaining documents of P(stop) · BR",
    source="Sakai and Robertson, EVIA 2008; NTCIREVAL",
)
def NCU(q: Query, stop: str, gamma: float, beta: float, gains: Gains) -> Expr:
    """Normalized cumulative utility: the blended ratio where readers stop, for three populations of readers.

    NCU = Σ_r P(r)·BR(r) over the documents with a gain.  "rank-biased": P(r) ∝ γ^(C(r)−1) over the R
    documents with a gain; "graded": P(r) is the document's gain over the sum of all gains; "uniform":
    P(r) = 1/R, which is the Q-measure.  With beta=0 the utility is precision.  NTCIREVAL's NCUgu,P is
    NCU(stop="graded", beta=0), its NCUrb,BR is NCU.

    Range: 0 to 1, higher is better.  Without positive gains it is 0 (policy `no_relevant`).

    Example:
        >>> import ireval_frames as ir
        >>> ir.evaluate(*ir.examples.ranking(), "NCU NCU(stop='graded')").summary()["value"].round(4).to_list()
        [0.3973, 0.4167]
    """
    blended = Blended(q, beta, gains)
    if stop == "graded":
        return blended.over(blended.sum(blended.side.gain * blended.ratio), q.ideal_sum(blended.ideal))
    if stop == "uniform" or gamma == 1.0:
        return blended.over(blended.sum(blended.ratio), blended.num_gaining)
    weights = (1.0 - lit(gamma) ** blended.num_gaining) / (1.0 - gamma)
    return blended.over(blended.sum(blended.ratio * lit(gamma) ** (blended.number - 1.0)), weights)


@measure(
    "ranking",
    "nCG",
    parameters={"gains": GAINS, "cutoff": CUTOFF, "judged_only": JUDGED_ONLY},
    aliases=("NCG",),
    relevant=gaining,
    formula="CG@k / CG@k of the best order",
    source="Järvelin and Kekäläinen, ACM TOIS 20(4), 2002",
)
def nCG(q: Query, gains: Gains, cutoff: int | None) -> Expr:
    """Cumulative gain, normalized by that of the best order.

    nCG@k = Σ_{i≤k} g_i / Σ_{i≤k} g*_i, where g*_1 ≥ g*_2 ≥ … are the query's positive gains; without a cutoff it is the
    share of all gain that was retrieved.  `gains` are those of DCG.

    Range: 0 to 1 (less with negative gains), higher is better.  Without positive gains it is 0 (policy `no_relevant`).

    Example:
        >>> import ireval_frames as ir
        >>> ir.evaluate(*ir.examples.ranking(), "nCG@3").wide()["nCG@3"].round(4).to_list()
        [0.6667]
    """
    _, gain = gains_of(q, gains)
    return q.ratio(q.discounted_sum(gain, cutoff=cutoff), q.ideal_sum(gain, cutoff=cutoff))
