"""Measures estimated by inclusion probabilities: every judged document counts for those that were not drawn."""

from __future__ import annotations

from ireval_frames.catalog import measure
from ireval_frames.expr import Expr, when
from ireval_frames.parameters import UPWARDS, choice
from ireval_frames.ranking.context import Query
from ireval_frames.ranking.parameters import CUTOFF, REL, REQUIRED_CUTOFF, documents
from ireval_frames.ranking.sampled.ideal import NEARLY
from ireval_frames.ranking.sampled.probabilities import Probabilities
from ireval_frames.ratios import indicator

PAVLU = "Aslam and Pavlu, A Practical Sampling Strategy for Efficient Retrieval Evaluation, 2007"
HORVITZ = "Horvitz and Thompson, JASA 47, 1952; Aslam and Pavlu, 2007"
READS = ("method", "iprob")

RATES = choice(
    None,
    "iprob",
    "strata",
    what="the inclusion probabilities: the column `iprob`, or the share of judged documents in each stratum; by "
    "default `iprob` where there is such a column",
)
CHOSEN = choice(
    "certain",
    "drop",
    "drawn",
    what="of documents whose `method` is 0 or 2, which were chosen and not drawn: they count with probability 1; those "
    "of method 0 are left out; `iprob` counts as it is",
)
PARAMETERS = {"rel": REL, "rates": RATES, "chosen": CHOSEN}


@measure(
    "ranking",
    "statAP",
    parameters={**PARAMETERS, "cutoff": CUTOFF},
    aliases=("statMAP",),
    range=UPWARDS,
    reads=READS,
    relevant=documents,
    formula="1/R̂ Σ over sampled relevant i of 1/π_i · (1 + Σ over sampled relevant above of 1/π) / i",
    source=PAVLU,
)
def statAP(q: Query, rel: float, rates: str | None, chosen: str, cutoff: int | None) -> Expr:
    """Statistical average precision: AP estimated from judgments with inclusion probabilities.

    statAP = 1/R̂ Σ over retrieved relevant documents at ranks i of 1/π_i · (1 + Σ over relevant ones above of 1/π_j)/i,
    with R̂ = Σ over relevant judgments of 1/π.  The document at rank i is known to be relevant, so it counts once.

    It is statAP_MQ_eval's AP.  Of the Million Query track's prels, that script takes documents of the methods 0 and 2,
    which another method chose, as certain; `chosen="drop"` is its option -f.  A port to Java rounds R̂ and cuts the sum
    above to a whole number, which is not followed.

    Columns: `iprob` of the judgments, in (0, 1] for judged documents; or `stratum`; and `method` if there is one.
    Documents that were not drawn have a negative grade, or no row where `iprob` is read.

    Range: 0 to ∞, higher is better; estimates above 1 occur.  Without sampled relevant documents it is 0 (policy
    `no_relevant`).

    Raises:
        MissingColumn: the judgments have no such column.
        InvalidValue: a judged document has no probability, or one of 0, or above 1.

    Example:
        >>> import ireval_frames as ir
        >>> ir.evaluate(*ir.examples.sampled(), "statAP").wide()["statAP"].round(4).to_list()
        [0.7833]
    """
    sample = Probabilities(q, rel, rates, chosen)
    return q.ratio(q.sum(sample.relevant_at * sample.precision, cutoff), sample.estimated_relevant)


@measure(
    "ranking",
    "statP",
    parameters={
        **PARAMETERS,
        "estimator": choice(
            "total",
            "ratio",
            what="divide the estimated number of relevant documents by k, or by the estimated number of documents",
        ),
        "cutoff": REQUIRED_CUTOFF,
    },
    aliases=("statPC",),
    range=UPWARDS,
    undefined=None,
    reads=READS,
    relevant=documents,
    formula="1/k Σ over sampled relevant among the first k of 1/π",
    source=HORVITZ,
)
def statP(q: Query, rel: float, rates: str | None, chosen: str, estimator: str, cutoff: int) -> Expr:
    """Statistical precision: the estimated share of relevant documents among the first k.

    statP@k = 1/k Σ over relevant documents among the first k of 1/π.  With estimator="ratio" it is divided by the same
    sum over all judged documents among the first k instead of k: it varies less and never exceeds 1, and documents
    outside of the pool count as those in it do.

    Columns: `iprob` of the judgments, in (0, 1] for judged documents; or `stratum`; and `method` if there is one.

    Range: 0 to ∞, higher is better; estimates above 1 occur.  As a ratio undefined where none of the first k documents
    is judged.

    Raises:
        MissingColumn: the judgments have no such column.
        InvalidValue: a judged document has no probability, or one of 0, or above 1.

    Example:
        >>> import ireval_frames as ir
        >>> ir.evaluate(*ir.examples.sampled(), "statP@5").wide()["statP@5"].round(4).to_list()
        [0.8]
    """
    sample = Probabilities(q, rel, rates, chosen)
    hits = q.sum(sample.relevant_at, cutoff)
    return q.ratio(hits, q.sum(sample.judged_at, cutoff)) if estimator == "ratio" else hits / cutoff


