"""The variance of an estimate from a sample: how far it would move if other documents had been drawn."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ireval_frames import catalog
from ireval_frames.catalog import measure
from ireval_frames.declaration import Measure
from ireval_frames.errors import InvalidParameter, UsageError
from ireval_frames.expr import Expr, col, lit, when
from ireval_frames.parameters import REQUIRED, UPWARDS, Parameter, choice
from ireval_frames.ranking.context import Query
from ireval_frames.ranking.inputs.facets import SHARED
from ireval_frames.ranking.sampled.influences import INFLUENCES, Influence, terms_below, within
from ireval_frames.ranking.sampled.probabilities import Probabilities
from ireval_frames.ranking.sampled.strata import Strata
from ireval_frames.ratios import indicator, ratio


def _estimate(value: Any) -> str:
    allowed = f"one of {', '.join(INFLUENCES)}, with its parameters but subtopics and assessors"
    if not isinstance(value, str | Measure):
        raise ValueError(allowed)
    try:
        estimate = catalog.parse(value, "ranking") if isinstance(value, str) else value
        estimate.arguments()
    except UsageError:
        raise ValueError(allowed) from None
    values = dict(estimate.values)
    if estimate.name not in INFLUENCES or not SHARED.keys().isdisjoint(values) or estimate.definition.is_own:
        raise ValueError(allowed)
    return str(estimate)


def _check_form(measure: Measure, values: Mapping[str, Any]) -> None:
    """Refuse the other script's form for other measures than its own.

    Raises:
        InvalidParameter: it is another measure, or one of strata.
    """
    estimate = catalog.parse(values["of"], "ranking")
    if values["form"] == STATAP_MQ_EVAL and (
        estimate.name != "statAP" or dict(estimate.values).get("rates") == "strata"
    ):
        raise InvalidParameter(
            f"form={STATAP_MQ_EVAL!r} is of statAP and inclusion probabilities, and {measure} is of {estimate}.",
            f"Write SamplingVariance(of='statAP', form={STATAP_MQ_EVAL!r}), or leave the form out.",
        )


STATAP_MQ_EVAL = "statAP_MQ_eval"
ESTIMATE = Parameter(REQUIRED, "the measure whose variance it is, such as 'xinfAP'", _estimate, example="xinfAP")


@measure(
    "ranking",
    "SamplingVariance",
    parameters={
        "of": ESTIMATE,
        "form": choice("linear", STATAP_MQ_EVAL, what="from derivatives, or as statAP_MQ_eval computes that of statAP"),
    },
    check=_check_form,
    range=UPWARDS,
    higher_is_better=None,
    undefined=None,
    reads=("stratum", "method", "iprob"),
    without=tuple(SHARED),
    relevant=None,
    formula="Σ_s (1 − n_s/N_s) n_s/(n_s−1) Σ over judged d of (u_d − mean u)²; Σ over judged d of (1 − π_d) u_d²",
    source="Särndal, Swensson and Wretman, Model Assisted Survey Sampling, 1992, chapter 5",
)
def SamplingVariance(q: Query, of: str, form: str) -> Expr:
    """The variance of an estimate from a sample of judgments: how far it would move if others had been drawn.

    u_d is the influence of a judged document d: the derivative of the estimate by the number of times that d counts.
    It has what d says of itself, of unjudged documents above relevant ones, and of the number of relevant documents;
    for infNDCG what one more document of d's gain adds to the best list.  Of samples in strata, n_s documents drawn of
    N_s without replacement, the variance is Σ_s (1 − n_s/N_s) n_s/(n_s−1) Σ (u_d − mean of the stratum)²; of inclusion
    probabilities, as if each document were drawn on its own, Σ (1 − π_d) u_d².  A sample of a fixed size varies less
    than that.  It is a first-order approximation: right for large samples, and too small where few documents near the
    top of the list were judged, most of all for infP and xinfAP.

    It holds for one query and these documents: the variance of a mean over n queries is the mean variance over n, which
    `ev.sampling_intervals()` computes.

    With form="statAP_MQ_eval" it is that script's varAP (version 4): 1/R̂² · n/(n_list + 0.1) · [Σ (1 − π + 1/(n−1))
    (p − AP)²/π² + Σ (1 − π)/π² (Σ below of 1/(π i))²] over relevant documents, p their precision (0 without a rank), n
    and n_list the numbers of judged documents and of those in the list; at most 1.

    Columns: those of the measure.

    Range: 0 to ∞; 0 where all pooled documents are judged, and for a query without a list.  Undefined where a stratum
    has one judged document or none, and more pooled ones, and where the estimate is.

    Raises:
        InvalidParameter: the measure is no estimate from samples, or statRprec, which moves in steps.

    Example:
        >>> import ireval_frames as ir
        >>> ev = ir.evaluate(*ir.examples.sampled(), "SamplingVariance(of='infNumRel') SamplingVariance(of='statAP')")
        >>> ev.per_unit()["value"].round(4).to_list()
        [2.0, 0.0009]
    """
    estimate = catalog.parse(of, "ranking")
    arguments = {k: v for k, v in estimate.arguments().items() if k not in SHARED}
    value = q.tables.units.column(estimate.expression(q, arguments), "estimate")
    influence = INFLUENCES[estimate.name](q, value, arguments)
    if form == STATAP_MQ_EVAL and isinstance(influence.sample, Probabilities):
        return _of_statap_mq_eval(q, influence.sample, value, arguments["cutoff"])
    return variance(q, influence)


def variance(q: Query, influence: Influence) -> Expr:
    """The variance of an estimate, in the units."""
    sample = influence.sample
    if isinstance(sample, Strata):
        total = _of_strata(sample, influence)
    elif sample.strata is not None:
        total = _of_strata(sample.strata, influence)
    else:
        total = _of_probabilities(q, sample, influence)
    # Rounding may leave a little less than 0.
    total = when(~total.is_null()).then(when(total > 0).then(total).otherwise(0.0))
    return ratio(total, influence.divisor * influence.divisor)


def _of_strata(strata: Strata, influence: Influence) -> Expr:
    """Of a sample in strata: the squared distances of influences to their mean in the stratum."""
    rows, table, units, judgments = strata.rows, strata.in_lists, strata.units, strata.judgments
    # They read each other's columns back and forth.
    for of in (rows, table, judgments):
        strata.plan.compute_once(of)
    n, pooled = (table.lookup(of, of=strata.table) for of in (strata.n_judged, strata.n_pooled))
    own, of_number, squares = influence.of_rows, influence.of_judgments, lit(0.0)
    if own is not None:
        mean = table.column(ratio(rows.sum(own, into=table), n).fill_null(0.0), "mean_influence")
        distance = rows.column(own - rows.lookup(mean, of=table), "distance")
        missed = n - rows.sum(strata.is_judged, into=table)
        squares = rows.sum(strata.is_judged * distance * distance, into=table) + missed * mean * mean
    if of_number is not None:
        mean = ratio(judgments.sum(of_number, into=strata.table), strata.n_judged)
        distance = of_number - judgments.lookup(strata.table.column(mean), of=strata.table)
        distance = judgments.column(when(col("relevance") >= 0).then(distance).otherwise(0.0), "distance_of_number")
        of_query = table.lookup(judgments.sum(distance * distance, into=strata.table), of=strata.table)
        value = lit(-1.0) if influence.value is None else table.lookup(units.column(influence.value), of=units)
        squares = squares + value * value * of_query
        if own is not None:
            together = rows.sum(own * rows.lookup(distance, of=judgments), into=table)
            squares = squares - 2.0 * value * together
    few = table.column(indicator((n < 2.0) & (n < pooled)), "too_few_judged")
    some = (n > 1.0) & (n < pooled)
    of_stratum = table.column(when(some).then((1.0 - n / pooled) * n / (n - 1.0) * squares).otherwise(0.0))
    if table is units:
        return when(few == 0.0).then(of_stratum)
    return when(table.sum(few, into=units) == 0.0).then(table.sum(of_stratum, into=units))


def _of_probabilities(q: Query, sample: Probabilities, influence: Influence) -> Expr:
    """Of inclusion probabilities, as if each document were drawn on its own."""
    own, of_number, total = influence.of_rows, influence.of_judgments, lit(0.0)
    unsure = sample.not_drawn
    value = lit(-1.0) if influence.value is None else influence.value
    if own is not None:
        total = q.sum(sample.at_rows(unsure) * own * own)
    if of_number is not None:
        of_query = q.tables.sum_by_query(unsure * of_number * of_number, name="of_number")
        total = total + value * value * q.of_unit(of_query)
        if own is not None:
            total = total - 2.0 * value * q.sum(sample.at_rows(unsure) * own * sample.at_rows(of_number))
    return total


def _of_statap_mq_eval(q: Query, sample: Probabilities, value: Expr, cutoff: int | None) -> Expr:
    """The variance that statAP_MQ_eval prints as varAP."""
    weight, unsure = sample.weight_of_relevant, sample.not_drawn
    judged = sample.judgments.column(indicator(sample.weight > 0.0), "in_sample")
    n = q.of_unit(q.tables.sum_by_query(judged, name="n_judged"))
    listed = q.sum(sample.at_rows(judged), cutoff)
    # The sum of (1 − π + 1/(n−1)) (p − AP)²/π², multiplied out: unlisted documents have no p.
    squared, sure = weight * weight, weight * weight * unsure
    sums = []
    for of_document in (sure, squared):
        column = sample.judgments.column(of_document, "squared_weight")
        every = q.of_unit(q.tables.sum_by_query(column, name="squared_weights"))
        at_rows = within(q, sample.at_rows(column) * sample.precision, cutoff)
        first, second = q.sum(at_rows), q.sum(at_rows * sample.precision)
        sums.append(second - 2.0 * value * first + value * value * every)
    below = terms_below(q, sample, cutoff)
    of_below = q.sum(within(q, sample.at_rows(sample.judgments.column(sure, "squared_weight")) * below * below, cutoff))
    total = sums[0] + ratio(sums[1], n - 1.0) + of_below
    share = ratio(total, sample.estimated_relevant * sample.estimated_relevant) * n / (listed + 0.1)
    return when(share > 1.0).then(1.0).otherwise(share)
