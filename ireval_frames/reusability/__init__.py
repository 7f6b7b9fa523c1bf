"""Whether judgments of pooled documents can be reused: pool bias, and estimates that correct it."""

from ireval_frames.reusability.pool_bias import PoolBias, pool_bias

__all__ = ["PoolBias", "pool_bias"]
