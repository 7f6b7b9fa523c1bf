"""Whether a candidate may replace a baseline: rules over values per unit, each with a verdict."""

import importlib as _importlib
from typing import TYPE_CHECKING as _TYPE_CHECKING
from typing import Any as _Any

if _TYPE_CHECKING:
    from ireval_frames.gating.judging import gate
    from ireval_frames.gating.result import Gate
    from ireval_frames.gating.rules import Rule

__all__ = ["Gate", "Rule", "gate"]

_LATER = {"Gate": "result", "Rule": "rules", "gate": "judging"}


def __getattr__(name: str) -> _Any:
    """What is public here, imported when it is first spoken of: the tests load SciPy."""
    if name in _LATER:
        return getattr(_importlib.import_module(f"{__name__}.{_LATER[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
