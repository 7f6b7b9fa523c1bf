"""The ways to aggregate ratings, by name, each with its options; and which of them was asked."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from ireval_frames.comparison.asked import share
from ireval_frames.crowds.answers import Consensus
from ireval_frames.crowds.dawid_skene import dawid_skene
from ireval_frames.crowds.glad import glad
from ireval_frames.crowds.kos import kos
from ireval_frames.crowds.one_number import mace, one_coin
from ireval_frames.crowds.scores import Scores, trimmed, unbiased
from ireval_frames.crowds.voting import majority, wawa, weighted, zero_based
from ireval_frames.errors import Argument, Hint, InvalidParameter, NotDefined, UnknownName, nearest

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
OPTIONS = {
    "weighted": ("weights",),
    "zero-based": ("max_iter",),
    "one-coin": ("max_iter", "tol"),
    "dawid-skene": ("max_iter", "tol", "smoothing"),
    "fast-dawid-skene": ("max_iter", "tol", "smoothing"),
    "mace": ("max_iter", "tol", "smoothing", "restarts", "seed"),
    "glad": ("max_iter", "tol"),
    "kos": ("max_iter", "seed"),
    "trimmed": ("share",),
    "unbiased": ("max_iter", "tol"),
}


@dataclass(frozen=True, eq=False)
class Asked:
    """What was asked of an aggregation.

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
        if self.method not in (*MODELS, *SCORES):
            raise UnknownName(
                f"There is no way {self.method!r} to aggregate.", nearest(str(self.method), [*MODELS, *SCORES])
            )
        share(self.confidence, "confidence")
        allowed = OPTIONS.get(self.method, ())
        for name, value in self.options.items():
            if name not in allowed:
                told = f"It takes: {', '.join(allowed)}." if allowed else "It takes none."
                raise UnknownName(f"{self.method} has no option {name!r}.", told)
            whole = name in ("max_iter", "restarts", "seed")
            if whole and (
                isinstance(value, bool) or not isinstance(value, int) or value < (0 if name == "seed" else 1)
            ):
                raise InvalidParameter(
                    f"{name} is {value!r}; it is a whole number from {0 if name == 'seed' else 1} on.",
                    Hint("Write ", Argument(name, 10)),
                )
            number = isinstance(value, int | float) and not isinstance(value, bool)
            if name in ("tol", "smoothing", "share") and not (
                number and 0 <= value < (0.5 if name == "share" else float("inf"))
            ):
                told = "a number from 0 to below 0.5" if name == "share" else "a number from 0 on"
                raise InvalidParameter(f"{name} is {value!r}; it is {told}.", Hint("Write ", Argument(name, 0.1)))
        if self.gold is not None and self.method in SCORES:
            raise NotDefined(f"{self.method} is of scores, and has no labels to know.", "Leave gold= out.")
        if self.method == "weighted" and "weights" not in self.options:
            raise InvalidParameter(
                "A weighted vote needs the raters' weights.",
                Hint("Write ", Argument("weights", {"ann": 0.9, "bob": 0.5})),
            )
