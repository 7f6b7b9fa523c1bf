"""Requests for measures of links: their inputs, tables and plan."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from ireval_frames import catalog
from ireval_frames.declaration import Measure
from ireval_frames.documents.checks import equal_rows
from ireval_frames.documents.request import DocumentRequest
from ireval_frames.engines.base import Engine
from ireval_frames.engines.row_checks import Check
from ireval_frames.items.inputs import ItemNames
from ireval_frames.links.checks import row_checks
from ireval_frames.links.context import LinkContext
from ireval_frames.links.inputs import LinkInputs
from ireval_frames.links.matching import DEFAULT, NAMED
from ireval_frames.links.tables import LinkTables
from ireval_frames.plan import Plan

if TYPE_CHECKING:
    from ireval_frames.conventions.relations import LinkPolicy
    from ireval_frames.links.subject import Links


class LinkRequest(DocumentRequest[LinkInputs, LinkTables]):
    """A request for measures of links."""

    subject: Links
    policy: LinkPolicy

    def inputs(self, engine: Engine) -> LinkInputs:
        """The user's tables under our names."""
        subject = self.subject
        return LinkInputs(
            self.user_tables,
            ItemNames(subject._columns, self.by),
            engine,
            self.policy,
            compared=self._compared(),
            where=subject._where,
            nil=subject._nil,
        )

    def tables(self, inputs: LinkInputs) -> LinkTables:
        """The tables of a plan for the measures."""
        subject, plan = self.subject, Plan(inputs.engine, ordered=self.ordered)
        return LinkTables(plan, inputs, self.policy, subject._on, inclusive=subject._inclusive)

    def context(self, tables: LinkTables, measure: str) -> LinkContext:
        """The context of a measure."""
        return LinkContext(tables, measure)

    def row_checks(self, tables: LinkTables) -> Iterator[Check]:
        """What is checked in the rows."""
        return row_checks(tables)

    def counts(self, tables: LinkTables) -> dict[str, str]:
        """The number of rows that the policy about equal ones affects."""
        inputs = tables.inputs
        return {"duplicates": equal_rows(inputs, inputs.present, "links")}

    def count_measures(self) -> dict[str, Measure]:
        """The columns of `per_unit(counts=True)`: what the first measure compares."""
        names = {"n_gold": "NumGold", "n_predicted": "NumPredicted", "n_correct": "NumCorrect"}
        first = self.measures[0].arguments() if self.measures else {}
        compared = {k: first[k] for k in ("on", "where") if k in first}
        return {column: catalog.parse(name, "links")(**compared) for column, name in names.items()}

    def _compared(self) -> list[str]:
        """The columns that the links or the measures compare."""
        out: list[str] = []
        for on in (self.subject._on, *(m.arguments().get("on") for m in self.measures)):
            columns: Any = NAMED[on][0] if isinstance(on, str) else on or (() if self.subject._on else DEFAULT)
            out += columns
        return out
