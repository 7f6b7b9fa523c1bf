"""Ranked retrieval: runs against relevance judgments.

The family's measures are attributes of this module, and of `ireval_frames`: `ir.nDCG @ 10`.
"""

from ireval_frames import catalog as _catalog
from ireval_frames.conventions.rankings import RankingPolicy
from ireval_frames.declaration import Measure
from ireval_frames.ranking.curves import interpolated_precision
from ireval_frames.ranking.cwl.custom import user_model
from ireval_frames.ranking.subject import Rankings, evaluate

__all__ = ["RankingPolicy", "Rankings", "evaluate", "interpolated_precision", "user_model"]


def __getattr__(name: str) -> Measure:
    """The ranking measure of that name."""
    return _catalog.attribute(name, "ranking", __name__)
