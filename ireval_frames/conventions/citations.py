"""The conventions of citations, each choice with what it means and who does it so."""

from __future__ import annotations

from dataclasses import dataclass

from ireval_frames.conventions.base import OURS, Choice, Conventions, one_of

TREC_RAG, ALCE = "TREC RAG 2024", "ALCE"


@dataclass(frozen=True)
class CitationPolicy(Conventions):
    """The conventions in force for one evaluation of citations.

    Fields:
        missing: queries that a run does not answer: 0 (`zero`), or left out (`skip`).
        uncited: precision of an answer without citations: 0 (`zero`), or undefined and left out of averages
            (`undefined`).
        out_of_range: citations of nothing, whose doc_id is null: citations without support (`unsupported`), no
            citations (`drop`), the sentence has no support and none of its citations count (`sentence`), or an `error`.
        repeated: a passage that a sentence cites several times is one citation (`once`), or several (`each`).
        unjudged: citations without a label: an `error`, without support (`unsupported`), or left out, with sentences
            that have no other ones (`skip`).
        together: whether all passages of a sentence together support it is judged (`judged`), or true if one of them
            does alone (`any`).
        labels: numbers are 0, 1 and 2 for no, partial and full support, and a table without a 2 is an error (`known`),
            the same without that error (`graded`), or 0 and 1 for no and full support (`binary`).
        judges: several labels of one citation are an `error`, or their mean counts (`mean`).

    Example:
        >>> from ireval_frames.citations import CitationPolicy
        >>> CitationPolicy.named("alce").out_of_range
        'sentence'
    """

    missing: str = one_of(
        Choice("zero", "A query that a run does not answer has the value 0.", "trec_eval -c"),
        Choice("skip", "A query that a run does not answer is left out.", ALCE),
    )
    uncited: str = one_of(
        Choice("zero", "Precision of an answer without citations is 0.", f"{TREC_RAG}, {ALCE}"),
        Choice("undefined", "Precision of an answer without citations is undefined, and left out of averages.", "SQL"),
    )
    out_of_range: str = one_of(
        Choice("unsupported", "A citation of nothing is a citation without support.", OURS),
        Choice("drop", "A citation of nothing is no citation.", OURS),
        Choice(
            "sentence",
            "A sentence with a citation of nothing has no support, and none of its citations count for precision.",
            ALCE,
        ),
        Choice("error", "A citation of nothing is an error.", OURS),
    )
    repeated: str = one_of(
        Choice("once", "A passage that a sentence cites several times is one citation.", OURS),
        Choice("each", "A passage that a sentence cites several times is as many citations.", ALCE),
    )
    unjudged: str = one_of(
        Choice("error", "A citation without a label is an error.", OURS),
        Choice("unsupported", "A citation without a label has no support.", "trec_eval"),
        Choice(
            "skip",
            "A citation without a label is left out, and so are sentences all of whose citations are.",
            OURS,
        ),
    )
    together: str = one_of(
        Choice("judged", "Whether all passages of a sentence support it together is judged.", ALCE),
        Choice("any", "All passages of a sentence support it together if one of them does alone.", OURS),
    )
    labels: str = one_of(
        Choice("known", "Labels are 0, 1 and 2 for no, partial and full support; without a 2 they are an error.", OURS),
        Choice("graded", "Labels are 0, 1 and 2 for no, partial and full support.", TREC_RAG),
        Choice("binary", "Labels are 0 and 1 for no and full support.", ALCE),
    )
    judges: str = one_of(
        Choice("error", "Several labels of one citation are an error.", OURS),
        Choice("mean", "Of several labels of one citation the mean counts.", OURS),
    )


CitationPolicy.presets = {
    "trec-rag": CitationPolicy(labels="graded"),
    "alce": CitationPolicy(missing="skip", out_of_range="sentence", repeated="each", labels="binary"),
}
