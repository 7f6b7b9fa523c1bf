"""What makes the plan of an evaluation of a click log."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import polars as pl

from ireval_frames import catalog
from ireval_frames.clicks.checks import declared, one_each
from ireval_frames.clicks.context import ClickContext
from ireval_frames.clicks.inputs import ClickInputs
from ireval_frames.clicks.tables import ClickTables
from ireval_frames.conventions.rankings import ClickPolicy
from ireval_frames.declaration import Measure
from ireval_frames.engines.base import Engine
from ireval_frames.engines.row_checks import hold
from ireval_frames.expr import col
from ireval_frames.items.build import ItemBuild
from ireval_frames.items.inputs import Names
from ireval_frames.plan import Plan


class ClickBuild(ItemBuild[Any, ClickPolicy, ClickTables]):
    """Makes the plan of one evaluation on any engine."""

    def __init__(self, subject: Any, policy: ClickPolicy, by: tuple[str, ...], unit: tuple[str, ...]) -> None:
        super().__init__(subject, policy, by)
        self.unit = unit

    def inputs(self, engine: Engine, given: Mapping[str, Any] | None = None) -> ClickInputs:
        """The tables as handed in; `given` replaces some."""
        names = Names(self.subject.columns, self.by, self.unit)
        return ClickInputs({**self.subject.given, **(given or {})}, names, engine, self.policy)

    def made(
        self, engine: Engine, measures: Sequence[Measure], given: Mapping[str, Any] | None, *, ordered: bool = False
    ) -> ClickTables:
        """The tables for the measures; `given` replaces the tables that were handed in."""
        del measures
        return ClickTables(Plan(engine, ordered=ordered), self.inputs(engine, given), self.policy)

    def context(self, tables: ClickTables, measure: str) -> ClickContext:
        """What the functions of measures are handed."""
        return ClickContext(tables, measure)

    def checks(self, tables: ClickTables) -> list[Callable[[], None]]:
        """What the data must not hold."""
        inputs = tables.inputs
        return [lambda: hold(inputs.engine, declared(inputs)), lambda: one_each(inputs), tables.plan.check]

    def counts(self, tables: ClickTables) -> dict[str, str]:
        """How many pages the policies touched."""
        clicks = tables.log.sum(col("click"), into=tables.pages)
        told = {"empty": tables.shown == 0, "no_click": clicks == 0}
        columns = {name: tables.pages.sum(which.cast(pl.Float64)) for name, which in told.items()}
        row = tables.plan.engine.collect(tables.units.frame().select(**columns)).sum()
        return {name: f"{int(row[name].item() or 0)} pages" for name in told}

    def count_measures(self) -> dict[str, Measure]:
        """What `per_unit(counts=True)` adds."""
        named = {"n_pages": "NumPages", "n_results": "NumResults", "n_clicks": "NumClicks"}
        return {column: catalog.parse(name, "clicks") for column, name in named.items()}
