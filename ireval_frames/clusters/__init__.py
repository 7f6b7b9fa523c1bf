"""Clusterings by external criteria.

The family's measures are attributes of this module: `ir.clusters.BCubedF(alpha=0.3)`.
"""

from ireval_frames import catalog as _catalog
from ireval_frames.clusters.subject import Clusters
from ireval_frames.conventions.items import ClusterPolicy
from ireval_frames.declaration import Measure

__all__ = ["ClusterPolicy", "Clusters"]


def __getattr__(name: str) -> Measure:
    """The clustering measure of that name."""
    return _catalog.attribute(name, "clusters", __name__)
