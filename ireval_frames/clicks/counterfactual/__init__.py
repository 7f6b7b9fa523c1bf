"""What a ranking would have been worth to the users whose clicks another ranking got."""

from ireval_frames.clicks.counterfactual.evaluating import counterfactual
from ireval_frames.clicks.counterfactual.evaluation import Counterfactual
from ireval_frames.clicks.counterfactual.estimated_propensities import Propensities
from ireval_frames.clicks.counterfactual.estimated_propensities import propensities

__all__ = ["Counterfactual", "Propensities", "counterfactual", "propensities"]
