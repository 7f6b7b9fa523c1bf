"""Sentences with support and without, and how much answers cite."""

from __future__ import annotations

from typing import Any

from ireval_frames.catalog import measure
from ireval_frames.citations.context import CitationContext
from ireval_frames.citations.parameters import CONVENTION, FIRST
from ireval_frames.citations.support import supported
from ireval_frames.expr import Expr
from ireval_frames.parameters import choice
from ireval_frames.ratios import indicator

LEVEL = choice("full", "partial", what="which support counts: full support only, or partial support too")
OF_SENTENCES = {
    "level": LEVEL,
    "sentences": choice("all", "cited", what="which sentences: all, or those with citations"),
    "convention": CONVENTION,
    "first": FIRST,
}


def _share(c: CitationContext, level: str, sentences: str, *, without: bool, **options: Any) -> Expr:
    """The share of sentences with support, or without."""
    of = supported(c, partial=1.0 if level == "partial" else 0.0, **options).of_sentences
    where = c.is_cited(options["first"]) if sentences == "cited" else None
    return c.over_sentences(1.0 - of if without else of, where)


@measure(
    "citations",
    "SupportedSentences",
    at="",
    parameters=OF_SENTENCES,
    undefined=None,
    formula="supported sentences / sentences",
    source="Liu et al., 2023",
)
def SupportedSentences(c: CitationContext, level: str, sentences: str, **options: Any) -> Expr:
    """The share of the sentences of an answer that what they cite supports.

    A sentence counts if one of its passages alone supports it fully (`level="partial"`: or partially);
    `convention="alce"`: if all of its passages together do.  `sentences="cited"` takes sentences with citations only.

    Columns: sentence_id; doc_id, and rank for `first`; label. Range: 0 to 1, higher is better.  Undefined with
    `sentences="cited"` for an answer without citations; a query without an answer has 0, or is left out with
    `missing=skip`.  With several judges of a citation a sentence counts by the mean of their labels.

    Example:
        >>> import ireval_frames as ir
        >>> measures = "SupportedSentences SupportedSentences(level='partial')"
        >>> ir.Citations(*ir.examples.citations()).evaluate(measures).summary()["value"].to_list()
        [0.125, 0.25]
    """
    return c.value(_share(c, level, sentences, without=False, **options))


@measure(
    "citations",
    "HallucinationRate",
    at="",
    aliases=("UnsupportedSentences",),
    parameters=OF_SENTENCES | {"level": choice("partial", "full", what="which support saves a sentence")},
    higher_is_better=False,
    undefined=None,
    formula="sentences without support / sentences",
    source="Liu et al., 2023",
)
def HallucinationRate(c: CitationContext, level: str, sentences: str, **options: Any) -> Expr:
    """The share of the sentences of an answer that nothing they cite supports, not even partially.

    Sentences without citations have no support and count, unless `sentences="cited"`.  With `level="full"` partial
    support is none: the rate is then 1 less `SupportedSentences`.  A sentence without support may be true: what is
    measured is that the cited passages do not show it.

    Columns: sentence_id; doc_id, and rank for `first`; label.
    Range: 0 to 1, lower is better.  Undefined for a query without an answer, and with `sentences="cited"` for an answer
    without citations.

    Example:
        >>> import ireval_frames as ir
        >>> ev = ir.Citations(*ir.examples.citations()).evaluate("HallucinationRate HallucinationRate(level='full')")
        >>> ev.summary()["value"].round(4).to_list()
        [0.75, 0.875]
    """
    return c.value(_share(c, level, sentences, without=True, **options), lowest=None)


@measure(
    "citations",
    "CitedSentences",
    at="",
    parameters={"first": FIRST},
    undefined=None,
    formula="sentences with citations / sentences",
    source="counted",
)
def CitedSentences(c: CitationContext, first: int | None) -> Expr:
    """The share of the sentences of an answer that cite something, whether it supports them or not.

    Columns: sentence_id; doc_id.
    Range: 0 to 1, higher is better.  A query without an answer has 0, or is left out with `missing=skip`.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Citations(*ir.examples.citations()).evaluate("CitedSentences").per_unit()["value"].round(4).to_list()
        [0.75, 0.0]
    """
    return c.value(c.over_sentences(indicator(c.is_cited(first))))
