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
    from ireval_frames.comparison.listing import corrections, effects, tests
    from ireval_frames.comparison.meta_evaluation import robustness, strictness

__all__ = ["Comparison", "Diagnosis", "compare", "corrections", "effects", "robustness", "strictness", "tests"]

# Evaluations know this folder, and must not load SciPy with it: files are imported when they are first spoken of.
_LATER = {
    "Comparison": "comparison",
    "Diagnosis": "diagnosis",
    "compare": "comparing",
    "corrections": "listing",
    "effects": "listing",
    "robustness": "meta_evaluation",
    "strictness": "meta_evaluation",
    "tests": "listing",
}


def __getattr__(name: str) -> _Any:
    """What is public here, imported when it is first spoken of."""
    if name in _LATER:
        return getattr(_importlib.import_module(f"{__name__}.{_LATER[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
