"""Relations between entities, and events with their arguments.

The family's measures are attributes of this module: `ir.relations.F1(match="boundary")`.
"""

from ireval_frames import catalog as _catalog
from ireval_frames.conventions.relations import RelationPolicy
from ireval_frames.declaration import Measure
from ireval_frames.relations.subject import Relations

__all__ = ["RelationPolicy", "Relations"]


def __getattr__(name: str) -> Measure:
    """The measure of relations of that name."""
    return _catalog.attribute(name, "relations", __name__)
