"""Ranked retrieval: runs against relevance judgments.  Importing it puts its measures into the catalog."""

from ireval_frames import catalog as _catalog
from ireval_frames.measure import Measure
from ireval_frames.ranking.cwl import goal_readers, user_models
from ireval_frames.ranking.cwl.custom import user_model
from ireval_frames.ranking.diversity import intent_aware
from ireval_frames.ranking.diversity import measures as diversity
from ireval_frames.ranking.measures import (
    blended,
    cascade,
    compat,
    gain,
    gain_so_far,
    incomplete,
    interpolation,
    pairs,
    precision,
    r_precision,
    sets,
)
from ireval_frames.ranking.preferences import measures as preferences
from ireval_frames.ranking.subject import Rankings, evaluate

__all__ = [
    "Rankings",
    "blended",
    "cascade",
    "compat",
    "diversity",
    "evaluate",
    "gain",
    "gain_so_far",
    "goal_readers",
    "incomplete",
    "intent_aware",
    "interpolation",
    "pairs",
    "precision",
    "preferences",
    "r_precision",
    "sets",
    "user_model",
    "user_models",
]


def __getattr__(name: str) -> Measure:
    """The ranking measure of that name."""
    return _catalog.attribute(name, "ranking", __name__)
