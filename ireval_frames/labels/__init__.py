"""Labels: classifiers and set decisions.

The family's measures are attributes of this module: `ir.labels.F1(average="macro")`.
"""

from ireval_frames import catalog as _catalog
from ireval_frames.conventions.items import LabelPolicy
from ireval_frames.declaration import Measure
from ireval_frames.labels.reading import read, read_hierarchy
from ireval_frames.labels.subject import Labels

__all__ = ["LabelPolicy", "Labels", "read", "read_hierarchy"]


def __getattr__(name: str) -> Measure:
    """The label measure of that name."""
    return _catalog.attribute(name, "labels", __name__)
