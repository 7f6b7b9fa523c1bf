"""Similarity of rankings: of runs, query by query, or of any other items in an order.

The family's measures are attributes of this module: `ir.similarity.RBO(p=0.95) @ 100`.
"""

from ireval_frames import catalog as _catalog
from ireval_frames.conventions.rankings import SimilarityPolicy
from ireval_frames.declaration import Measure
from ireval_frames.similarity.evaluation import SimilarityEvaluation
from ireval_frames.similarity.subject import Similarity, ranking

__all__ = ["Similarity", "SimilarityEvaluation", "SimilarityPolicy", "ranking"]


def __getattr__(name: str) -> Measure:
    """The similarity measure of that name."""
    return _catalog.attribute(name, "similarity", __name__)
