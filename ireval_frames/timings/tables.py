"""The tables of an evaluation of timings.

```
items      a row per request of the user's table        latencies  a row per latency that counts
requests   the same without those of the warm-up        units      a row per run, or group of requests
```

Rates and costs read `requests`; what is said of latencies reads `latencies`, where the policies about failures and
repetitions are applied, and requests that were never sent may be added.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

import polars as pl

from ireval_frames.conventions.timings import TimingPolicy
from ireval_frames.errors import Argument, Hint, InvalidValue
from ireval_frames.expr import Expr, col, lit, when
from ireval_frames.plan import Plan, Table
from ireval_frames.ratios import ratio
from ireval_frames.timings.inputs import TimingInputs
from ireval_frames.timings.order_statistics import OrderStatistics

# The most requests that a client may not have sent during one.
MOST_OMITTED = 1e6
# More than the errors of floats in a number of intervals: 0.3 / 0.1 is less than 3.
ROUNDING = 1e-9


class TimingTables:
    """The tables, made from the canonical inputs."""

    def __init__(self, plan: Plan, inputs: TimingInputs, policy: TimingPolicy) -> None:
        self.plan, self.inputs, self.policy, self.keys = plan, inputs, policy, inputs.keys
        self._columns = set(inputs.items.columns)
        plan.unit = self.units

    def has(self, column: str) -> bool:
        """Whether requests have that column."""
        return column in self._columns

    @cached_property
    def items(self) -> Table:
        """A row per request of the user's table."""
        known = [c for c in ("item_id", "repetition") if self.has(c)]
        return self.plan.input("items", (*self.keys, *known), self.inputs.items)

    @cached_property
    def units(self) -> Table:
        """A row per run, or group of requests."""
        return self.plan.grouped("units", self.items, *self.keys)

    @property
    def weight(self) -> Expr:
        """How many requests a row is."""
        return col("weight") if self.has("weight") else lit(1.0)

    @cached_property
    def requests(self) -> Table:
        """A row per request that does not warm the system up."""
        where = []
        if self.has("warm_up"):
            where.append(col("warm_up") == 0.0)
        if self.has("weight"):
            where.append(col("weight") > 0.0)
        if not where:
            return self.items
        condition = where[0] if len(where) == 1 else where[0] & where[1]
        return self.plan.selected("requests", self.items.keys, self.items, condition)

    @property
    def latency(self) -> Expr:
        """The latency of a request; null is infinite."""
        value = col("seconds") + col("delay") if self.has("delay") else col("seconds")
        return value if self.policy.failures == "recorded" else when(col("failed") == 0.0).then(value)

    @cached_property
    def latencies(self) -> Table:
        """A row per latency that counts, in its column `latency`, with its weight `w`."""
        rows, how = self.requests, self.policy.repetitions
        where = col("failed") == 0.0 if self.policy.failures == "skip" else None
        columns = {"latency": self.latency, "w": self.weight}
        keys = [k for k in self.items.keys if k not in self.keys]
        rows = self.plan.selected(
            "request_latencies", self.items.keys, rows, where, **{k: col(k) for k in (*self.keys, *keys)}, **columns
        )
        if how == "best":
            rows = self._of_best_repetition(rows)
        elif how != "all":
            rows = self._of_queries(rows, how)
        interval = self.inputs.measured.interval
        return rows if interval is None else self._with_omitted(rows, interval)

    def _of_best_repetition(self, rows: Table) -> Table:
        """The latencies of the repetition whose mean is the smallest; of equal ones all."""
        self.inputs.needs("repetition", "repetitions=best")
        repetitions = self.plan.grouped("repetitions", rows, *self.keys, "repetition")
        lost = rows.sum(when(col("latency").is_null()).then(col("w")).otherwise(0.0), into=repetitions)
        total, n = (
            rows.sum(col("latency").fill_null(0.0) * col("w"), into=repetitions),
            rows.sum(col("w"), into=repetitions),
        )
        mean = repetitions.column(when(lost == 0.0).then(ratio(total, n)), "mean_latency")
        smallest = repetitions.min(mean, into=self.units)
        # Where all have failures none is best, and all count.
        best = mean == repetitions.lookup(smallest, of=self.units)
        none = repetitions.lookup(smallest, of=self.units).is_null()
        is_best = repetitions.column(when(none | best.fill_null(value=False)).then(1.0).otherwise(0.0), "is_best")
        flagged = rows.lookup(is_best, of=repetitions)
        return self.plan.selected(
            "latencies_of_best", rows.keys, rows, flagged > 0.0, latency=col("latency"), w=col("w")
        )

    def _of_queries(self, rows: Table, how: str) -> Table:
        """One latency of each query."""
        self.inputs.needs("query_id", f"repetitions={how}")
        queries = self.plan.grouped("queries", rows, *self.keys, "item_id")
        one = lit(1.0)
        if how == "median":
            value = OrderStatistics(rows, col("latency"), one, queries).percentile(50.0, "linear")
            # An infinite median is null, as all infinite latencies are.
            value = queries.column(value, "median_latency")
            value = when(value.is_finite()).then(value)
        elif how == "min":
            value = rows.min(col("latency"), into=queries)
        else:
            n_infinite = rows.sum(when(col("latency").is_null()).then(1.0).otherwise(0.0), into=queries)
            value = when(n_infinite == 0.0).then(rows.mean(col("latency"), into=queries))
        weight = rows.max(col("w"), into=queries)
        return self.plan.selected(
            "latencies_of_queries", queries.keys, queries, **{k: col(k) for k in queries.keys}, latency=value, w=weight
        )

    def _with_omitted(self, rows: Table, interval: float) -> Table:
        """With v − i, v − 2i … of each latency v: requests that a client did not send while it waited, down to i."""
        self.plan.require(rows, col("latency") / interval > MOST_OMITTED, _too_many(interval))
        steps = (col("latency") / interval + ROUNDING).floor() - 1.0
        last = rows.column(when(steps > 0.0).then(steps).otherwise(0.0).fill_null(0.0).cast(pl.Int64), "n_omitted")
        expanded = self.plan.expand_range("latencies_with_omitted", "omitted", rows, lit(0), last)
        omitted = col("latency") - col("omitted").cast(pl.Float64) * interval
        return self.plan.selected(
            "latencies_corrected",
            expanded.keys,
            expanded,
            **{k: col(k) for k in expanded.keys},
            latency=omitted,
            w=col("w"),
        )


def _too_many(interval: float) -> Callable[[pl.DataFrame, int], InvalidValue]:
    """The error that a latency stands for more requests than anybody sends."""
    return lambda rows, _: InvalidValue(
        f"A latency of {rows['latency'][0]:g} seconds at an interval of {interval:g} is "
        f"{rows['latency'][0] / interval:,.0f} requests that were not sent; at most {MOST_OMITTED:,.0f} are added.",
        Hint("Write the seconds between two requests: ", Argument("interval", 0.01), "."),
    )
