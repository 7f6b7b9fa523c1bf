"""Requests for measures of spans: their inputs, tables and plan."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from ireval_frames import catalog
from ireval_frames.declaration import Measure
from ireval_frames.documents.request import DocumentRequest
from ireval_frames.engines.base import Engine
from ireval_frames.items.inputs import ItemNames
from ireval_frames.plan import Plan
from ireval_frames.spans.checks import warn_of_types
from ireval_frames.spans.context import SpanContext
from ireval_frames.spans.inputs import SpanInputs
from ireval_frames.spans.tables import SpanTables
from ireval_frames.spans.tags_table import repair_message, warn_of_repairs

if TYPE_CHECKING:
    from ireval_frames.conventions.spans import SpanPolicy
    from ireval_frames.spans.subject import Spans


class SpanRequest(DocumentRequest[SpanInputs, SpanTables]):
    """A request for measures of spans."""

    subject: Spans
    policy: SpanPolicy

    def inputs(self, engine: Engine) -> SpanInputs:
        """The user's tables under our names."""
        subject = self.subject
        names = ItemNames(subject._columns, self.by)
        return SpanInputs(
            self.user_tables,
            names,
            engine,
            self.policy,
            inclusive=subject._offsets == "inclusive",
            fragments=subject._fragments,
        )

    def tables(self, inputs: SpanInputs) -> SpanTables:
        """The tables of a plan for the measures."""
        return SpanTables(Plan(inputs.engine, ordered=self.ordered), inputs, self.policy)

    def context(self, tables: SpanTables, measure: str) -> SpanContext:
        """The context of a measure."""
        return SpanContext(tables, measure)

    def checks(self, tables: SpanTables) -> list[Callable[[], None]]:
        """In the order in which they run, with the first result; what the repair of tags made is warned of."""
        inputs = tables.inputs
        checks = [*super().checks(tables), lambda: warn_of_repairs(self.user_tables, inputs.engine)]
        if inputs.type is not None and self.policy.overlap != "allow":
            checks.append(lambda: warn_of_types(inputs))
        return checks

    def counts(self, tables: SpanTables) -> dict[str, str]:
        """The number of spans that each policy affects, and what the repair of tags made or dropped."""
        affected = {policy: f"{n} spans" for policy, n in tables.inputs.affected().items()}
        message = repair_message(self.user_tables, tables.inputs.engine)
        return {**affected, **({"tags": message} if message else {})}

    def count_measures(self) -> dict[str, Measure]:
        """The columns of `per_unit(counts=True)`."""
        named = {"n_gold": "NumGold", "n_predicted": "NumPredicted"}
        return {column: catalog.parse(name, "spans") for column, name in named.items()}
