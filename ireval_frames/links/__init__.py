"""Links of mentions to entities, and slots with their fillers, by what must be equal.

The family's measures are attributes of this module: `ir.links.F1(on="strong_link_match")`.
"""

from ireval_frames import catalog as _catalog
from ireval_frames.conventions.relations import LinkPolicy
from ireval_frames.declaration import Measure
from ireval_frames.links.subject import Links

__all__ = ["LinkPolicy", "Links"]


def __getattr__(name: str) -> Measure:
    """The measure of links of that name."""
    return _catalog.attribute(name, "links", __name__)
