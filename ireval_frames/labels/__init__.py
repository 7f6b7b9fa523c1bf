"""Labels: classifiers and set decisions.

The family's measures are attributes of this module: `ir.labels.F1(average="macro")`.
"""

from ireval_frames import catalog as _catalog
from ireval_frames.labels import confusion, diagnostic, filtering, hierarchy, overlap, ranked, rates, sets, several_classes
from ireval_frames.labels.subject import Labels
from ireval_frames.measure import Measure

__all__ = ["Labels", "confusion", "diagnostic", "filtering", "hierarchy", "overlap", "ranked", "rates", "sets", "several_classes"]


def __getattr__(name: str) -> Measure:
    """The label measure of that name."""
    for definition in _catalog.definitions("labels"):
        if definition.name == name:
            return definition()
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
