"""Fusion: several runs as one, and what each of them adds to it."""

from ireval_frames.fusion.fusing import fuse
from ireval_frames.fusion.result import Fusion

__all__ = ["Fusion", "fuse"]
