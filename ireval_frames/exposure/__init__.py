"""Fair exposure: how much attention rankings give to documents and to groups of them.

The family's measures are attributes of this module: `ir.exposure.AWRF`.
"""

from ireval_frames import catalog as _catalog
from ireval_frames.conventions.exposure import ExposurePolicy
from ireval_frames.declaration import Measure
from ireval_frames.exposure.subject import FairExposure
from ireval_frames.exposure.user_groups import gaps

__all__ = ["ExposurePolicy", "FairExposure", "gaps"]


def __getattr__(name: str) -> Measure:
    """The measure of exposure of that name."""
    return _catalog.attribute(name, "exposure", __name__)
