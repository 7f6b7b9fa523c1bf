"""Requests for measures of answers: their inputs, tables and plan."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ireval_frames import catalog
from ireval_frames.answers.checks import number_without, row_checks
from ireval_frames.answers.context import AnswerContext
from ireval_frames.answers.inputs import AnswerInputs
from ireval_frames.answers.tables import AnswerTables
from ireval_frames.declaration import Measure
from ireval_frames.documents.request import DocumentRequest
from ireval_frames.engines.base import Engine
from ireval_frames.engines.frame import concat
from ireval_frames.engines.row_checks import Check
from ireval_frames.items.inputs import ItemNames
from ireval_frames.plan import Plan, Table

if TYPE_CHECKING:
    from ireval_frames.answers.subject import Answers
    from ireval_frames.conventions.answers import AnswerPolicy


class AnswerRequest(DocumentRequest[AnswerInputs, AnswerTables]):
    """A request for measures of answers."""

    subject: Answers
    policy: AnswerPolicy

    def inputs(self, engine: Engine) -> AnswerInputs:
        """The user's tables under our names."""
        return AnswerInputs(self.user_tables, ItemNames(self.subject._columns, self.by), engine)

    def tables(self, inputs: AnswerInputs) -> AnswerTables:
        """The tables of a plan for the measures."""
        return AnswerTables(Plan(inputs.engine, ordered=self.ordered), inputs, self.policy)

    def context(self, tables: AnswerTables, measure: str) -> AnswerContext:
        """The context of a measure."""
        return AnswerContext(tables, measure)

    def row_checks(self, tables: AnswerTables) -> Iterator[Check]:
        """What is checked in the rows."""
        return row_checks(tables)

    def counts(self, tables: AnswerTables) -> dict[str, str]:
        """How many queries the policy affects."""
        return {"missing": f"{number_without(tables)} queries"}

    def count_measures(self) -> dict[str, Measure]:
        """The columns of `per_unit(counts=True)`."""
        return {"n_answers": catalog.parse("NumAnswers", "answers")}

    # ---- queries of both tables, of which those of the gold are evaluated

    def all_units(self, tables: AnswerTables) -> Table:
        """The queries of the gold, and those that have a predicted answer only."""
        inputs = tables.inputs
        if not inputs.sides:
            return tables.documents
        frames = [frame.select(*tables.keys) for frame, _ in inputs.sides.values()]
        return tables.plan.input("queries", tables.keys, lambda: inputs.distinct(concat(frames)), columns=tables.keys)

    def in_either(self, tables: AnswerTables) -> None:
        """Counted from the tables."""
        del tables
