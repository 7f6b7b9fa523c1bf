"""Requests for measures of citations: their inputs, tables and plan."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from ireval_frames import catalog
from ireval_frames.citations.checks import checks
from ireval_frames.citations.context import CitationContext
from ireval_frames.citations.inputs import CitationInputs
from ireval_frames.citations.tables import CitationTables
from ireval_frames.columns.citations import SENTENCES
from ireval_frames.columns.schema import resolve
from ireval_frames.declaration import Measure
from ireval_frames.engines.base import Engine
from ireval_frames.engines.opening import Source, open_source
from ireval_frames.io.reading import TABLE
from ireval_frames.items.inputs import ItemNames
from ireval_frames.items.request import ItemRequest
from ireval_frames.plan import Plan

if TYPE_CHECKING:
    from ireval_frames.citations.subject import Citations
    from ireval_frames.conventions.citations import CitationPolicy


class CitationRequest(ItemRequest[CitationInputs, CitationTables]):
    """A request for measures of citations."""

    subject: Citations
    policy: CitationPolicy

    def inputs(self, engine: Engine) -> CitationInputs:
        """The user's tables under our names."""
        frame = open_source(Source(self.user_tables["sentences"], "sentences", TABLE), engine)
        known = {c.name for c in SENTENCES.columns}
        named = {k: v for k, v in self.subject.columns.items() if k in known}
        query = resolve(SENTENCES, frame.columns, named)["query_id"]
        names = ItemNames({**self.subject.columns, "query_id": query}, self.by, (query,))
        return CitationInputs(self.user_tables, names, engine, self.policy.labels)

    def tables(self, inputs: CitationInputs) -> CitationTables:
        """The tables of a plan for the measures."""
        return CitationTables(Plan(inputs.engine, ordered=self.ordered), inputs, self.policy)

    def context(self, tables: CitationTables, measure: str) -> CitationContext:
        """The context of a measure."""
        return CitationContext(tables, measure)

    def checks(self, tables: CitationTables) -> list[Callable[[], None]]:
        """The checks of the data."""
        return checks(tables)

    def count_measures(self) -> dict[str, Measure]:
        """The columns of `per_unit(counts=True)`."""
        counts = {"n_sentences": "NumSentences", "n_citations": "NumCitations"}
        return {column: catalog.parse(name, "citations") for column, name in counts.items()}
