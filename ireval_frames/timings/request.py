"""Requests for measures of timings: their inputs, tables and plan."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from ireval_frames import catalog
from ireval_frames.declaration import Measure
from ireval_frames.engines.base import Aggregate, Engine
from ireval_frames.expr import Expr, col
from ireval_frames.items.inputs import ItemNames
from ireval_frames.items.request import ItemRequest
from ireval_frames.plan import Plan
from ireval_frames.timings.checks import checks
from ireval_frames.timings.context import TimingContext
from ireval_frames.timings.inputs import TimingInputs
from ireval_frames.timings.tables import TimingTables

if TYPE_CHECKING:
    from ireval_frames.conventions.timings import TimingPolicy
    from ireval_frames.timings.subject import Timings


class TimingRequest(ItemRequest[TimingInputs, TimingTables]):
    """A request for measures of timings."""

    subject: Timings
    policy: TimingPolicy

    resamples_items = True

    def inputs(self, engine: Engine) -> TimingInputs:
        """The user's table under our names."""
        names = ItemNames(self.subject._columns, self.by, self.unit)
        return TimingInputs(self.user_tables["timings"], names, engine, self.policy, self.subject._measured)

    def tables(self, inputs: TimingInputs) -> TimingTables:
        """The tables of a plan for the measures."""
        return TimingTables(Plan(inputs.engine, ordered=self.ordered), inputs, self.policy)

    def context(self, tables: TimingTables, measure: str) -> TimingContext:
        """The context of a measure."""
        return TimingContext(tables, measure)

    def checks(self, tables: TimingTables) -> list[Callable[[], None]]:
        """The checks of the data."""
        return checks(tables)

    def counts(self, tables: TimingTables) -> dict[str, str]:
        """How many requests the policy about failures affects, and how many warm the system up."""
        inputs = tables.inputs

        def number(flag: Expr) -> str:
            counted = inputs.engine.group(inputs.items, (), [Aggregate("n", "sum", flag * tables.weight)])
            n = int(inputs.engine.collect(counted)["n"][0] or 0)
            return f"{n:,} request{'s' * (n != 1)}"

        warm = {"warm-up": f"{number(col('warm_up'))} left out"} if tables.has("warm_up") else {}
        return {"failures": number(col("failed")), **warm}

    def count_measures(self) -> dict[str, Measure]:
        """The columns of `per_unit(counts=True)`."""
        named = {"n_requests": "NumRequests", "n_failed": "NumFailed", "n_warm_up": "NumWarmUp"}
        return {column: catalog.parse(name, "timings") for column, name in named.items()}
