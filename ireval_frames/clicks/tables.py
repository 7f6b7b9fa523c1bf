"""The tables of an evaluation of a click log.

```
log        a row per shown result, and one for a page that shows nothing
pages      a row per result page: how much it shows, its clicks      places     a row per unit and position
units      a row per group of pages                                  positions  a row per position of the whole log
```

A unit holds rows of the log; what of a page is in a unit is the page there.
"""

from __future__ import annotations

from functools import cached_property

import narwhals.stable.v2 as nw

from ireval_frames.clicks.checks import one_weight
from ireval_frames.clicks.inputs import ClickInputs
from ireval_frames.plan import Plan, Table
from ireval_frames.policy import ClickPolicy
from ireval_frames.ratios import ratio


class ClickTables:
    """The tables, made from the canonical inputs."""

    def __init__(self, plan: Plan, inputs: ClickInputs, policy: ClickPolicy) -> None:
        self.plan, self.inputs, self.policy, self.keys = plan, inputs, policy, inputs.keys
        self.weighted = "weight" in inputs.columns
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
    def weight(self) -> nw.Expr:
        """The weight of a row of the log, 1 without weights."""
        return nw.col("weight") if self.weighted else nw.lit(1.0)

    # ---- pages

    @cached_property
    def pages(self) -> Table:
        """A row per result page."""
        return self.plan.grouped("pages", self.log, *self.keys, "serp_id")

    @cached_property
    def page_weight(self) -> nw.Expr:
        """In `pages`: the weight of a page, which all its rows have."""
        if not self.weighted:
            return nw.lit(1.0)
        low, high = (ask(nw.col("weight"), into=self.pages) for ask in (self.log.min, self.log.max))
        self.plan.require(self.pages, low != high, one_weight)
        return high

    @cached_property
    def shown(self) -> nw.Expr:
        """In `pages`: how many results it shows."""
        return self.log.sum(nw.col("shown"), into=self.pages, name="shown")

    @cached_property
    def counted(self) -> nw.Expr | None:
        """In `pages`: which count; None is all."""
        return self.shown > 0 if self.policy.empty == "skip" else None

    # ---- positions

    @cached_property
    def places(self) -> Table:
        """A row per unit and position."""
        return self.plan.grouped("places", self.log, *self.keys, "position")

    @cached_property
    def shown_there(self) -> nw.Expr:
        """In `places`: how many results were shown there."""
        return self.log.sum(self.weight * nw.col("shown"), into=self.places, name="shown")

    @cached_property
    def clicked_there(self) -> nw.Expr:
        """In `places`: how many of these were clicked."""
        return self.log.sum(self.weight * nw.col("click"), into=self.places, name="clicked")

    @cached_property
    def positions(self) -> Table:
        """A row per position, over all units of a run."""
        several = [k for k in self.keys if k == "run_id"]
        return self.plan.grouped("positions", self.places, *several, "position")

    @cached_property
    def rate_there(self) -> nw.Expr:
        """In `places`: the click-through rate of the position in the whole log."""
        shown, clicked = (self.places.sum(e, into=self.positions) for e in (self.shown_there, self.clicked_there))
        return self.places.take(self.positions.column(ratio(clicked, shown), "rate"), of=self.positions)
