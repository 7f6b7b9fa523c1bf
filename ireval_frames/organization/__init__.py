"""Document organization: ranking, filtering and clustering at once.

The family's measures are attributes of this module: `ir.organization.RS(n=5)`.
"""

from ireval_frames import catalog as _catalog
from ireval_frames.conventions.items import OrganizationPolicy
from ireval_frames.declaration import Measure
from ireval_frames.organization.subject import Organization

__all__ = ["Organization", "OrganizationPolicy"]


def __getattr__(name: str) -> Measure:
    """The measure of document organization of that name."""
    return _catalog.attribute(name, "organization", __name__)
