"""Ranked retrieval: runs against relevance judgments.  Importing it puts its measures into the catalog."""

from ireval_frames import catalog as _catalog
from ireval_frames.measure import Measure
from ireval_frames.ranking import (
    blended,
    cascade,
    compat,
    diversity,
    gain,
    gain_so_far,
    goals,
    incomplete,
    intent_aware,
    interpolation,
    pairs,
    precision,
    prefs,
    r_precision,
    sets,
    user_models,
)
from ireval_frames.ranking.own_models import user_model
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
    "goals",
    "incomplete",
    "intent_aware",
    "interpolation",
    "pairs",
    "precision",
    "prefs",
    "r_precision",
    "sets",
    "user_model",
    "user_models",
]


def __getattr__(name: str) -> Measure:
    """The ranking measure of that name."""
    return _catalog.attribute(name, "ranking", __name__)
