"""Labels: classifiers and set decisions.

The family's measures are attributes of this module: `ir.labels.F1(average="macro")`.
"""

from ireval_frames import catalog as _catalog
from ireval_frames.labels import (
    calibration,
    confusion,
    diagnostic,
    filtering,
    hierarchy,
    label_ranking,
    likelihood,
    operating_points,
    ordinal,
    overlap,
    precision_recall,
    rates,
    roc,
    sets,
    several_classes,
)
from ireval_frames.labels.subject import Labels
from ireval_frames.measure import Measure

__all__ = [
    "Labels",
    "calibration",
    "confusion",
    "diagnostic",
    "filtering",
    "hierarchy",
    "label_ranking",
    "likelihood",
    "operating_points",
    "ordinal",
    "overlap",
    "precision_recall",
    "rates",
    "roc",
    "sets",
    "several_classes",
]


def __getattr__(name: str) -> Measure:
    """The label measure of that name."""
    return _catalog.attribute(name, "labels", __name__)
