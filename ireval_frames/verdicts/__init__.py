"""Verdicts on contexts, claims and statements of generated answers, and the ratios that suites compute of them.

The family's measures are attributes of this module: `ir.verdicts.Faithfulness(unsure=1)`.
"""

from ireval_frames import catalog as _catalog
from ireval_frames.conventions.verdicts import VerdictPolicy
from ireval_frames.declaration import Measure
from ireval_frames.verdicts.subject import Verdicts

__all__ = ["VerdictPolicy", "Verdicts"]


def __getattr__(name: str) -> Measure:
    """The measure of verdicts of that name."""
    return _catalog.attribute(name, "verdicts", __name__)
