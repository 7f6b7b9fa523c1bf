"""Whether a candidate may replace a baseline: rules over values per unit, each with a verdict."""

import importlib as _importlib
from typing import TYPE_CHECKING as _TYPE_CHECKING
from typing import Any as _Any

if _TYPE_CHECKING:
    from ireval_frames.gating.decision import gate
    from ireval_frames.gating.result import Gate
    from ireval_frames.gating.rules import Rule

__all__ = ["Gate", "Rule", "gate"]

_MODULES = {"Gate": "result", "Rule": "rules", "gate": "decision"}


def __getattr__(name: str) -> _Any:
    """A public name, imported on first use: the tests load SciPy."""
    if name in _MODULES:
        return getattr(_importlib.import_module(f"{__name__}.{_MODULES[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
