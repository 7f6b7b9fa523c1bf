"""Quality against cost: which systems no other one beats in both, and how sure that is."""

from ireval_frames.tradeoffs.comparing import tradeoff
from ireval_frames.tradeoffs.result import Tradeoff

__all__ = ["Tradeoff", "tradeoff"]
