"""Similarity of rankings: of runs, query by query, or of anything else that is put into an order.

Importing it puts its measures into the catalog.  They are attributes here: `ir.similarity.RBO(p=0.95) @ 100`.
"""

from __future__ import annotations

from ireval_frames import catalog as _catalog
from ireval_frames.declaration import Measure
from ireval_frames.similarity import correlation, overlap, rank_biased
from ireval_frames.similarity.evaluation import SimilarityEvaluation
from ireval_frames.similarity.subject import Similarity
from ireval_frames.similarity.written import ranking

__all__ = ["Similarity", "SimilarityEvaluation", "correlation", "overlap", "rank_biased", "ranking"]


def __getattr__(name: str) -> Measure:
    """The similarity measure of that name."""
    return _catalog.attribute(name, "similarity", __name__)


def __dir__() -> list[str]:
    return sorted([*__all__, *(definition.name for definition in _catalog.definitions("similarity"))])
