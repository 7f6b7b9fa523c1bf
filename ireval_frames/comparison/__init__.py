"""Comparing systems over values per unit: differences, tests, intervals, and the discriminative power of measures.

Nothing here knows a measure or a family: values per unit come from an evaluation, any table, or a query.
"""

from typing import TYPE_CHECKING as _TYPE_CHECKING
from typing import Any as _Any

from ireval_frames import lazy as _lazy

if _TYPE_CHECKING:
    from ireval_frames.comparison.comparing import compare
    from ireval_frames.comparison.comparison import Comparison
    from ireval_frames.comparison.diagnosis import Diagnosis
    from ireval_frames.comparison.listing import corrections, effects, tests
    from ireval_frames.comparison.meta_evaluation.discriminative_power import DiscriminativePower, discriminative_power
    from ireval_frames.comparison.meta_evaluation.rank_stability import RankStability, rank_stability
    from ireval_frames.comparison.meta_evaluation.robust_and_strict import robustness, strictness
    from ireval_frames.comparison.planning.power_analysis import detectable_difference, power, sample_size
    from ireval_frames.comparison.values.files import read_values

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
    "read_values",
    "robustness",
    "sample_size",
    "strictness",
    "tests",
]

# Evaluations know this folder, and must not load SciPy with it.
_NAMES = {
    "comparison": "Comparison",
    "diagnosis": "Diagnosis",
    "meta_evaluation.discriminative_power": "DiscriminativePower discriminative_power",
    "meta_evaluation.rank_stability": "RankStability rank_stability",
    "comparing": "compare",
    "listing": "corrections effects tests",
    "planning.power_analysis": "detectable_difference power sample_size",
    "meta_evaluation.robust_and_strict": "robustness strictness",
    "values.files": "read_values",
}


def __getattr__(name: str) -> _Any:
    """A public name, imported when it is first used."""
    if name in __all__:
        return _lazy.attribute(__name__, _NAMES, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
