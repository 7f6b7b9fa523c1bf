"""Parameters that measures of recommended items share, and the sources of measures."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ireval_frames.declaration import Measure
from ireval_frames.errors import InvalidParameter
from ireval_frames.kernels.browsing import BROWSING
from ireval_frames.parameters import choice, number, whole

RECTOOLS, REPLAY, RECOMMENDERS, LENSKIT = "RecTools", "RePlay", "recommenders", "lenskit"
CUTOFF = whole(None, "the top k items of a list; by default all")
OVER = choice("list", "k", what="divide by the number of recommended items, or by k where lists are shorter, too")
UNSEEN = choice(
    "one",
    "null",
    "add_one",
    what="items that nobody used before: as if used once, left out of the mean, or one use added to all items",
)
REL = number(1.0, "the smallest relevance of a relevant item")
# How users browse a list, as far as ranks alone tell.
BROWSING_BY_RANK = choice(*(word for word in BROWSING.choices if word != "cascade"), what=BROWSING.what)
BASE = number(2.0, "the base of logarithms", 1.0, open_ends=True)


def k_of_over(measure: Measure, arguments: Mapping[str, Any]) -> None:
    """Refuse to divide by k without k.

    Raises:
        InvalidParameter: there is no cutoff.
    """
    if arguments["over"] == "k" and arguments["cutoff"] is None:
        raise InvalidParameter(f"{measure} divides by k, and has no cutoff.", f"Write {measure.name}(over='k')@10.")


def p_of_browsing(measure: Measure, arguments: Mapping[str, Any]) -> None:
    """Refuse a probability of continuing that the model of browsing does not read.

    Raises:
        InvalidParameter: it is not geometric.
    """
    if "p" in dict(measure.values) and arguments["browsing"] != "geometric":
        raise InvalidParameter(
            f"{measure} has p={arguments['p']:g}, which browsing={arguments['browsing']!r} does not read.",
            f"Write {measure(browsing='geometric')}.",
        )
