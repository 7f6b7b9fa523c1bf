"""Recommended items: how novel, popular, diverse, serendipitous and accurate the lists of users are.

The family's measures are attributes of this module: `ir.recommendations.MIUF @ 10`.
"""

from ireval_frames import catalog as _catalog
from ireval_frames.conventions.recommendations import RecommendationPolicy
from ireval_frames.declaration import Measure
from ireval_frames.recommendations.candidates import SampledCandidates, sampled_candidates
from ireval_frames.recommendations.subject import Recommendations

__all__ = ["RecommendationPolicy", "Recommendations", "SampledCandidates", "sampled_candidates"]


def __getattr__(name: str) -> Measure:
    """The measure of recommended items of that name."""
    return _catalog.attribute(name, "recommendations", __name__)
