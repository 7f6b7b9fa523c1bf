"""Ranked retrieval: runs against relevance judgments.  Importing it puts its measures into the catalog."""

from ireval_frames.ranking import blended, cascade, compat, gain, gain_so_far, goals, incomplete, interpolation, pairs, precision, sets, user_models
from ireval_frames.ranking.subject import Rankings, evaluate

__all__ = [
    "Rankings",
    "blended",
    "cascade",
    "compat",
    "evaluate",
    "gain",
    "gain_so_far",
    "goals",
    "incomplete",
    "interpolation",
    "pairs",
    "precision",
    "sets",
    "user_models",
]
