"""How citations support sentences, by the conventions of TREC RAG and of ALCE."""

from __future__ import annotations

from ireval_frames.citations.context import CitationContext, Cited
from ireval_frames.citations.errors_in_rows import no_label
from ireval_frames.citations.labels import ALONE, TOGETHER, WITHOUT, weight
from ireval_frames.expr import Expr, col, lit, when
from ireval_frames.plan import Table
from ireval_frames.ratios import indicator

# More than this share of labels decides.
HALF = 0.5


def supported(c: CitationContext, convention: str, first: int | None, partial: float) -> Cited:
    """What sentences cite, and how much that supports them, by a convention.

    Args:
        c: the context.
        convention: "trec-rag" or "alce".
        first: only this many citations of a sentence count; all if None.
        partial: the weight of partial support.
    """
    return (_by_alce if convention == "alce" else _by_trec_rag)(c, first, partial)


def _by_trec_rag(c: CitationContext, first: int | None, partial: float) -> Cited:
    """Each passage supports the sentence alone, and the best one of a sentence counts."""
    table, sentences = c.cited(first), c.tables.sentences
    support = c.tables.at(table, ALONE, weight(col("level"), partial))
    unknown = _without_label(c, table, ~col("doc_id").is_null() & support.is_null(), "alone")
    support = table.column(support.fill_null(0.0))
    best = table.max(table.column(when(~unknown).then(support)), into=sentences)
    is_cited = c.is_cited(first)
    return _counted(c, table, c.times(first), support, unknown, when(is_cited).then(best).otherwise(0.0))


def _by_alce(c: CitationContext, first: int | None, partial: float) -> Cited:
    """All passages of a sentence support it together or not; a citation is good unless the others do without it."""
    table, sentences, by_others = c.cited(first), c.tables.sentences, c.policy.together == "any"
    is_passage, times = ~col("doc_id").is_null(), c.times(first)
    alone = table.column(when(is_passage).then(_at(c, table, ALONE, partial)))
    # Of each sentence: its passages, those that support it alone, those without a label, and all citations.
    numbers = (is_passage, alone == 1, is_passage & alone.is_null())
    n, n_alone, n_unknown = (
        table.sum(table.column(indicator(b.fill_null(value=False))), into=sentences) for b in numbers
    )
    one_does: Expr = when(n_alone > 0).then(1.0).when(n_unknown == 0).then(0.0)
    together = one_does
    if not by_others:
        judged = _at(c, sentences, TOGETHER, partial)
        together = when(judged.is_null() & (n == 1)).then(one_does).otherwise(judged)
    no_together = _without_label(c, sentences, sentences.column((n > 0) & together.is_null()), "together")
    together = sentences.column(when(n > 0).then(together.fill_null(0.0)).otherwise(0.0), "together")

    def at(value: Expr) -> Expr:
        return table.lookup(sentences.column(value), of=sentences)

    is_alone, is_unknown = alone == 1, is_passage & alone.is_null()
    others_do: Expr = (
        when(at(n_alone) - indicator(is_alone) > 0).then(1.0)
        .when(at(n_unknown) - indicator(is_unknown) == 0).then(0.0)
    )  # fmt: skip
    if not by_others:
        rest = _at(c, table, WITHOUT, partial)
        others_do = when(rest.is_null() & (at(n) == 2)).then(others_do).otherwise(rest)
    single = at(table.sum(table.column(times), into=sentences)) == 1
    # What supports the sentence alone is good, and so is what the others do not support it without.
    good = (single | is_alone | (others_do == 0)).fill_null(value=False)
    is_decided = ~is_passage | (at(together) == 0) | good
    unknown = _without_label(c, table, ~is_decided & (is_unknown | others_do.is_null()), "without")
    good = indicator(is_passage & (at(together) == 1) & good)
    of_sentences = when(~no_together).then(together)
    unknown |= at(indicator(no_together)) == 1
    return _counted(c, table, times, table.column(good), unknown, of_sentences)


def _at(c: CitationContext, table: Table, passages: str, partial: float) -> Expr:
    """Whether passages support a sentence by most of the labels; null where there are none."""
    share = c.tables.at(table, passages, indicator(weight(col("level"), partial) >= 1.0))
    return when(~share.is_null()).then(indicator(share > HALF))


def _without_label(c: CitationContext, table: Table, lacks: Expr, passages: str) -> Expr:
    """What the policy leaves out because it has no label; an error if the policy says so."""
    lacks = table.column(lacks)
    if c.policy.unjudged == "error":
        c.tables.plan.require(table, lacks, no_label(c.measure, passages))
    return lacks if c.policy.unjudged == "skip" else lit(value=False)


def _counted(c: CitationContext, table: Table, times: Expr, support: Expr, unknown: Expr, of_sentences: Expr) -> Cited:
    """The citations that count; those of a sentence with one of nothing do not if the policy says so."""
    sentences, counts = c.tables.sentences, ~unknown
    if c.policy.out_of_range == "sentence":
        rejected = table.sum(table.column(indicator(col("doc_id").is_null())), into=sentences) > 0
        of_sentences = when(rejected).then(0.0).otherwise(of_sentences)
        is_rejected = table.lookup(sentences.column(rejected), of=sentences)
        counts, unknown = counts & ~is_rejected, unknown & ~is_rejected
    return Cited(table, when(counts).then(times).otherwise(0.0), support, unknown, of_sentences)
