"""Points: clusterings by internal criteria, from the points alone.

The family's measures are attributes of this module: `ir.points.Silhouette(metric="cosine")`.
"""

from ireval_frames import catalog as _catalog
from ireval_frames.conventions.items import PointPolicy
from ireval_frames.declaration import Measure
from ireval_frames.points.subject import Points

__all__ = ["PointPolicy", "Points"]


def __getattr__(name: str) -> Measure:
    """The measure of points of that name."""
    return _catalog.attribute(name, "points", __name__)
