"""The context of measures of citations: what their functions compute with."""

from __future__ import annotations

from dataclasses import dataclass

import polars as pl

from ireval_frames import per
from ireval_frames.citations.errors_in_rows import not_in_order
from ireval_frames.citations.tables import CitationTables
from ireval_frames.expr import col, lit, when
from ireval_frames.plan import Table
from ireval_frames.ratios import indicator, ratio


@dataclass(frozen=True)
class Cited:
    """What sentences cite, and what of it counts.

    Attributes:
        table: a row per sentence and passage that it cites.
        number: how many citations a row is; 0 where it does not count.
        support: how much the passage supports the sentence; under ALCE, whether the citation is a good one.
        left_out: whether the policy leaves the citation out because it has no label.
        of_sentences: how much the citations of a sentence support it; null where the policy leaves the sentence out.
    """

    table: Table
    number: per.Citation
    support: per.Citation
    left_out: per.Citation
    of_sentences: per.Sentence


class CitationContext:
    """What a measure of citations computes with.

    Args:
        tables: the tables of the plan.
        measure: the measure's name, for errors.
    """

    def __init__(self, tables: CitationTables, measure: str) -> None:
        self.tables, self.measure, self.policy = tables, measure, tables.policy

    @property
    def num_sentences(self) -> per.Unit:
        """The number of sentences of an answer."""
        return self.tables.sentences.count()

    def num_citations(self, first: int | None) -> per.Unit:
        """The number of citations of an answer."""
        table = self.cited(first)
        return table.sum(table.column(self.times(first)))

    def value(self, value: per.Unit, *, lowest: float | None = 0.0) -> per.Unit:
        """The value of an answer; what the policy says of a query without one.

        Args:
            value: of answers.
            lowest: the worst value, if the measure has one.
        """
        worst = lowest if self.policy.missing == "zero" else None
        return when(self.num_sentences > 0).then(value).otherwise(lit(worst, dtype=pl.Float64))

    def over_sentences(self, value: per.Sentence, where: per.Sentence | None = None) -> per.Unit:
        """The mean of a value over those sentences of an answer that have one; `where` selects sentences."""
        sentences = self.tables.sentences
        value = sentences.column(value)
        counts = ~value.is_null() if where is None else where & ~value.is_null()
        return ratio(sentences.sum(when(counts).then(value).otherwise(0.0)), sentences.sum(indicator(counts)))

    def over_citations(self, cited: Cited) -> per.Unit:
        """The mean support of the citations of an answer; without citations what the policy says."""
        table, number = cited.table, cited.table.column(cited.number)
        total, counted = table.sum(table.column(number * cited.support)), table.sum(number)
        nothing = lit(None, dtype=pl.Float64)
        without = lit(0.0) if self.policy.uncited == "zero" else nothing
        # What has no label is not known to have no support.
        without = when(table.sum(indicator(cited.left_out)) > 0).then(nothing).otherwise(without)
        return when(counted > 0).then(ratio(total, counted)).otherwise(without)

    # ---- cited passages

    def cited(self, first: int | None) -> Table:
        """A row per sentence and passage that it cites, among the first so many citations of the sentence.

        Raises:
            MissingColumn: citations have no ranks.
        """
        inputs = self.tables.inputs
        if first is not None and not inputs.ranked:
            raise not_in_order(self.measure, inputs.frames["citations"].columns)
        return self.tables.cited(first)

    def times(self, first: int | None) -> per.Citation:
        """How many citations a cited passage is; those of nothing are never repeated ones."""
        number = self.tables.cited_rows(first).count(into=self.tables.cited(first))
        return when(col("doc_id").is_null()).then(number).otherwise(1.0) if self.policy.repeated == "once" else number

    def is_cited(self, first: int | None = None) -> per.Sentence:
        """Whether a sentence has citations."""
        return self.cited(first).count(into=self.tables.sentences) > 0
