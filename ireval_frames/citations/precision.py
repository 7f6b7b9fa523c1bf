"""Precision, recall and F of citations."""

from __future__ import annotations

from typing import Any

from ireval_frames.catalog import measure
from ireval_frames.citations.context import CitationContext
from ireval_frames.citations.parameters import OF_CITATIONS
from ireval_frames.citations.support import supported
from ireval_frames.expr import Expr
from ireval_frames.parameters import number
from ireval_frames.ratios import harmonic

SOURCE = "Thakur et al., 2025 (TREC RAG 2024); Gao et al., 2023 (ALCE)"


@measure(
    "citations",
    "CitationPrecision",
    at="",
    parameters=OF_CITATIONS,
    undefined=None,
    formula="Σ over citations of w / citations",
    source=SOURCE,
)
def CitationPrecision(c: CitationContext, **options: Any) -> Expr:
    """The mean support that the citations of an answer give to their sentences.

    `convention="trec-rag"`: w is 1 for full support of the sentence by the cited passage alone, `partial` (½) for
    partial support, and 0 for none; with `partial=0` only full support counts.  TREC RAG 2024 judged the first citation
    of each sentence: `first=1`, and the mean is then over cited sentences.

    `convention="alce"`: w is 1 for a good citation, else 0; only full support counts, unless `partial=1`.  The sentence
    must have support by all of its passages together; then its only citation is good, and of several each one that
    supports it alone, or without which the others do not support it.  Labels of all passages together, and of all but
    one, are rows with passages = "together" and "without"; where a sentence has one passage, or two and one is left
    out, the labels of single passages are enough, and `policy="together=any"` takes all from these.  ALCE's script
    counts the first three citations, `first=3`, and `policy="alce"` has its other conventions.

    Columns: sentence_id; doc_id, and rank for `first`; label. Range: 0 to 1, higher is better (ALCE prints 100 times
    the mean).  An answer without citations has 0, or is undefined with `uncited=undefined`; a query without an answer
    has 0, or is left out with `missing=skip`.

    Example:
        >>> import ireval_frames as ir
        >>> ev = ir.Citations(*ir.examples.citations()).evaluate("CitationPrecision CitationPrecision(partial=0)")
        >>> ev.per_unit().pivot("measure", index="query_id", values="value").rows()
        [('q1', 0.5, 0.25), ('q2', 0.0, 0.0)]
    """
    return c.value(c.over_citations(supported(c, **options)))


@measure(
    "citations",
    "CitationRecall",
    at="",
    parameters=OF_CITATIONS,
    undefined=None,
    formula="Σ over sentences of their support / sentences",
    source=SOURCE,
)
def CitationRecall(c: CitationContext, **options: Any) -> Expr:
    """The mean support of the sentences of an answer by what they cite; sentences without citations have none.

    `convention="trec-rag"`: the support of a sentence is that by the best of its passages alone: 1 for full support,
    `partial` (½) for partial support, else 0.  With `first=1`, as in TREC RAG 2024, it is that of its first citation.
    `convention="alce"`: 1 if all of its passages together support it, else 0.

    Columns and parameters: as for `CitationPrecision`.
    Range: 0 to 1, higher is better (ALCE prints 100 times the mean).  A query without an answer has 0, or is left out
    with `missing=skip`; with `unjudged=skip` an answer without judged sentences is undefined.

    Example:
        >>> import ireval_frames as ir
        >>> ev = ir.Citations(*ir.examples.citations()).evaluate("CitationRecall CitationRecall(first=1)")
        >>> ev.per_unit().pivot("measure", index="query_id", values="value").rows()
        [('q1', 0.375, 0.375), ('q2', 0.0, 0.0)]
    """
    return c.value(c.over_sentences(supported(c, **options).of_sentences))


@measure(
    "citations",
    "CitationF",
    at="",
    aliases=("CitationF1",),
    parameters={**OF_CITATIONS, "beta": number(1.0, "how much recall counts, compared with precision", low=0.0)},
    undefined=None,
    formula="(1 + β²) · P · R / (β² · P + R)",
    source=SOURCE,
)
def CitationF(c: CitationContext, beta: float, **options: Any) -> Expr:
    """The harmonic mean of the precision and the recall of the citations of an answer.

    Columns and parameters: as for `CitationPrecision`; recall counts `beta` times as much as precision.
    Range: 0 to 1, higher is better.  0 where one of them is 0; undefined where one is.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Citations(*ir.examples.citations()).evaluate("CitationF").per_unit()["value"].round(4).to_list()
        [0.4286, 0.0]
    """
    cited = supported(c, **options)
    of_both = [c.over_citations(cited), c.over_sentences(cited.of_sentences)]
    return c.value(harmonic(of_both, [1.0, beta * beta]))
