"""What a bootstrap may be told, looked at before anything is computed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ireval_frames.errors import InvalidParameter, UnknownName, nearest
from ireval_frames.resampling.intervals import METHODS, Method

# With fewer, intervals are too short: they hold the true value less often than they say.
FEW_CLUSTERS = 20
# Aggregations that resampling says little of.
EXTREMES = ("min", "max")
STATUS = {
    "ok": "nothing is special",
    "undefined": "the value is undefined, or too few replicates are",
    "one_unit": "there is one unit: an estimate, no interval",
    "few_clusters": f"fewer than {FEW_CLUSTERS} clusters are resampled, so that intervals are too short",
    "extreme": "the value is a largest or a smallest one, which resampling says little of",
    "biased": "replicates lie beside the value, by more than half a standard error, or the interval does not hold it: "
    "draw larger units (cluster=), or take bca or basic",
    "degenerate": "replicates do not vary, or no unit changes the value, so that the interval has no width; or all lie "
    "on one side of the value, so that it is percentile",
    "identical": "both systems have one value in all replicates: p is 1, the interval [0, 0]",
    "no_share": "the measure is no share of items, so that there is no Wilson interval",
    "no_area": "the measure is no area under a ROC curve, or a class has fewer than two items",
}


@dataclass(frozen=True)
class Options:
    """How to resample.

    Attributes:
        method: of intervals.
        confidence: of intervals.
        replicates: how many.
        seed: of the draws.
    """

    method: Method
    confidence: float
    replicates: int
    seed: int

    def __post_init__(self) -> None:
        known_method(self.method)
        known_confidence(self.confidence)
        whole(self.replicates, "replicates", 2, 1000)
        whole(self.seed, "seed", 0, 0)


def known_method(method: Any) -> Method:
    """The method, if there is one of that name.

    Raises:
        UnknownName: there is none.
    """
    if method not in METHODS:
        raise UnknownName(f"There is no method {method!r}.", nearest(str(method), METHODS))
    found: Method = method
    return found


def known_confidence(confidence: Any) -> float:
    """The confidence, if it is a share.

    Raises:
        InvalidParameter: it is none.
    """
    if isinstance(confidence, bool) or not isinstance(confidence, int | float) or not 0 < confidence < 1:
        raise InvalidParameter(
            f"confidence is {confidence!r}; it must be a number between 0 and 1.", "Write confidence=0.95."
        )
    return float(confidence)


def whole(value: Any, name: str, low: int, example: int) -> int:
    """A whole number of at least `low`.

    Raises:
        InvalidParameter: it is something else.
    """
    if isinstance(value, bool) or not isinstance(value, int) or value < low:
        raise InvalidParameter(
            f"{name} is {value!r}; it must be a whole number of at least {low}.", f"Write {name}={example}."
        )
    return value
