"""What a ranking would have been worth to the users whose clicks another ranking got."""

from ireval_frames.clicks.counterfactual.evaluating import counterfactual
from ireval_frames.clicks.counterfactual.evaluation import Counterfactual

__all__ = ["Counterfactual", "counterfactual"]
