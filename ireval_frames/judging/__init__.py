"""Judgments of different judges, and their effect on the ranking of systems."""

from ireval_frames.judging.clicked import click_agreement, people_grades
from ireval_frames.judging.corrected import corrected
from ireval_frames.judging.judges import Judges, judges
from ireval_frames.judging.rater_effect import rater_effect

__all__ = ["Judges", "click_agreement", "corrected", "judges", "people_grades", "rater_effect"]
