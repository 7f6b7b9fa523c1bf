"""Segmentations of documents: where topics, scenes or clauses begin.

The family's measures are attributes of this module: `ir.segmentation.WindowDiff(weighted=True) @ 3`.
"""

from ireval_frames import catalog as _catalog
from ireval_frames.conventions.segmentation import SegmentationPolicy
from ireval_frames.declaration import Measure
from ireval_frames.segmentation.subject import Segmentation

__all__ = ["Segmentation", "SegmentationPolicy"]


def __getattr__(name: str) -> Measure:
    """The measure of segmentations of that name."""
    return _catalog.attribute(name, "segmentation", __name__)
