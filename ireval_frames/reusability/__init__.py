"""Whether judgments of pooled documents can be reused: pool bias, and estimates that correct it."""

from ireval_frames.reusability.pool_bias import pool_bias
from ireval_frames.reusability.result import PoolBias

__all__ = ["PoolBias", "pool_bias"]
