"""The conventions of ratings that change numbers, each choice with what it means and who does it so."""

from __future__ import annotations

from dataclasses import dataclass

from ireval_frames.conventions.base import Choice, Conventions, known_units, one_of


@dataclass(frozen=True)
class RatingPolicy(Conventions):
    """The conventions in force for one evaluation of ratings.

    Fields:
        missing: rows without a rating (null or NaN): `skip`, `error`.
        duplicates: a rater who rates an item twice is an `error`, or not checked (`trust`).
        undefined: a ratio without a denominator is undefined and left out of averages (None), 0, or 1.
        units: rows whose `unit=` is null, which would be one unit together: an `error`, or left out (`drop-null`).

    Example:
        >>> from ireval_frames.ratings import RatingPolicy
        >>> RatingPolicy().missing
        'skip'
    """

    missing: str = one_of(
        Choice("skip", "Rows without a rating are left out.", "krippendorff"),
        Choice("error", "Rows without a rating are an error.", "scikit-learn"),
    )
    duplicates: str = one_of(
        Choice("error", "A rater who rates an item twice is an error.", "ireval-frames"),
        Choice("trust", "Items are not checked for two ratings by a rater; both count.", "crowd-kit"),
    )
    undefined: int | None = one_of(
        Choice(None, "A ratio without a denominator is undefined, and left out of averages.", "SQL"),
        Choice(0, "A ratio without a denominator is 0.", "ireval-frames"),
        Choice(1, "A ratio without a denominator is 1: raters who all give one rating agree.", "simpledorff"),
    )
    units: str = known_units()
