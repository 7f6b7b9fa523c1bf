"""The tables of an evaluation of a click log.

```
log        a row per shown result, and one for a page that shows nothing
pages      a row per result page: how much it shows, its clicks      places     a row per unit and position
units      a row per group of pages                                  positions  a row per position of the whole log
queries, documents           a row per unit and query, or document   pairs      a row per unit, query and document
requests   the pages with session, time and query                    sessions, users   a row per unit and session, user
```

A unit holds rows of the log: a page is cut where its rows are in several units.
"""

from __future__ import annotations

from functools import cached_property

import polars as pl

from ireval_frames.clicks.checks import beyond, one_weight
from ireval_frames.clicks.inputs import ClickInputs
from ireval_frames.conventions.rankings import ClickPolicy
from ireval_frames.expr import Expr, col, lit, when
from ireval_frames.plan import Plan, Table
from ireval_frames.ratios import ratio


class ClickTables:
    """The tables, made from the canonical inputs."""

    def __init__(self, plan: Plan, inputs: ClickInputs, policy: ClickPolicy) -> None:
        self.plan, self.inputs, self.policy, self.keys = plan, inputs, policy, inputs.keys
        self.weighted = "weight" in inputs.columns
        self._constants: dict[tuple[float, ...], Table] = {}
        plan.unit = self.units

    @cached_property
    def log(self) -> Table:
        """A row per shown result, and one for a page that shows nothing."""
        return self.plan.input("log", (*self.keys, "serp_id", "position"), self.inputs.log)

    @cached_property
    def units(self) -> Table:
        """A row per group of pages."""
        return self.plan.grouped("units", self.log, *self.keys)

    @property
    def several(self) -> list[str]:
        """The column that separates several logs in one table."""
        return [k for k in self.keys if k == "run_id"]

    @property
    def weight(self) -> Expr:
        """The weight of a row of the log, 1 without weights."""
        return col("weight") if self.weighted else lit(1.0)

    # ---- pages

    @cached_property
    def pages(self) -> Table:
        """A row per result page."""
        return self.plan.grouped("pages", self.log, *self.keys, "serp_id")

    @cached_property
    def page_weight(self) -> Expr:
        """In `pages`: the weight of a page, which all its rows have."""
        if not self.weighted:
            return lit(1.0)
        low, high = (ask(col("weight"), into=self.pages) for ask in (self.log.min, self.log.max))
        self.plan.require(self.pages, low != high, one_weight)
        return high

    @cached_property
    def shown(self) -> Expr:
        """In `pages`: how many results it shows."""
        return self.log.sum(col("shown"), into=self.pages, name="shown")

    @cached_property
    def counted(self) -> Expr | None:
        """In `pages`: which ones count; None for all."""
        return self.shown > 0 if self.policy.empty == "skip" else None

    # ---- groups of results

    def grouped(self, name: str, *columns: str) -> Table:
        """A row per unit and value of columns of the log."""
        return self.plan.grouped(name, self.log, *self.keys, *columns)

    @cached_property
    def places(self) -> Table:
        """A row per unit and position."""
        return self.grouped("places", "position")

    def shown_in(self, table: Table, cutoff: int | None = None) -> Expr:
        """In a table of groups of results: how many were shown."""
        return self.log.sum(self.weight * self.within(col("shown"), cutoff), into=table, name="shown")

    def clicked_in(self, table: Table, cutoff: int | None = None) -> Expr:
        """In a table of groups of results: how many were clicked."""
        return self.log.sum(self.weight * self.within(col("click"), cutoff), into=table, name="clicked")

    @staticmethod
    def within(term: Expr, cutoff: int | None) -> Expr:
        """A term at the top k positions, 0 at others."""
        return term if cutoff is None else when(col("position") <= cutoff).then(term).otherwise(0.0)

    # ---- positions

    @cached_property
    def positions(self) -> Table:
        """A row per position, over all units of a run."""
        return self.plan.grouped("positions", self.places, *self.several, "position")

    @cached_property
    def rate(self) -> Expr:
        """In `positions`: the click-through rate in the whole log."""
        sums = (self.clicked_in(self.places), self.shown_in(self.places))
        clicked, shown = (self.places.sum(e, into=self.positions) for e in sums)
        return self.positions.column(ratio(clicked, shown), "rate")

    def first_rate(self, at: Table) -> Expr:
        """The click-through rate of the first position, at the rows of a table."""
        runs = self.plan.grouped("runs", self.positions, *self.several)
        return at.lookup(self.positions.max(when(col("position") == 1).then(self.rate), into=runs), of=runs)

    def at_positions(self, values: tuple[float, ...]) -> Expr:
        """In `places`: the number of each position; results shown further down are refused."""
        if values not in self._constants:
            frame = pl.DataFrame({"position": range(1, len(values) + 1), "number": values})
            self._constants[values] = self.plan.constant(f"numbers_{len(self._constants) + 1}", ("position",), frame)
        number = self.places.lookup(col("number"), of=self._constants[values])
        bad = number.is_null() & (self.shown_in(self.places) > 0)
        self.plan.require(self.places, bad, beyond(len(values)))
        return number
