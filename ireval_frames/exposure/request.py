"""Requests for measures of exposure: their inputs, tables and plan."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from ireval_frames import catalog
from ireval_frames.declaration import Measure
from ireval_frames.documents.request import UnitRequest
from ireval_frames.engines.base import Engine
from ireval_frames.exposure.checks import check_groups, check_queries, check_target
from ireval_frames.exposure.context import ExposureContext
from ireval_frames.exposure.inputs import ExposureInputs
from ireval_frames.exposure.tables import ExposureTables
from ireval_frames.plan import Plan

if TYPE_CHECKING:
    from ireval_frames.conventions.exposure import ExposurePolicy
    from ireval_frames.exposure.subject import FairExposure


class ExposureRequest(UnitRequest[ExposureInputs, ExposureTables]):
    """A request for measures of exposure."""

    subject: FairExposure
    policy: ExposurePolicy

    def inputs(self, engine: Engine) -> ExposureInputs:
        """The user's tables under our names."""
        return ExposureInputs(self.user_tables, self.subject.names, self.by, engine, self.policy, self.subject.options)

    def tables(self, inputs: ExposureInputs) -> ExposureTables:
        """The tables of a plan for the measures."""
        return ExposureTables(Plan(inputs.engine, ordered=self.ordered), inputs, self.policy)

    def context(self, tables: ExposureTables, measure: str) -> ExposureContext:
        """The context of a measure."""
        return ExposureContext(tables, measure, self.subject.options.target)

    def checks(self, tables: ExposureTables) -> list[Callable[[], None]]:
        """In the order in which they run, with the first result."""
        rows, *further = super().checks(tables)
        told = self.policy.overlap != "allow" and not tables.inputs.drawn
        compared = (check_queries, check_groups, check_target) if told else ()
        common = [lambda check=check: check(tables) for check in compared]
        return [rows, tables.ranked.check, *common, *further]

    def notes(self, tables: ExposureTables) -> Sequence[str]:
        """How lists are ordered, where that may not be what was meant."""
        return tables.base.notes

    def count_measures(self) -> dict[str, Measure]:
        """The columns of `per_unit(counts=True)`."""
        return {"n_retrieved": catalog.parse("NumRetrieved", "exposure")}
