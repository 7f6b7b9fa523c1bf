"""Intervals of measures by resampling items, users, documents or queries; and the influence of single units.

The subject's engine groups items, NumPy draws them, and one plan evaluates all replicates.
"""

from ireval_frames.resampling.bootstrapping import bootstrap, jackknife
from ireval_frames.resampling.jackknifed import Jackknife
from ireval_frames.resampling.result import Bootstrap

__all__ = ["Bootstrap", "Jackknife", "bootstrap", "jackknife"]
