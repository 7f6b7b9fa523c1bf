"""Percentiles and means of latencies."""

from __future__ import annotations

import math

from ireval_frames.catalog import measure
from ireval_frames.expr import Expr, col, when
from ireval_frames.parameters import ANY_NUMBER, UPWARDS, choice, number
from ireval_frames.timings.context import TimingContext
from ireval_frames.timings.order_statistics import DEFINITIONS

P = number(what="the percentage of latencies that are at most this long", low=0.0, high=100.0, example=95)
DEFINITION = choice(*DEFINITIONS, what="which latency that is, or between which two")


@measure(
    "timings",
    "Latency",
    parameters={"p": P, "definition": DEFINITION},
    at="",
    range=UPWARDS,
    higher_is_better=False,
    undefined=None,
    formula="x_⌈p·n/100⌉ of the latencies x_1 ≤ … ≤ x_n",
    source="Hyndman and Fan, Sample Quantiles in Statistical Packages, 1996; HdrHistogram",
)
def Latency(t: TimingContext, p: float, definition: str) -> Expr:
    """The latency that p % of the requests do not exceed, in seconds.

    Latency(p) = x_⌈p·n/100⌉ of the n latencies in their order.  `definition` names others, which differ where
    latencies are few:

    - "nearest-rank": the smallest latency that p % do not exceed, one that a request had (DuckDB's quantile_disc,
      NumPy's inverted_cdf);
    - "linear": between the two nearest to 1 + (n − 1)·p/100, which invents latencies that no request had
      (NumPy's and Excel's default, quantile_cont);
    - "weibull": between those nearest to (n + 1)·p/100 (Minitab, SPSS);
    - "hazen": between those nearest to n·p/100 + ½;
    - "nearest-index": the one nearest to 1 + (n − 1)·p/100 (the default of Polars).

    p = 100 is the longest.  A request that failed is infinitely long (policy `failures`), so the value is
    infinite where more than 100 − p % failed.  Percentiles of several runs, days or machines must not be averaged:
    evaluate all their requests as one run.  For the interval see `TimingEvaluation.intervals`.

    Range: 0 to infinity, lower is better.  Undefined without requests.

    Example:
        >>> import ireval_frames as ir
        >>> ev = ir.Timings(ir.examples.timings()).evaluate("Latency(p=50) Latency(p=95)")
        >>> ev.summary().select("run_id", "measure", "value").rows()[:2]
        [('a', 'Latency(p=50)', 0.015), ('a', 'Latency(p=95)', 0.9)]
    """
    return t.sorted.percentile(p, definition)


@measure(
    "timings",
    "MeanLatency",
    at="",
    range=UPWARDS,
    higher_is_better=False,
    undefined=None,
    formula="Σ x_i / n",
    source="counted",
)
def MeanLatency(t: TimingContext) -> Expr:
    """The mean latency of the requests, in seconds.

    MeanLatency = Σ x_i / n.  A few long requests decide it: read `Latency` beside it.  Of the requests of one client
    that sends one after another, 1 / MeanLatency is the throughput, of several clients it is not.

    Range: 0 to infinity, lower is better; infinite if a request failed, unless the policy `failures` says otherwise.
    Undefined without requests.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Timings(ir.examples.timings()).evaluate("MeanLatency").summary()["value"].round(4).to_list()
        [0.1266, inf]
    """
    return t.mean_latency(lambda latency: latency)


@measure(
    "timings",
    "GeometricMeanLatency",
    at="",
    range=UPWARDS,
    higher_is_better=False,
    undefined=None,
    formula="exp(Σ ln x_i / n)",
    source="Fleming and Wallace, How not to lie with statistics, 1986",
)
def GeometricMeanLatency(t: TimingContext) -> Expr:
    """The geometric mean of the latencies, in seconds; the ratio of two of them is the mean ratio of their queries.

    GeometricMeanLatency = exp(Σ ln x_i / n).  Where half of the queries take twice as long and half of them half as
    long, the ratio is 1.

    Range: 0 to infinity, lower is better; 0 if a latency is 0, infinite if a request failed.  Undefined without
    requests, and where one latency is 0 and another infinite.

    Example:
        >>> import ireval_frames as ir
        >>> ev = ir.Timings(ir.examples.timings()).evaluate("GeometricMeanLatency")
        >>> ev.summary()["value"].round(6).to_list()
        [0.028832, inf]
    """
    zeros = _num_zero(t)
    mean = t.mean_latency(_log)
    return (
        when(zeros == 0.0)
        .then(when(t.num_infinite > 0.0).then(math.inf).otherwise(mean.exp()))
        .otherwise(when(t.num_infinite == 0.0).then(0.0))
    )


@measure(
    "timings",
    "MeanLogLatency",
    at="",
    range=ANY_NUMBER,
    higher_is_better=False,
    undefined=None,
    formula="Σ ln x_i / n",
    source="Fleming and Wallace, How not to lie with statistics, 1986",
)
def MeanLogLatency(t: TimingContext) -> Expr:
    """The mean of the natural logarithms of latencies in seconds: e to a difference of two is a ratio of latencies.

    MeanLogLatency = Σ ln x_i / n.  With `unit="query_id"` it is what paired tests compare as ratios.

    Range: any number, lower is better; infinite if a request failed.  Undefined where a latency is 0, and
    without requests.

    Example:
        >>> import ireval_frames as ir
        >>> timings = ir.Timings(ir.examples.timings(), policy="failures=recorded")
        >>> timings.evaluate("MeanLogLatency").summary()["value"].round(4).to_list()
        [-3.5463, -3.4073]
    """
    return when(_num_zero(t) == 0.0).then(t.mean_latency(_log))


def _num_zero(t: TimingContext) -> Expr:
    latency = col("latency")
    return t.summed_latencies(when(latency.fill_null(1.0) == 0.0).then(1.0).otherwise(0.0))


def _log(latency: Expr) -> Expr:
    return when(latency > 0.0).then(latency).otherwise(1.0).log()
