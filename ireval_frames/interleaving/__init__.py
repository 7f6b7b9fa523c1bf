"""Interleaving: lists combined from several rankings, and which ranking their clicks prefer."""

from ireval_frames.interleaving.making import interleave
from ireval_frames.interleaving.outcomes import Interleaving
from ireval_frames.interleaving.significance import sample_size

__all__ = ["Interleaving", "interleave", "sample_size"]
