"""Statistics over the values of measures by system and topic: how robust and how strict measures are."""

from ireval_frames.stats.meta_evaluation import robustness, strictness

__all__ = ["robustness", "strictness"]
