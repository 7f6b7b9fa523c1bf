"""Requests for measures of nuggets: their inputs, tables and plan."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from ireval_frames import catalog
from ireval_frames.declaration import Measure
from ireval_frames.documents.request import DocumentRequest
from ireval_frames.engines.base import Engine
from ireval_frames.engines.frame import concat
from ireval_frames.engines.row_checks import Check
from ireval_frames.items.inputs import ItemNames
from ireval_frames.nuggets.checks import number, row_checks, warn_of_unassigned, without_answer, without_label
from ireval_frames.nuggets.context import NuggetContext
from ireval_frames.nuggets.inputs import NuggetInputs
from ireval_frames.nuggets.tables import NuggetTables
from ireval_frames.plan import Plan, Table

if TYPE_CHECKING:
    from ireval_frames.conventions.nuggets import NuggetPolicy
    from ireval_frames.nuggets.subject import Nuggets


class NuggetRequest(DocumentRequest[NuggetInputs, NuggetTables]):
    """A request for measures of nuggets."""

    subject: Nuggets
    policy: NuggetPolicy

    def inputs(self, engine: Engine) -> NuggetInputs:
        """The user's tables under our names."""
        return NuggetInputs(self.user_tables, ItemNames(self.subject._columns, self.by), engine)

    def tables(self, inputs: NuggetInputs) -> NuggetTables:
        """The tables of a plan for the measures."""
        return NuggetTables(Plan(inputs.engine, ordered=self.ordered), inputs, self.policy)

    def context(self, tables: NuggetTables, measure: str) -> NuggetContext:
        """The context of a measure."""
        return NuggetContext(tables, measure)

    def row_checks(self, tables: NuggetTables) -> Iterator[Check]:
        """What is checked in the rows."""
        return row_checks(tables)

    def row_errors(self, tables: NuggetTables) -> list[Callable[[], None]]:
        """Raise the errors of rows; nothing is said of queries that a passage has no labels for."""
        return super().checks(tables)

    def checks(self, tables: NuggetTables) -> list[Callable[[], None]]:
        """In the order in which they run, with the first result."""
        warns = self.policy.unassigned == "not_support" and self.policy.overlap != "allow"
        return [*super().checks(tables), *([lambda: warn_of_unassigned(tables)] if warns else [])]

    def counts(self, tables: NuggetTables) -> dict[str, str]:
        """How many queries and nuggets the policy affects."""
        return {
            "missing": f"{number(tables, without_answer(tables)):,} queries",
            "unassigned": f"{number(tables, without_label(tables)):,} nuggets",
        }

    def count_measures(self) -> dict[str, Measure]:
        """The columns of `per_unit(counts=True)`."""
        return {"n_nuggets": catalog.parse("NumNuggets", "nuggets")}

    # ---- queries of both tables, of which those with nuggets are evaluated

    def all_units(self, tables: NuggetTables) -> Table:
        """The queries with nuggets, and those that have labels only."""
        inputs = tables.inputs
        if not inputs.sides:
            return tables.documents
        frames = [frame.select(*tables.keys) for frame, _ in inputs.sides.values()]
        return tables.plan.input("queries", tables.keys, lambda: inputs.distinct(concat(frames)), columns=tables.keys)

    def in_either(self, tables: NuggetTables) -> None:
        """Counted from the tables."""
        del tables
