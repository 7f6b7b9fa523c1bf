"""Requests for measures of coreference: their inputs, tables and plan."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from ireval_frames import catalog
from ireval_frames.coreference.checks import counts, row_checks
from ireval_frames.coreference.context import CoreferenceContext
from ireval_frames.coreference.inputs import CoreferenceInputs
from ireval_frames.coreference.tables import CoreferenceTables
from ireval_frames.declaration import Measure
from ireval_frames.documents.inputs import SIDES
from ireval_frames.documents.request import DocumentRequest
from ireval_frames.engines.base import Engine
from ireval_frames.engines.row_checks import Check
from ireval_frames.expr import Expr
from ireval_frames.items.inputs import ItemNames
from ireval_frames.plan import Plan
from ireval_frames.ratios import indicator

if TYPE_CHECKING:
    from ireval_frames.conventions.coreference import CoreferencePolicy
    from ireval_frames.coreference.subject import Coreference


class CoreferenceRequest(DocumentRequest[CoreferenceInputs, CoreferenceTables]):
    """A request for measures of coreference."""

    subject: Coreference
    policy: CoreferencePolicy

    def inputs(self, engine: Engine) -> CoreferenceInputs:
        """The user's tables under our names."""
        names = ItemNames(self.subject._columns, self.by)
        return CoreferenceInputs(self.user_tables, names, engine, self.policy, self.subject._offsets)

    def tables(self, inputs: CoreferenceInputs) -> CoreferenceTables:
        """The tables of a plan for the measures."""
        return CoreferenceTables(Plan(inputs.engine, ordered=self.ordered), inputs, self.policy)

    def context(self, tables: CoreferenceTables, measure: str) -> CoreferenceContext:
        """The context of a measure."""
        return CoreferenceContext(tables, measure)

    def row_checks(self, tables: CoreferenceTables) -> Iterator[Check]:
        """What is checked in the rows."""
        return row_checks(tables, self.policy)

    def in_either(self, tables: CoreferenceTables) -> Sequence[Expr] | None:
        """Whether a document has mentions of the gold, and predicted ones; entities are fewer than mentions."""
        if self.policy.singletons == "drop":
            return super().in_either(tables)
        documents = tables.documents
        return [
            documents.column(indicator(tables.entities(side)[0].count(into=documents) > 0), "has_rows")
            for side in SIDES
        ]

    def counts(self, tables: CoreferenceTables) -> dict[str, str]:
        """The number of mentions and entities that policies affect."""
        return counts(tables)

    def count_measures(self) -> dict[str, Measure]:
        """The columns of `per_unit(counts=True)`."""
        named = {
            "n_gold": "NumGoldMentions",
            "n_predicted": "NumPredictedMentions",
            "n_gold_clusters": "NumGoldEntities",
            "n_predicted_clusters": "NumPredictedEntities",
        }
        return {column: catalog.parse(name, "coreference") for column, name in named.items()}
