"""Pools: which documents of runs people judge, known at once or by the grades so far."""

from ireval_frames.pools.adaptive import AdaptivePool
from ireval_frames.pools.making import pool

__all__ = ["AdaptivePool", "pool"]
