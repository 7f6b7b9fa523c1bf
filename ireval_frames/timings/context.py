"""The context of measures of timings: what their functions compute with."""

from __future__ import annotations

import math
from collections.abc import Callable

import polars as pl

from ireval_frames import per
from ireval_frames.errors import InvalidValue, NotDefined, rows_to_fix
from ireval_frames.expr import Expr, col, when
from ireval_frames.ratios import indicator, ratio
from ireval_frames.timings.order_statistics import OrderStatistics
from ireval_frames.timings.tables import TimingTables


class TimingContext:
    """What a measure of timings computes with.

    Args:
        tables: the tables of the plan.
        measure: the measure's name, for errors.
    """

    def __init__(self, tables: TimingTables, measure: str) -> None:
        self.tables, self.measure = tables, measure

    @staticmethod
    def ratio(numerator: Expr, denominator: Expr) -> per.Same:
        """Null where the denominator is 0."""
        return ratio(numerator, denominator)

    # ---- latencies

    @property
    def sorted(self) -> OrderStatistics:
        """The latencies in their order: those of a rank, and percentiles."""
        tables = self.tables
        plain = not tables.has("weight")
        return OrderStatistics(tables.latencies, col("latency"), col("w"), tables.units, plain=plain)

    @property
    def num_latencies(self) -> per.Unit:
        """The number of latencies, infinite ones included."""
        return self.tables.latencies.sum(col("w"))

    @property
    def num_infinite(self) -> per.Unit:
        """The number of infinite latencies."""
        return self.summed_latencies(indicator(col("latency").is_null()))

    def summed_latencies(self, of: per.Request) -> per.Unit:
        """The sum over the latencies of something that is computed from `latency`."""
        return self.tables.latencies.sum(of * col("w"))

    def mean_latency(self, of: Callable[[Expr], Expr]) -> per.Unit:
        """The mean of a function of finite latencies; infinite where a latency is, null where there is none."""
        latency = col("latency")
        total = self.summed_latencies(when(~latency.is_null()).then(of(latency.fill_null(1.0))).otherwise(0.0))
        return when(self.num_infinite > 0.0).then(math.inf).otherwise(self.ratio(total, self.num_latencies))

    # ---- requests

    @property
    def num_requests(self) -> per.Unit:
        """The number of requests, without those of the warm-up."""
        return self.summed(when(col("failed") >= 0.0).then(1.0).otherwise(0.0))

    @property
    def num_queries(self) -> per.Unit:
        """The number of different queries; of requests where no column names their query."""
        tables = self.tables
        if not tables.has("item_id"):
            return self.num_requests
        queries = tables.plan.grouped("queries_sent", tables.requests, *tables.keys, "item_id")
        return queries.count()

    @property
    def num_warm_up(self) -> per.Unit:
        """The number of requests of the warm-up."""
        tables = self.tables
        warm = col("warm_up") if tables.has("warm_up") else col("failed") * 0.0
        return tables.items.sum(warm * tables.weight)

    @property
    def latency(self) -> per.Request:
        """The latency of a request; null is infinite."""
        return self.tables.latency

    @property
    def failed(self) -> per.Request:
        """1 for a request that failed, else 0."""
        return col("failed")

    @property
    def seconds(self) -> per.Request:
        """The seconds of a request; null where a failed one has none."""
        return col("seconds")

    def summed(self, of: per.Request) -> per.Unit:
        """The sum over the requests, without those of the warm-up."""
        return self.tables.requests.sum(of * self.tables.weight)

    def time(self, clients: float | None) -> per.Unit:
        """The seconds in which the requests were answered: from the first start to the last end.

        With `clients` that send one request after another it is the sum of the seconds, divided by their number.

        Raises:
            MissingColumn: there are no starts, and no clients.
            NotDefined: the requests are drawn, so that their order in time has no meaning.
        """
        requests = self.tables.requests
        if clients is not None:
            self._all_have("seconds", "has no seconds, and clients need the time of every request")
            return self.summed(col("seconds").fill_null(0.0)) / clients
        self.tables.inputs.needs("started", f"{self.measure} without clients=…")
        if self.tables.inputs.drawn:
            raise NotDefined(
                f"{self.measure} is of a time from the first request to the last, of which there is one: requests that "
                "are drawn have none.",
                "Name the number of clients that send one request after another: Throughput(clients=1).",
            )
        self._all_have("started", "has no start")
        first, last = requests.min(col("started")), requests.max(col("ended"))
        return when(last > first).then(last - first)

    def cost(self, price: float | None) -> per.Request:
        """What a request costs: its own cost, or its seconds at a price for one.

        Raises:
            MissingColumn: there are neither.
        """
        if price is not None:
            self._all_have("seconds", "has no seconds, which have a price")
            return col("seconds").fill_null(0.0) * price
        self.tables.inputs.needs("cost", f"{self.measure} without price=…")
        self._all_have("cost", "has no cost, or one below 0", least=0.0)
        return col("cost")

    def need_status(self) -> None:
        """Refuse a table that does not say which requests failed.

        Raises:
            MissingColumn: it has no status.
        """
        self.tables.inputs.needs("status", self.measure)

    def _all_have(self, column: str, what: str, *, least: float | None = None) -> None:
        requests = self.tables.requests
        value = col(column)
        name = self.tables.inputs.user_columns[column]

        def error(rows: pl.DataFrame, count: int) -> InvalidValue:
            del rows
            have = f"{count:,} requests: each {what}" if count > 1 else f"A request {what}"
            return InvalidValue(
                f"{self.measure}: {have[0].lower()}{have[1:]}.",
                rows_to_fix("frame", name, ".is_null()", ".is_nan()", ".is_infinite()", *too_low),
            )

        too_low = [] if least is None else [f" < {least:g}"]
        bad = value.is_null() | ~value.is_finite()
        self.tables.plan.require(requests, bad if least is None else bad | (value < least), error)
