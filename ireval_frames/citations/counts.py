"""What answers hold: sentences and citations, and how many of these have labels."""

from __future__ import annotations

from ireval_frames.catalog import measure
from ireval_frames.citations.context import CitationContext
from ireval_frames.citations.labels import ALONE
from ireval_frames.citations.parameters import FIRST
from ireval_frames.expr import Expr, col
from ireval_frames.parameters import UPWARDS
from ireval_frames.ratios import indicator, ratio


@measure(
    "citations",
    "JudgedCitations",
    at="",
    parameters={"first": FIRST},
    undefined=None,
    formula="cited passages with a label / cited passages",
    source="counted",
)
def JudgedCitations(c: CitationContext, first: int | None) -> Expr:
    """The share of the passages that the sentences of an answer cite for which there is a label of the passage alone.

    Columns: sentence_id; doc_id, and rank for `first`; label.
    Range: 0 to 1, higher is better.  Undefined without citations of passages.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Citations(*ir.examples.citations()).evaluate("JudgedCitations").per_unit()["value"].to_list()
        [1.0, None]
    """
    table = c.cited(first)
    labels = c.tables.at(table, ALONE, indicator(~col("level").is_null()))
    is_passage = ~col("doc_id").is_null()
    return ratio(
        table.sum(table.column(indicator(is_passage & ~labels.is_null()))),
        table.sum(table.column(indicator(is_passage))),
    )


@measure(
    "citations",
    "NumSentences",
    at="",
    range=UPWARDS,
    higher_is_better=None,
    undefined=None,
    formula="sentences",
    source="counted",
)
def NumSentences(c: CitationContext) -> Expr:
    """The number of sentences of an answer.

    Range: 0 upwards.  Never undefined.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Citations(*ir.examples.citations()).evaluate("NumSentences").per_unit()["value"].to_list()
        [4.0, 1.0]
    """
    return c.num_sentences


@measure(
    "citations",
    "NumCitations",
    at="",
    parameters={"first": FIRST},
    range=UPWARDS,
    higher_is_better=None,
    undefined=None,
    formula="citations",
    source="counted",
)
def NumCitations(c: CitationContext, first: int | None) -> Expr:
    """The number of citations of an answer: of repeated ones and of those of nothing, what the policy counts.

    Range: 0 upwards.  Never undefined.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Citations(*ir.examples.citations()).evaluate("NumCitations").per_unit()["value"].to_list()
        [4.0, 0.0]
    """
    return c.num_citations(first)