@measure(
    "ranking",
    "statR",
    parameters={**PARAMETERS, "cutoff": CUTOFF},
    reads=READS,
    relevant=documents,
    formula="Σ over sampled relevant among the first k of 1/π, divided by R̂",
    source=HORVITZ,
)
def statR(q: Query, rel: float, rates: str | None, chosen: str, cutoff: int | None) -> Expr:
    """Statistical recall: the estimated share of the relevant documents that are among the first k.

    statR@k = Σ over relevant documents among the first k of 1/π, divided by R̂ = Σ over relevant judgments of 1/π.

    Columns: `iprob` of the judgments, in (0, 1] for judged documents; or `stratum`; and `method` if there is one.

    Range: 0 to 1, higher is better.  Without sampled relevant documents it is 0 (policy `no_relevant`).

    Raises:
        MissingColumn: the judgments have no such column.
        InvalidValue: a judged document has no probability, or one of 0, or above 1.

    Example:
        >>> import ireval_frames as ir
        >>> ir.evaluate(*ir.examples.sampled(), "statR@3").wide()["statR@3"].round(4).to_list()
        [0.75]
    """
    sample = Probabilities(q, rel, rates, chosen)
    return q.ratio(q.sum(sample.relevant_at, cutoff), sample.estimated_relevant)


@measure(
    "ranking",
    "statRprec",
    parameters=PARAMETERS,
    range=UPWARDS,
    reads=READS,
    relevant=documents,
    formula="Σ over sampled relevant among the first R̂ of 1/π, divided by R̂",
    source="statAP_MQ_eval (Northeastern University); Aslam and Pavlu, 2007",
)
def statRprec(q: Query, rel: float, rates: str | None, chosen: str) -> Expr:
    """Statistical R-precision: the estimated precision at the estimated number of relevant documents.

    statRprec = 1/r Σ over relevant documents among the first r of 1/π, where r is R̂ = Σ over relevant judgments of 1/π,
    rounded (halves up).  A list shorter than r is divided by R̂ itself, as in statAP_MQ_eval.

    Columns: `iprob` of the judgments, in (0, 1] for judged documents; or `stratum`; and `method` if there is one.

    Range: 0 to ∞, higher is better; estimates above 1 occur.  Without sampled relevant documents it is 0 (policy
    `no_relevant`).

    Raises:
        MissingColumn: the judgments have no such column.
        InvalidValue: a judged document has no probability, or one of 0, or above 1.

    Example:
        >>> import ireval_frames as ir
        >>> ir.evaluate(*ir.examples.sampled(), "statRprec").wide()["statRprec"].round(4).to_list()
        [0.75]
    """
    sample = Probabilities(q, rel, rates, chosen)
    total = sample.estimated_relevant
    rounded = q.tables.units.column((total + (0.5 + NEARLY)).floor(), "rounded_relevant")
    within = indicator(q.rank <= q.rows.lookup(rounded, of=q.tables.units))
    below = when(q.num_retrieved < rounded).then(total).otherwise(rounded)
    return q.ratio(q.sum(within * sample.relevant_at), below)


@measure(
    "ranking",
    "statNumRel",
    parameters=PARAMETERS,
    range=UPWARDS,
    higher_is_better=None,
    aggregation="sum",
    reads=READS,
    relevant=None,
    formula="R̂ = Σ over sampled relevant of 1/π",
    source=HORVITZ,
)
def statNumRel(q: Query, rel: float, rates: str | None, chosen: str) -> Expr:
    """The number of relevant documents of a query, estimated by inclusion probabilities; summed over queries.

    R̂ = Σ over relevant judgments of 1/π.  With rates="strata" it is infNumRel.

    Columns: `iprob` of the judgments, in (0, 1] for judged documents; or `stratum`; and `method` if there is one.

    Range: 0 to ∞.  Defined for every query.

    Raises:
        MissingColumn: the judgments have no such column.
        InvalidValue: a judged document has no probability, or one of 0, or above 1.

    Example:
        >>> import ireval_frames as ir
        >>> ir.evaluate(*ir.examples.sampled(), "statNumRel").wide()["statNumRel"].to_list()
        [4.0]
    """
    return Probabilities(q, rel, rates, chosen).estimated_relevant
