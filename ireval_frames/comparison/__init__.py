"""Comparing systems over values per unit: differences, tests, intervals, and what measures tell systems apart.

Nothing here knows a measure or a family: values per unit come from an evaluation, any table, or a query.
"""

from ireval_frames.comparison.comparing import compare
from ireval_frames.comparison.comparison import Comparison
from ireval_frames.comparison.discriminative import DiscriminativePower, discriminative_power
from ireval_frames.comparison.listing import corrections, effects, tests
from ireval_frames.comparison.meta_evaluation import robustness, strictness
from ireval_frames.comparison.planning import detectable_difference, power, sample_size
from ireval_frames.comparison.stability import RankStability, rank_stability

__all__ = [
    "Comparison",
    "DiscriminativePower",
    "RankStability",
    "compare",
    "corrections",
    "detectable_difference",
    "discriminative_power",
    "effects",
    "power",
    "rank_stability",
    "robustness",
    "sample_size",
    "strictness",
    "tests",
]
