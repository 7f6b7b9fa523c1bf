"""Ratings: who judged what, and how far raters agree.

The family's measures are attributes of this module: `ir.ratings.KrippendorffAlpha(level="ordinal")`.
"""

from ireval_frames import catalog as _catalog
from ireval_frames.conventions.ratings import RatingPolicy
from ireval_frames.declaration import Measure
from ireval_frames.ratings.paired.from_values import battles
from ireval_frames.ratings.paired.subject import PairedComparisons
from ireval_frames.ratings.subject import Ratings

__all__ = ["PairedComparisons", "RatingPolicy", "Ratings", "battles"]


def __getattr__(name: str) -> Measure:
    """The measure of ratings of that name."""
    return _catalog.attribute(name, "ratings", __name__)
