"""Judgments of different judges, and what they make of the ranking of systems."""

from ireval_frames.judging.judges import Judges, judges
from ireval_frames.judging.rater_effect import rater_effect

__all__ = ["Judges", "judges", "rater_effect"]
