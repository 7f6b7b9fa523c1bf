"""What a ranking would have been worth to the users whose clicks another ranking got."""

from ireval_frames.clicks.counterfactual.estimated_propensities import Propensities, propensities
from ireval_frames.clicks.counterfactual.evaluating import counterfactual
from ireval_frames.clicks.counterfactual.evaluation import Counterfactual
from ireval_frames.clicks.counterfactual.slates import OffPolicy, off_policy

__all__ = ["Counterfactual", "OffPolicy", "Propensities", "counterfactual", "off_policy", "propensities"]
