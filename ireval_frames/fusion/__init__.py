"""Fusion: several runs as one, and what each of them adds to it."""

from ireval_frames.fusion.fusing import Fusion, fuse

__all__ = ["Fusion", "fuse"]
