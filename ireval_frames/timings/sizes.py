"""Numbers of requests."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ireval_frames import catalog
from ireval_frames.declaration import Measure
from ireval_frames.expr import Expr
from ireval_frames.parameters import UPWARDS
from ireval_frames.timings.context import TimingContext


def _number(name: str, **declared: Any) -> Callable[[catalog.Function], Measure]:
    return catalog.measure(
        "timings", name, at="", range=UPWARDS, undefined=None, source="counted", **{"higher_is_better": None} | declared
    )


@_number("NumRequests", formula="n")
def NumRequests(t: TimingContext) -> Expr:
    """The number of requests, failures included, without those of the warm-up.

    Range: 0 and more.  Never undefined.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Timings(ir.examples.timings(), warm_up=2).evaluate("NumRequests").summary()["value"].to_list()
        [8.0, 8.0]
    """
    return t.num_requests


@_number("NumLatencies", formula="n")
def NumLatencies(t: TimingContext) -> Expr:
    """The number of latencies that count, under the policies about failures and repetitions.

    Range: 0 and more.  Never undefined.

    Example:
        >>> import ireval_frames as ir
        >>> ev = ir.Timings(ir.examples.timings(), policy="failures=skip").evaluate("NumLatencies")
        >>> ev.summary()["value"].to_list()
        [10.0, 9.0]
    """
    return t.num_latencies


@_number("NumQueries", formula="queries")
def NumQueries(t: TimingContext) -> Expr:
    """The number of different queries that were sent; of requests where no column names their query.

    Range: 0 and more.  Never undefined.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Timings(ir.examples.timings()).evaluate("NumQueries").summary()["value"].to_list()
        [10.0, 10.0]
    """
    return t.num_queries


@_number("NumFailed", formula="failed", higher_is_better=False)
def NumFailed(t: TimingContext) -> Expr:
    """The number of requests that failed.

    Range: 0 and more, lower is better.  Never undefined; 0 where no column says which failed.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Timings(ir.examples.timings()).evaluate("NumFailed").summary()["value"].to_list()
        [0.0, 1.0]
    """
    return t.summed(t.failed)


@_number("NumWarmUp", formula="warm-up")
def NumWarmUp(t: TimingContext) -> Expr:
    """The number of requests that are left out since they warmed the system up.

    Range: 0 and more.  Never undefined.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Timings(ir.examples.timings(), warm_up=2).evaluate("NumWarmUp").summary()["value"].to_list()
        [2.0, 2.0]
    """
    return t.num_warm_up
