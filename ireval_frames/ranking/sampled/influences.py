"""How much each judged document moves an estimate: what the variance of the estimate is made of.

An estimate is A / D, where a judged document adds to A what it says of itself, and what it says of unjudged documents
above relevant ones; and to D what it says of the number of relevant documents, or of the best list.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from ireval_frames.expr import Expr, col, lit, when
from ireval_frames.ranking.context import Query
from ireval_frames.ranking.measures.gain import discount_of, gains_of
from ireval_frames.ranking.sampled.ideal import IdealList
from ireval_frames.ranking.sampled.probabilities import Probabilities
from ireval_frames.ranking.sampled.strata import TREC_EVAL, Strata
from ireval_frames.ranking.tables import relevant
from ireval_frames.ratios import ratio


@dataclass(frozen=True)
class Influence:
    """How the judged documents of a query move an estimate.

    Attributes:
        sample: the sample.
        of_rows: what a retrieved judged document adds to A; None for nothing.
        of_judgments: what a judged document adds to D; None for nothing.
        divisor: D, of a unit.
        value: A / D; None where the estimate is D itself.
    """

    sample: Strata | Probabilities
    of_rows: Expr | None
    of_judgments: Expr | None
    divisor: Expr
    value: Expr | None


Arguments = Mapping[str, Any]
Of = Callable[[Query, Expr, Arguments], Influence]


def _weights(strata: Strata, of_judgment: Expr) -> Expr:
    """What a judgment says of its stratum: its value for each document that it stands for."""
    weight = strata.judgments.lookup(strata.weight, of=strata.table)
    judged = col("relevance") >= 0
    return strata.judgments.column(when(judged).then(weight * of_judgment).otherwise(0.0), "weighted_judgment")


def within(q: Query, row: Expr, cutoff: int | None) -> Expr:
    """A value of the rows down to the cutoff, else 0."""
    return row if cutoff is None else when(q.rank <= cutoff).then(row).otherwise(0.0)


def _precisions(strata: Strata, weight: Expr | float, cutoff: int | None) -> Expr:
    """What a document adds to the sum of expected precisions: its own, and what it changes in those below it.

    Relevant documents below the last one of its stratum above them are the same to each document of the stratum.
    """
    q, rows, units = strata.q, strata.rows, strata.units.keys
    term = rows.column(within(q, strata.hit * weight / q.rank, cutoff), "term")
    below = rows.column(rows.over(term.cum_sum(), units, ["rank"], "from_here", descending=True) - term, "below")
    below_next = rows.over(below.shift(-1), strata.keys, ["rank"], "below_next").fill_null(0.0)
    to_next = rows.column(below - below_next, "to_next")
    judged, hits = strata.down_to_here(strata.is_judged, "is_judged"), strata.down_to_here(strata.hit, "is_relevant")
    rate = rows.column(strata.pooled_so_far / (judged + strata.smoothing) * to_next, "rate_to_next")
    share = rows.column(rate * strata.share(hits, judged), "share_to_next")
    rates, shares = (rows.over(e.cum_sum(), strata.keys, ["rank"], "from_here", descending=True) for e in (rate, share))
    own = within(q, strata.hit * weight * strata.expected_precision, cutoff)
    return rows.column(strata.is_judged * (own + strata.hit * rates - shares), "influence")


def _numbers(strata: Strata, cutoff: int) -> Expr:
    """What a document adds to the estimated number of relevant documents among the first k."""
    q, rows = strata.q, strata.rows
    pooled, judged, hits = (
        rows.over(rows.column(within(q, e, cutoff)).sum(), strata.keys, name="in_list")
        for e in (lit(1.0), strata.is_judged, strata.hit)
    )
    change = pooled / (judged + strata.smoothing) * (strata.hit - strata.share(hits, judged))
    return rows.column(strata.is_judged * within(q, change, cutoff), "influence")


def _of_xinfap(q: Query, value: Expr, arguments: Arguments) -> Influence:
    strata, cutoff = Strata(q, arguments["rel"]), arguments["cutoff"]
    number = strata.of_unit(strata.estimated_relevant)
    of_rows = _precisions(strata, strata.at_rows(strata.weight), cutoff)
    divisor = number
    if arguments["variant"] == "2012-trecvid":
        # There A is divided by k, which no document moves.
        longer = number > float(cutoff)
        divisor, value = when(longer).then(float(cutoff)).otherwise(number), when(longer).then(0.0).otherwise(value)
    return Influence(strata, of_rows, _weights(strata, relevant(strata.rel)), divisor, value)


def _of_infap(q: Query, value: Expr, arguments: Arguments) -> Influence:
    strata = Strata(q, arguments["rel"], whole_pool=True, smoothing=TREC_EVAL)
    of_judgments = strata.judgments.column(relevant(strata.rel), "weighted_judgment")
    return Influence(strata, _precisions(strata, 1.0, None), of_judgments, q.num_relevant(strata.rel), value)


def _of_infndcg(q: Query, value: Expr, arguments: Arguments) -> Influence:
    strata, cutoff = Strata(q, 0.0), arguments["cutoff"]
    discount = discount_of("log2", 2.0)
    gain, ideal = gains_of(q, arguments["gains"])
    rows = q.rows
    gain = strata.is_judged * when(gain > 0).then(gain).otherwise(0.0) / discount(q.rank)
    gain = rows.column(within(q, gain, cutoff), "discounted_gain")
    judged = within(q, strata.is_judged, cutoff)
    total = rows.over(gain.sum(), strata.keys, name="gain_in_list")
    mean = ratio(total, rows.over(rows.column(judged).sum(), strata.keys, name="judged_in_list"))
    change = strata.rate_in_list(cutoff) * (gain - mean)
    of_rows = rows.column(when(judged > 0).then(change).otherwise(0.0), "influence")
    best = IdealList(strata, ideal, cutoff, arguments["variant"])
    further = IdealList(strata, ideal, cutoff, None).of_one_more(discount)
    return Influence(strata, of_rows, _weights(strata, further), strata.of_unit(best.sum(discount)), value)


def _of_infp(q: Query, value: Expr, arguments: Arguments) -> Influence:
    strata, cutoff = Strata(q, arguments["rel"]), arguments["cutoff"]
    return Influence(strata, _numbers(strata, cutoff), None, lit(float(cutoff)), value)


def _of_infnumrelret(q: Query, value: Expr, arguments: Arguments) -> Influence:
    strata = Strata(q, arguments["rel"])
    return Influence(strata, _numbers(strata, arguments["cutoff"]), None, lit(1.0), value)


def _of_infr(q: Query, value: Expr, arguments: Arguments) -> Influence:
    strata = Strata(q, arguments["rel"])
    number = strata.of_unit(strata.estimated_relevant)
    of_rows = _numbers(strata, arguments["cutoff"])
    return Influence(strata, of_rows, _weights(strata, relevant(strata.rel)), number, value)


def _of_infnumrel(q: Query, value: Expr, arguments: Arguments) -> Influence:
    del value
    strata = Strata(q, arguments["rel"])
    return Influence(strata, None, _weights(strata, relevant(strata.rel)), lit(1.0), None)


def _sample(q: Query, arguments: Arguments) -> Probabilities:
    return Probabilities(q, *(arguments[name] for name in ("rel", "rates", "chosen")))


def terms_below(q: Query, sample: Probabilities, cutoff: int | None) -> Expr:
    """What a relevant document adds to the precisions at the ranks of those below it."""
    term = q.rows.column(within(q, sample.relevant_at / q.rank, cutoff), "term")
    from_here = q.rows.over(term.cum_sum(), q.tables.units.keys, ["rank"], "from_here", descending=True)
    return q.rows.column(from_here - term, "terms_below")


def _of_statap(q: Query, value: Expr, arguments: Arguments) -> Influence:
    sample, rows, cutoff = _sample(q, arguments), q.rows, arguments["cutoff"]
    own = sample.precision + terms_below(q, sample, cutoff)
    of_rows = rows.column(within(q, sample.relevant_at * own, cutoff), "influence")
    return Influence(sample, of_rows, sample.weight_of_relevant, sample.estimated_relevant, value)


def _of_statp(q: Query, value: Expr, arguments: Arguments) -> Influence:
    sample, rows, cutoff = _sample(q, arguments), q.rows, arguments["cutoff"]
    of_rows, divisor = sample.relevant_at, lit(float(cutoff))
    if arguments["estimator"] == "ratio":
        share = rows.lookup(q.tables.units.column(value), of=q.tables.units)
        of_rows, divisor = of_rows - share * sample.judged_at, q.sum(sample.judged_at, cutoff)
    return Influence(sample, rows.column(within(q, of_rows, cutoff), "influence"), None, divisor, value)


def _of_statr(q: Query, value: Expr, arguments: Arguments) -> Influence:
    sample = _sample(q, arguments)
    of_rows = q.rows.column(within(q, sample.relevant_at, arguments["cutoff"]), "influence")
    return Influence(sample, of_rows, sample.weight_of_relevant, sample.estimated_relevant, value)


def _of_statnumrel(q: Query, value: Expr, arguments: Arguments) -> Influence:
    del value
    sample = _sample(q, arguments)
    return Influence(sample, None, sample.weight_of_relevant, lit(1.0), None)


INFLUENCES: dict[str, Of] = {
    "infAP": _of_infap,
    "xinfAP": _of_xinfap,
    "infNDCG": _of_infndcg,
    "infP": _of_infp,
    "infR": _of_infr,
    "infNumRel": _of_infnumrel,
    "infNumRelRet": _of_infnumrelret,
    "statAP": _of_statap,
    "statP": _of_statp,
    "statR": _of_statr,
    "statNumRel": _of_statnumrel,
}
"""The measures whose estimates have a variance, and how judged documents move them."""
