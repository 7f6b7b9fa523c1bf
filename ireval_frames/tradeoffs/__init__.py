"""Quality against cost: which systems no other one beats in both, and how sure that is."""

from ireval_frames.tradeoffs.comparing import tradeoff
from ireval_frames.tradeoffs.result import Tradeoff
from ireval_frames.tradeoffs.within import quality_within

__all__ = ["Tradeoff", "quality_within", "tradeoff"]
