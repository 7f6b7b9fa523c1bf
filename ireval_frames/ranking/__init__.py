"""Ranked retrieval: runs against relevance judgments.  Importing it puts its measures into the catalog."""

from ireval_frames.ranking import cascade, gain, gain_so_far, incomplete, interpolation, precision, sets
from ireval_frames.ranking.subject import Rankings, evaluate

__all__ = ["Rankings", "cascade", "evaluate", "gain", "gain_so_far", "incomplete", "interpolation", "precision", "sets"]
