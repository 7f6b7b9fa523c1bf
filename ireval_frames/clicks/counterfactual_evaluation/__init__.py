"""What a ranking would have been worth to the users whose clicks another ranking got."""

from ireval_frames.clicks.counterfactual_evaluation.estimated_propensities import Propensities, propensities
from ireval_frames.clicks.counterfactual_evaluation.evaluation import Counterfactual, counterfactual
from ireval_frames.clicks.counterfactual_evaluation.slates import OffPolicy, off_policy

__all__ = ["Counterfactual", "OffPolicy", "Propensities", "counterfactual", "off_policy", "propensities"]
