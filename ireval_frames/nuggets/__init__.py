"""Nuggets: the facts that good answers state, and which of them answers support.

The family's measures are attributes of this module: `ir.nuggets.NuggetRecall(level="vital")`, `ir.nuggets.V_strict`.
"""

from ireval_frames import catalog as _catalog
from ireval_frames.conventions.nuggets import NuggetPolicy
from ireval_frames.declaration import Measure
from ireval_frames.nuggets.chain import chain
from ireval_frames.nuggets.groups import any_of
from ireval_frames.nuggets.pyramid import pyramid
from ireval_frames.nuggets.steps import Chain
from ireval_frames.nuggets.subject import Nuggets

__all__ = ["Chain", "NuggetPolicy", "Nuggets", "any_of", "chain", "pyramid"]


def __getattr__(name: str) -> Measure:
    """The measure of nuggets of that name."""
    return _catalog.attribute(name, "nuggets", __name__)
