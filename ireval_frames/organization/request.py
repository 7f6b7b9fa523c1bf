"""Requests for measures of organization: their inputs, tables and plan."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ireval_frames import catalog
from ireval_frames.declaration import Measure
from ireval_frames.engines.base import Engine
from ireval_frames.engines.opening import Source, open_source
from ireval_frames.expr import Expr, col
from ireval_frames.io.reading import TABLE
from ireval_frames.items.inputs import ItemNames
from ireval_frames.items.request import ItemRequest
from ireval_frames.organization.checks import checks
from ireval_frames.organization.context import OrganizationContext
from ireval_frames.organization.inputs import OrganizationInputs
from ireval_frames.organization.tables import OrganizationTables
from ireval_frames.plan import Plan

if TYPE_CHECKING:
    from ireval_frames.conventions.items import OrganizationPolicy
    from ireval_frames.organization.subject import Organization


class OrganizationRequest(ItemRequest[OrganizationInputs, OrganizationTables]):
    """A request for measures of organization."""

    subject: Organization
    policy: OrganizationPolicy

    def inputs(self, engine: Engine) -> OrganizationInputs:
        """The canonical inputs."""
        tables = self.user_tables
        names = ItemNames(self.subject.columns, self.by, self._unit(tables["gold"], engine))
        return OrganizationInputs(tables, names, engine, self.policy, overlapping=self.subject.overlapping)

    def tables(self, inputs: OrganizationInputs) -> OrganizationTables:
        """The tables of a plan for the measures."""
        return OrganizationTables(Plan(inputs.engine, ordered=self.ordered), inputs, self.policy)

    def _unit(self, gold: Any, engine: Engine) -> tuple[str, ...]:
        if self.subject.unit is not None:
            return self.unit
        names = list(open_source(Source(gold, "gold", TABLE), engine).columns)
        used = (*self.by, *self.subject.columns.values())
        return ("query_id",) if "query_id" in names and "query_id" not in used else ()

    def in_both(self, tables: OrganizationTables) -> Expr:
        """The number of items of each unit in both tables."""
        return tables.items.sum(col("in_gold") * col("in_system"), into=tables.units)

    def context(self, tables: OrganizationTables, measure: str) -> OrganizationContext:
        """The context of a measure."""
        return OrganizationContext(tables, measure)

    def checks(self, tables: OrganizationTables) -> list[Callable[[], None]]:
        """The checks of the data."""
        return checks(tables, self.policy)

    def count_measures(self) -> dict[str, Measure]:
        """What `per_unit(counts=True)` adds."""
        return {"n_items": catalog.parse("NumItems", "organization")}
