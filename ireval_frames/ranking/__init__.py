"""Ranked retrieval: runs against relevance judgments.  Importing it puts its measures into the catalog."""

from ireval_frames import catalog as _catalog
from ireval_frames.declaration import Measure

# isort: off
# In the order of the catalog: what most people ask for comes first.
from ireval_frames.ranking.measures import precision, gain, cascade, r_precision, interpolation, sets
from ireval_frames.ranking.measures import incomplete, pairs, compat, blended, gain_so_far
from ireval_frames.ranking.diversity import measures as diversity
from ireval_frames.ranking.diversity import intent_aware
from ireval_frames.ranking.cwl import user_models, goal_readers
from ireval_frames.ranking.cwl.custom import user_model
from ireval_frames.ranking.preferences import measures as preferences
from ireval_frames.ranking.click_models import utility, effort

# isort: on
from ireval_frames.ranking.evaluating import evaluate
from ireval_frames.ranking.subject import Rankings

__all__ = [
    "Rankings",
    "blended",
    "cascade",
    "compat",
    "diversity",
    "effort",
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
    "utility",
]


def __getattr__(name: str) -> Measure:
    """The ranking measure of that name."""
    return _catalog.attribute(name, "ranking", __name__)
