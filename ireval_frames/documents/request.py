"""Requests for measures of what is in documents: values per document, or of all documents of a group pooled."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import TypeVar

from ireval_frames.declaration import POOLED, Measure
from ireval_frames.documents.inputs import DocumentInputs
from ireval_frames.documents.tables import DocumentTables
from ireval_frames.documents.units import UnitInputs, UnitTables
from ireval_frames.engines.row_checks import Check, run_checks
from ireval_frames.evaluation.planned import PlannedEvaluation
from ireval_frames.expr import Expr
from ireval_frames.items.checks import weights
from ireval_frames.items.request import ItemRequest
from ireval_frames.ratios import indicator

U = TypeVar("U", bound=UnitInputs)
V = TypeVar("V", bound=UnitTables)
I = TypeVar("I", bound=DocumentInputs)  # noqa: E741 - inputs
T = TypeVar("T", bound=DocumentTables)


class UnitRequest(ItemRequest[U, V]):
    """A request for measures that may be pooled over units; units are resampled."""

    resamples_items = True

    def row_checks(self, tables: V) -> Iterable[Check]:  # noqa: ARG002 - of families that have some
        """What a family checks in the rows, after its columns."""
        return ()

    def notes(self, tables: V) -> Sequence[str]:  # noqa: ARG002 - of families that have some
        """What the reader should know."""
        return ()

    def checks(self, tables: V) -> list[Callable[[], None]]:
        """In the order in which they run, with the first result."""
        inputs = tables.inputs

        def check_rows() -> None:
            name = inputs.user_columns.get("weight", "weight")
            weighted = [weights(inputs.items, tables.units, name)] if tables.weighted else []
            run_checks(inputs.engine, [*weighted, *inputs.checks, *self.row_checks(tables)])

        return [check_rows, tables.plan.check]

    def planned(self, tables: V, values: Sequence[Expr] | None = None) -> PlannedEvaluation:
        """The plan of these tables; all functions of measures are called once, so that errors are raised now."""

        def value(measure: Measure) -> Expr:
            return measure.expression(self.context(tables, str(measure)), measure.arguments())

        planned = replace(
            super().planned(tables, values or ()), value=value, weight=tables.weight, notes=self.notes(tables)
        )
        if any(m.aggregation == POOLED for m in self.measures):
            planned.summarised(planned.groups)
        else:
            planned.values()
        return planned


class DocumentRequest(UnitRequest[I, T]):
    """A request for measures of documents."""

    def notes(self, tables: T) -> tuple[str, ...]:
        """Which documents there are, where the user does not name them."""
        inputs = tables.inputs
        if inputs.listed:
            return ()
        if inputs.documents_of_gold:
            return (f"The {inputs.ids} are those of the {inputs.table_names['gold']}; documents= names others.",)
        return (f"The {inputs.ids} are those of both tables; documents= names those that have no row in either.",)

    def in_either(self, tables: T) -> Sequence[Expr] | None:
        """Whether a document has rows of the gold, and of the predictions."""
        documents = tables.documents
        return [
            documents.column(indicator(table.count(into=documents) > 0), "has_rows")
            for table in (tables.gold, tables.predicted)
        ]

    def in_both(self, tables: T) -> Expr | None:
        """Whether a document has rows of both."""
        if (sides := self.in_either(tables)) is None:
            return None
        gold, predicted = sides
        return tables.documents.column(gold * predicted)
