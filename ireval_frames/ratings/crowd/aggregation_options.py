"""The ways to aggregate ratings, by name, each with its options; and which of them was asked."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from ireval_frames.crowds.answers import Consensus
from ireval_frames.crowds.dawid_skene import dawid_skene
from ireval_frames.crowds.glad import glad
from ireval_frames.crowds.kos import kos
from ireval_frames.crowds.one_number import mace, one_coin
from ireval_frames.crowds.scores import Scores, trimmed, unbiased
from ireval_frames.crowds.voting import majority, wawa, weighted, zero_based
from ireval_frames.errors import Argument, Hint, InvalidParameter, NotDefined, UnknownName
from ireval_frames.parameters import CONFIDENCE, SEED, Parameter, choice, number, whole

# By name, models of labels; what they take besides is theirs.
MODELS: dict[str, Callable[..., Consensus]] = {
    "majority": majority,
    "weighted": weighted,
    "wawa": wawa,
    "zero-based": zero_based,
    "one-coin": one_coin,
    "dawid-skene": dawid_skene,
    "fast-dawid-skene": functools.partial(dawid_skene, hard=True),
    "mace": mace,
    "glad": glad,
    "kos": kos,
}
MEANS: dict[str, Callable[..., Scores]] = {
    "mean": functools.partial(trimmed, share=0.0),
    "trimmed": trimmed,
    "unbiased": unbiased,
}
SCORES = tuple(MEANS)


def _share(value: Any) -> float:
    found = number(low=0.0).convert(value)
    if found >= 0.5:
        raise ValueError("a number from 0 to below 0.5")
    return float(found)


MAX_ITER = {"max_iter": whole(100, "how many iterations there are at most")}
ITERATED = {**MAX_ITER, "tol": number(1e-6, "the change at which they end", 0.0)}
SMOOTHED = {**ITERATED, "smoothing": number(0.01, "what is added to every count", 0.0)}
# What each takes besides.
OPTIONS: dict[str, dict[str, Parameter]] = {
    "weighted": {"weights": Parameter(None, "the weight of each rater", lambda weights: weights)},
    "zero-based": MAX_ITER,
    "one-coin": ITERATED,
    "dawid-skene": SMOOTHED,
    "fast-dawid-skene": SMOOTHED,
    "mace": {**SMOOTHED, "restarts": whole(10, "how often it begins anew"), "seed": SEED},
    "glad": ITERATED,
    "kos": {**MAX_ITER, "seed": SEED},
    "trimmed": {"share": Parameter(0.1, "what is cut off at either end", _share)},
    "unbiased": ITERATED,
}


@dataclass(frozen=True, eq=False)
class AggregationOptions:
    """How judgments are aggregated.

    Attributes:
        method: the model's name.
        options: its options.
        gold: labels that are known.
        confidence: of intervals.
    """

    method: str
    options: Mapping[str, Any]
    gold: Any = None
    confidence: float = 0.95

    def __post_init__(self) -> None:
        """Look at the names.

        Raises:
            UnknownName: there is no such method, or it has no such option.
            InvalidParameter: an option cannot be meant.
            NotDefined: gold is given for scores.
        """
        choice("majority", *MODELS, *SCORES).check("method", self.method)
        CONFIDENCE.check("confidence", self.confidence)
        allowed = OPTIONS.get(self.method, {})
        for name, value in self.options.items():
            if name not in allowed:
                takes = f"It takes: {', '.join(allowed)}." if allowed else "It takes none."
                raise UnknownName(f"{self.method} has no option {name!r}.", takes)
            allowed[name].check(name, value)
        if self.gold is not None and self.method in SCORES:
            raise NotDefined(f"{self.method} is of scores, and has no labels to know.", "Leave gold= out.")
        if self.method == "weighted" and "weights" not in self.options:
            raise InvalidParameter(
                "A weighted vote needs the raters' weights.",
                Hint("Write ", Argument("weights", {"ann": 0.9, "bob": 0.5})),
            )
