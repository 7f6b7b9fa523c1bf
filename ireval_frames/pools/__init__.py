"""Pools: which documents of runs people judge, known at once or by the grades so far."""

from ireval_frames.pools.adaptive import AdaptivePool
from ireval_frames.pools.collection import CollectionCoverage, collection_coverage
from ireval_frames.pools.making import pool

__all__ = ["AdaptivePool", "CollectionCoverage", "collection_coverage", "pool"]
