"""Requests for measures of verdicts: their inputs, tables and plan."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from ireval_frames import catalog
from ireval_frames.columns.schema import resolve
from ireval_frames.columns.verdicts import VERDICTS
from ireval_frames.declaration import Measure
from ireval_frames.engines.base import Engine
from ireval_frames.engines.opening import Source, open_source
from ireval_frames.io.reading import TABLE
from ireval_frames.items.inputs import ItemNames
from ireval_frames.items.request import ItemRequest
from ireval_frames.plan import Plan
from ireval_frames.verdicts.checks import checks
from ireval_frames.verdicts.context import VerdictContext
from ireval_frames.verdicts.inputs import VerdictInputs
from ireval_frames.verdicts.tables import VerdictTables

if TYPE_CHECKING:
    from ireval_frames.conventions.verdicts import VerdictPolicy
    from ireval_frames.verdicts.subject import Verdicts


class VerdictRequest(ItemRequest[VerdictInputs, VerdictTables]):
    """A request for measures of verdicts."""

    subject: Verdicts
    policy: VerdictPolicy

    def inputs(self, engine: Engine) -> VerdictInputs:
        """The user's table under our names."""
        table, columns = self.user_tables["verdicts"], self.subject.columns
        frame = open_source(Source(table, "verdicts", TABLE), engine)
        query = resolve(VERDICTS, frame.columns, columns)["query_id"]
        return VerdictInputs(
            table, ItemNames({**columns, "query_id": query}, self.by, (query,)), engine, self.policy.units
        )

    def tables(self, inputs: VerdictInputs) -> VerdictTables:
        """The tables of a plan for the measures."""
        return VerdictTables(Plan(inputs.engine, ordered=self.ordered), inputs, self.policy)

    def context(self, tables: VerdictTables, measure: str) -> VerdictContext:
        """The context of a measure."""
        return VerdictContext(tables, measure)

    def checks(self, tables: VerdictTables) -> list[Callable[[], None]]:
        """The checks of the data."""
        return checks(tables)

    def count_measures(self) -> dict[str, Measure]:
        """The columns of `per_unit(counts=True)`."""
        return {"n_verdicts": catalog.parse("NumVerdicts", "verdicts")}
