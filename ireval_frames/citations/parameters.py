"""The parameters that measures of citations share."""

from __future__ import annotations

from ireval_frames.parameters import choice, number, whole

CONVENTION = choice(
    "trec-rag", "alce", what="whether passages support a sentence each alone (TREC RAG), or all together (ALCE)"
)
FIRST = whole(None, "only the first so many citations of a sentence count")
PARTIAL = number(0.5, "the weight of partial support; 0: only full support counts", low=0.0, high=1.0)
OF_CITATIONS = {"convention": CONVENTION, "first": FIRST, "partial": PARTIAL}
