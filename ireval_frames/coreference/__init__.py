"""Coreference: mentions of entities in documents, grouped by the entity they refer to.

The family's measures are attributes of this module: `ir.coreference.CoNLL`.
"""

from ireval_frames import catalog as _catalog
from ireval_frames.conventions.coreference import CoreferencePolicy
from ireval_frames.coreference.subject import Coreference
from ireval_frames.declaration import Measure

__all__ = ["Coreference", "CoreferencePolicy"]


def __getattr__(name: str) -> Measure:
    """The measure of coreference of that name."""
    return _catalog.attribute(name, "coreference", __name__)
