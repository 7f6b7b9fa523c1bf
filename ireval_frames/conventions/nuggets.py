"""The conventions of nuggets, each choice with what it means and who does it so."""

from __future__ import annotations

from dataclasses import dataclass

from ireval_frames.conventions.base import OURS, Choice, of_two_tables, one_of
from ireval_frames.conventions.documents import DocumentPolicy

TREC_RAG, TREC_QA, NUGGETIZER = "TREC RAG 2024", "TREC QA 2003", "nuggetizer"


@dataclass(frozen=True)
class NuggetPolicy(DocumentPolicy):
    """The conventions in force for one evaluation of nuggets.

    Fields:
        overlap: tables without a query in common are an `error`, tables with few give a warning; or both are evaluated
            without one (`allow`).
        undefined: recall of a query without nuggets of the level, such as one without vital nuggets: undefined and
            left out of means (null), or 0.
        missing: queries that a run has no answer to: 0 (`zero`), left out (`skip`), or an `error`.
        unassigned: nuggets of an answered query that have no label for the answer: not supported (`not_support`), left
            out as if the query did not have them (`skip`), or an `error`.
        failed: labels and importance that a judge's program could not read, written "failed": an `error`; not
            supported, and okay (`not_support`); or as if they were not there, the nugget left out (`skip`).

    Example:
        >>> from ireval_frames.nuggets import NuggetPolicy
        >>> NuggetPolicy.named("nuggetizer").missing
        'skip'
    """

    overlap: str = of_two_tables()
    undefined: int | None = one_of(
        Choice(None, "Recall of a query without nuggets of the level is undefined, and left out of means.", OURS),
        Choice(0, "Recall of a query without nuggets of the level is 0.", NUGGETIZER),
    )
    missing: str = one_of(
        Choice("zero", "A query that a run has no answer to has the value 0.", f"{TREC_QA}, {TREC_RAG}"),
        Choice("skip", "A query that a run has no answer to is left out.", NUGGETIZER),
        Choice("error", "A query that a run has no answer to is an error.", OURS),
    )
    unassigned: str = one_of(
        Choice(
            "not_support", "A nugget without a label for an answer is not supported by it.", f"{TREC_QA}, {TREC_RAG}"
        ),
        Choice("skip", "A nugget without a label for an answer is left out for that answer.", NUGGETIZER),
        Choice("error", "A nugget without a label for an answer is an error.", OURS),
    )
    failed: str = one_of(
        Choice("error", 'The label or importance "failed" is an error.', OURS),
        Choice("not_support", 'The label "failed" is not supported, the importance "failed" is okay.', NUGGETIZER),
        Choice("skip", 'A nugget with the label or importance "failed" is left out.', OURS),
    )


NuggetPolicy.presets = {
    "trec": NuggetPolicy(),
    "nuggetizer": NuggetPolicy(undefined=0, missing="skip", unassigned="skip", failed="not_support"),
}
