"""Requests for measures of relations: their inputs, tables and plan."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ireval_frames import catalog
from ireval_frames.declaration import Measure
from ireval_frames.documents.checks import equal_rows
from ireval_frames.documents.request import DocumentRequest
from ireval_frames.engines.base import Engine
from ireval_frames.engines.row_checks import Check
from ireval_frames.items.inputs import ItemNames
from ireval_frames.plan import Plan
from ireval_frames.relations.checks import row_checks
from ireval_frames.relations.context import RelationContext
from ireval_frames.relations.inputs import RelationInputs
from ireval_frames.relations.tables import RelationTables

if TYPE_CHECKING:
    from ireval_frames.conventions.relations import RelationPolicy
    from ireval_frames.relations.subject import Relations


class RelationRequest(DocumentRequest[RelationInputs, RelationTables]):
    """A request for measures of relations."""

    subject: Relations
    policy: RelationPolicy

    def inputs(self, engine: Engine) -> RelationInputs:
        """The user's tables under our names."""
        names = ItemNames(self.subject._columns, self.by)
        return RelationInputs(self.user_tables, names, engine, self.policy, undirected=self.subject._undirected)

    def tables(self, inputs: RelationInputs) -> RelationTables:
        """The tables of a plan for the measures."""
        return RelationTables(Plan(inputs.engine, ordered=self.ordered), inputs, self.policy)

    def context(self, tables: RelationTables, measure: str) -> RelationContext:
        """The context of a measure."""
        return RelationContext(tables, measure)

    def row_checks(self, tables: RelationTables) -> Iterator[Check]:
        """What is checked in the rows."""
        return row_checks(tables)

    def counts(self, tables: RelationTables) -> dict[str, str]:
        """The number of rows that the policy about equal ones affects."""
        inputs = tables.inputs
        return {"duplicates": equal_rows(inputs, inputs.present, "relations")}

    def count_measures(self) -> dict[str, Measure]:
        """The columns of `per_unit(counts=True)`: what the first measure compares."""
        names = {"n_gold": "NumGold", "n_predicted": "NumPredicted", "n_correct": "NumCorrect"}
        first = self.measures[0].arguments() if self.measures else {}
        compared = {k: first[k] for k in ("match", "attached") if k in first}
        return {column: catalog.parse(name, "relations")(**compared) for column, name in names.items()}
