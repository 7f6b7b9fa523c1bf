"""Interleaving: lists made of several rankings, and which ranking their clicks prefer."""

from ireval_frames.interleaving.making import interleave
from ireval_frames.interleaving.outcomes import Interleaving
from ireval_frames.interleaving.sizes import sample_size

__all__ = ["Interleaving", "interleave", "sample_size"]
