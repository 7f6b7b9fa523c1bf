"""Parameters that measures of exposure share, and the sources of measures."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

from ireval_frames.kernels.browsing import BROWSING as BROWSINGS
from ireval_frames.kernels.browsing import CONTINUING, STOP
from ireval_frames.parameters import REQUIRED, Parameter, choice, number, whole

BROWSING = replace(
    choice(None, *BROWSINGS.choices, what=f"{BROWSINGS.what}; by default what the policy says"), example="geometric"
)
ATTENTION = {"browsing": BROWSING, "p": CONTINUING, "stop": STOP}
CUTOFF = whole(None, "the top k; by default all of a list")
SMOOTH = number(0.0, "this is added to each share, which is then divided by their sum", low=0.0)


def _group(value: Any) -> Any:
    if not isinstance(value, str) and not (isinstance(value, int | float) and math.isfinite(value)):
        raise ValueError("a group: text or a number")
    return value


def _any_group(value: Any) -> Any:
    return None if value is None else _group(value)


GROUP = Parameter(REQUIRED, "one of the groups of documents", _group, example="new")
ANY_GROUP = Parameter(
    None, "the group that is compared with all others; by default the smallest over the largest", _any_group
)

SINGH = "Singh and Joachims, Fairness of Exposure in Rankings, KDD 2018"
