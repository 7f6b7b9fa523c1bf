"""Intervals of measures by resampling items, users, documents or queries; and what single units do to a value.

The engine of the subject groups items, NumPy draws them, and one plan evaluates all replicates.
"""

from ireval_frames.resampling.bootstrapping import bootstrap, jackknife
from ireval_frames.resampling.jackknifed import Jackknife
from ireval_frames.resampling.result import Bootstrap

__all__ = ["Bootstrap", "Jackknife", "bootstrap", "jackknife"]
