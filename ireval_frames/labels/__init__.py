"""Labels: classifiers and set decisions.

The family's measures are attributes of this module: `ir.labels.F1(average="macro")`.
"""

from ireval_frames import catalog as _catalog
from ireval_frames.declaration import Measure

# isort: off
# In the order of the catalog: what most people ask for comes first.
from ireval_frames.labels import overlap, confusion, rates, diagnostic
from ireval_frames.labels import several_classes, roc, precision_recall, likelihood, calibration, operating_points
from ireval_frames.labels import selective
from ireval_frames.labels import label_ranking, sets, ordinal, hierarchy, filtering

# isort: on
from ireval_frames.labels.subject import Labels

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
    "selective",
    "sets",
    "several_classes",
]


def __getattr__(name: str) -> Measure:
    """The label measure of that name."""
    return _catalog.attribute(name, "labels", __name__)
