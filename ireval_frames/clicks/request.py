"""Requests for measures of a click log: their inputs, tables and plan."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import polars as pl

from ireval_frames import catalog
from ireval_frames.clicks.checks import declared, one_each
from ireval_frames.clicks.context import ClickContext
from ireval_frames.clicks.inputs import ClickInputs
from ireval_frames.clicks.tables import ClickTables
from ireval_frames.declaration import Measure
from ireval_frames.engines.base import Engine
from ireval_frames.engines.row_checks import run_checks
from ireval_frames.expr import col
from ireval_frames.items.inputs import ItemNames
from ireval_frames.items.request import ItemRequest
from ireval_frames.plan import Plan

if TYPE_CHECKING:
    from ireval_frames.clicks.subject import Impressions
    from ireval_frames.conventions.rankings import ClickPolicy


class ClickRequest(ItemRequest[ClickInputs, ClickTables]):
    """A request for measures of a click log."""

    subject: Impressions
    policy: ClickPolicy

    def inputs(self, engine: Engine) -> ClickInputs:
        """The tables as passed."""
        names = ItemNames(self.subject.columns, self.by, self.unit)
        return ClickInputs(self.user_tables, names, engine, self.policy)

    def tables(self, inputs: ClickInputs) -> ClickTables:
        """The tables of a plan for the measures."""
        return ClickTables(Plan(inputs.engine, ordered=self.ordered), inputs, self.policy)

    def context(self, tables: ClickTables, measure: str) -> ClickContext:
        """What the functions of measures are handed."""
        return ClickContext(tables, measure)

    def checks(self, tables: ClickTables) -> list[Callable[[], None]]:
        """The checks of the data."""
        inputs = tables.inputs
        return [lambda: run_checks(inputs.engine, declared(inputs)), lambda: one_each(inputs), tables.plan.check]

    def counts(self, tables: ClickTables) -> dict[str, str]:
        """How many pages the policies apply to."""
        clicks = tables.log.sum(col("click"), into=tables.pages)
        conditions = {"empty": tables.shown == 0, "no_click": clicks == 0}
        columns = {name: tables.pages.sum(which.cast(pl.Float64)) for name, which in conditions.items()}
        row = tables.plan.engine.collect(tables.units.frame().select(**columns)).sum()
        return {name: f"{int(row[name].item() or 0)} pages" for name in conditions}

    def count_measures(self) -> dict[str, Measure]:
        """What `per_unit(counts=True)` adds."""
        named = {"n_pages": "NumPages", "n_results": "NumResults", "n_clicks": "NumClicks"}
        return {column: catalog.parse(name, "clicks") for column, name in named.items()}
