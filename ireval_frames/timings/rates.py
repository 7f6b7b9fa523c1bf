"""Requests per second, shares of requests, and costs."""

from __future__ import annotations

from ireval_frames.catalog import measure
from ireval_frames.expr import Expr, when
from ireval_frames.parameters import UPWARDS, choice, number
from ireval_frames.ratios import indicator
from ireval_frames.timings.context import TimingContext

LIMIT = number(what="the seconds in which a request must be answered", low=0.0, example=0.5)
CLIENTS = number(
    None, "how many clients sent one request after another; None: requests have starts", low=0.0, open_ends=True
)
PRICE = number(None, "the price of a second; None: requests have costs", low=0.0)


@measure(
    "timings",
    "Throughput",
    parameters={"clients": CLIENTS},
    at="",
    range=UPWARDS,
    higher_is_better=True,
    undefined=None,
    formula="answered / (last end − first start)",
    source="Little, A Proof for the Queuing Formula, 1961; ann-benchmarks (clients=1)",
)
def Throughput(t: TimingContext, clients: float | None) -> Expr:
    """The number of requests that were answered in a second.

    Throughput = answered / (last end − first start), in requests per second.  A table without starts needs `clients`:
    the number of clients that sent one request after another, whose time is the sum of the seconds divided by it.  It
    is 1 / MeanLatency of one client only.  ann-benchmarks' QPS is that of one client with `policy="repetitions=best"`.

    Range: 0 and more, higher is better.  Undefined where no time passed.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Timings(ir.examples.timings()).evaluate("Throughput(clients=1)").summary()["value"].round(2).to_list()
        [7.9, 17.34]
    """
    return t.ratio(t.summed(1.0 - t.failed), t.time(clients))


@measure(
    "timings",
    "Goodput",
    parameters={"limit": LIMIT, "clients": CLIENTS},
    at="",
    range=UPWARDS,
    higher_is_better=True,
    undefined=None,
    formula="answered within the limit / (last end − first start)",
    source="Zhong and others, DistServe, 2024",
)
def Goodput(t: TimingContext, limit: float, clients: float | None) -> Expr:
    """The number of requests that were answered within the limit, in a second.

    Goodput = #{answered in at most `limit` seconds} / (last end − first start), in requests per second; `clients` as
    in `Throughput`.

    Range: 0 and more, higher is better.  Undefined where no time passed.

    Example:
        >>> import ireval_frames as ir
        >>> ev = ir.Timings(ir.examples.timings()).evaluate("Goodput(limit=0.1)")
        >>> ev.summary()["value"].round(3).to_list()
        [4.444, 7.692]
    """
    good = indicator((t.failed == 0.0) & (t.latency <= limit).fill_null(value=False))
    return t.ratio(t.summed(good), t.time(clients))


@measure(
    "timings",
    "WithinLimit",
    parameters={"limit": LIMIT},
    aliases=("SLOAttainment",),
    at="",
    higher_is_better=True,
    undefined=None,
    formula="#{x_i ≤ limit} / n",
    source="Zhong and others, DistServe, 2024",
)
def WithinLimit(t: TimingContext, limit: float) -> Expr:
    """The share of the requests that are answered within the limit.

    WithinLimit = #{x_i ≤ limit} / n over the latencies x_i in seconds, of which those of failures are infinite.

    Range: 0 to 1, higher is better.  Undefined without requests.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Timings(ir.examples.timings()).evaluate("WithinLimit(limit=0.1)").summary()["value"].to_list()
        [0.8, 0.8]
    """
    return t.ratio(t.sorted.number_within(limit), t.num_latencies)


@measure(
    "timings",
    "ErrorRate",
    at="",
    higher_is_better=False,
    undefined=None,
    formula="failed / sent",
    source="counted",
)
def ErrorRate(t: TimingContext) -> Expr:
    """The share of the requests that failed.

    ErrorRate = failed / sent.

    Range: 0 to 1, lower is better.  Undefined without requests.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Timings(ir.examples.timings()).evaluate("ErrorRate").summary()["value"].to_list()
        [0.0, 0.1]
    """
    t.need_status()
    return t.ratio(t.summed(t.failed), t.num_requests)


@measure(
    "timings",
    "Concurrency",
    at="",
    range=UPWARDS,
    higher_is_better=None,
    undefined=None,
    formula="Σ seconds / (last end − first start)",
    source="Little, A Proof for the Queuing Formula, 1961",
)
def Concurrency(t: TimingContext) -> Expr:
    """The mean number of requests that were under way at once.

    Concurrency = Σ seconds / (last end − first start): by Little's law the throughput times the mean time of a request.

    Range: 0 and more; neither is better.  Undefined where no time passed.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Timings(ir.examples.timings()).evaluate("Concurrency").summary()["value"].round(3).to_list()
        [0.703, 0.499]
    """
    return t.ratio(t.summed(t.seconds.fill_null(0.0)), t.time(None))


@measure(
    "timings",
    "Cost",
    parameters={
        "per": choice("request", "thousand", "total", what="the cost of a request, of a thousand, or of all"),
        "price": PRICE,
    },
    at="",
    range=UPWARDS,
    higher_is_better=False,
    undefined=None,
    reads=("cost",),
    formula="Σ cost / n",
    source="counted",
)
def Cost(t: TimingContext, per: str, price: float | None) -> Expr:
    """What a request costs: money, energy, tokens, documents scored, whatever the column `cost` counts.

    Cost = Σ cost / n, times 1000 with `per="thousand"`; Σ cost with `per="total"`.  `price` is that of a second, in
    place of the column.  Failures cost, too, and count as requests.

    Range: 0 and more, lower is better.  Undefined without requests.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Timings(ir.examples.timings()).evaluate("Cost(per='thousand')").summary()["value"].to_list()
        [2.0, 5.0]
    """
    total = t.summed(t.cost(price))
    if per == "total":
        return when(t.num_requests > 0.0).then(total)
    return t.ratio(total * (1000.0 if per == "thousand" else 1.0), t.num_requests)
