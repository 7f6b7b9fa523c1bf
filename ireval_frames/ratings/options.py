"""The options of ratings: what they are, and how raters are tested."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ireval_frames.columns.user_names import columns_named
from ireval_frames.parameters import ALPHA, CONFIDENCE, BaseOptions, Parameter, choice, option
from ireval_frames.stats.corrections import find_correction

LEVELS = ("nominal", "ordinal", "interval", "ratio")


def _same(value: Any) -> Any:
    """Any value; whether it suits the ratings is checked with them."""
    return value


@dataclass(frozen=True)
class RatingOptions(BaseOptions):
    """What ratings are, and in which columns they stand.

    Attributes:
        raters: the columns of a wide table that hold the ratings of a rater each.
        level: the level of measurement.
        categories: the scale, from low to high.
        distances: between categories: a frame or file, a mapping of pairs, or a function.
    """

    raters: tuple[str, ...] = option(
        Parameter((), "the columns of raters of a wide table", lambda c: columns_named(c, "raters"), kind=list)
    )
    level: str = option(choice(*LEVELS, what="the level of measurement"))
    categories: Sequence[Any] | None = option(Parameter(None, "the scale, from low to high", _same, kind=list))
    distances: Any = option(
        Parameter(None, "distances between categories: a file of rating, other_rating, distance", _same)
    )


@dataclass(frozen=True)
class RaterOptions(BaseOptions):
    """How raters are tested against chance.

    Attributes:
        chance: a rater who draws from the shares of their own ratings, or from the categories evenly.
        correction: of p-values, over the raters of a group.
        alpha: the p-value above which a rater counts as one at chance.
        confidence: of the intervals of accuracies.
    """

    chance: str = option(choice("own", "even", what="what raters are tested against"))
    correction: str = option(
        Parameter("holm", "the correction of p-values over raters", lambda name: find_correction(name).name)
    )
    alpha: float = option(ALPHA)
    confidence: float = option(CONFIDENCE)
