"""The conventions of spans, each choice with what it means and who does it so."""

from __future__ import annotations

from dataclasses import dataclass

from ireval_frames.conventions.base import OURS, Choice, one_of
from ireval_frames.conventions.documents import DocumentPolicy, of_ratios


@dataclass(frozen=True)
class SpanPolicy(DocumentPolicy):
    """The conventions in force for one evaluation of spans.

    Fields:
        undefined: a ratio without a denominator is undefined and left out of averages (None), 0, or 1.
        overlap: tables without a document in common are an `error`, tables with few give a warning; or both are
            evaluated without one (`allow`).
        duplicates: spans of one place and type that a document has several times on one side: an `error`, one span
            (`merge`), or separate spans, each of which is matched once (`count`).
        untyped: spans whose type is null: an `error`, left out (`skip`), or spans of one more type (`type`).

    Example:
        >>> from ireval_frames.spans import SpanPolicy
        >>> SpanPolicy.named("seqeval").undefined
        0
    """

    undefined: int | None = of_ratios()
    duplicates: str = one_of(
        Choice("error", "Spans of one place and type are an error.", OURS),
        Choice("merge", "Spans of one place and type are one span.", "seqeval"),
        Choice("count", "Spans of one place and type are separate spans, each of which is matched once.", "nervaluate"),
    )
    untyped: str = one_of(
        Choice("error", "Spans without a type are an error.", OURS),
        Choice("skip", "Spans without a type are left out.", OURS),
        Choice("type", "Spans without a type are of one more type.", OURS),
    )


SpanPolicy.presets = {
    "seqeval": SpanPolicy(undefined=0, duplicates="merge"),
    "conlleval": SpanPolicy(undefined=0, duplicates="merge"),
    "nervaluate": SpanPolicy(undefined=0, duplicates="count"),
}
