"""Comparing systems over values per unit: differences, tests, intervals, and what measures tell systems apart.

Nothing here knows a measure or a family: values per unit come from an evaluation, any table, or a query.
"""

import importlib as _importlib
from typing import TYPE_CHECKING as _TYPE_CHECKING
from typing import Any as _Any

if _TYPE_CHECKING:
    from ireval_frames.comparison.comparing import compare
    from ireval_frames.comparison.comparison import Comparison
    from ireval_frames.comparison.diagnosis import Diagnosis
    from ireval_frames.comparison.discriminative import DiscriminativePower, discriminative_power
    from ireval_frames.comparison.listing import corrections, effects, tests
    from ireval_frames.comparison.meta_evaluation import robustness, strictness
    from ireval_frames.comparison.planning import detectable_difference, power, sample_size
    from ireval_frames.comparison.stability import RankStability, rank_stability

__all__ = [
    "Comparison",
    "Diagnosis",
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

# Evaluations know this folder, and must not load SciPy with it: files are imported when they are first spoken of.
_LATER = {
    "Comparison": "comparison",
    "Diagnosis": "diagnosis",
    "DiscriminativePower": "discriminative",
    "RankStability": "stability",
    "compare": "comparing",
    "corrections": "listing",
    "detectable_difference": "planning",
    "discriminative_power": "discriminative",
    "effects": "listing",
    "power": "planning",
    "rank_stability": "stability",
    "robustness": "meta_evaluation",
    "sample_size": "planning",
    "strictness": "meta_evaluation",
    "tests": "listing",
}


def __getattr__(name: str) -> _Any:
    """What is public here, imported when it is first spoken of."""
    if name in _LATER:
        return getattr(_importlib.import_module(f"{__name__}.{_LATER[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
