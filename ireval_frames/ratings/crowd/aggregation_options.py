"""The methods of aggregation by name, each with its options."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from ireval_frames.crowds.answers import Consensus
from ireval_frames.crowds.dawid_skene import dawid_skene
from ireval_frames.crowds.glad import glad
from ireval_frames.crowds.kos import kos
from ireval_frames.crowds.one_number import mace, one_coin
from ireval_frames.crowds.scores import Scores, trimmed, unbiased
from ireval_frames.crowds.voting import majority, wawa, weighted, zero_based
from ireval_frames.errors import Argument, Hint, InvalidParameter, NotDefined, UnknownName
from ireval_frames.parameters import CONFIDENCE, SEED, BaseOptions, Parameter, choice, number, option, whole

# Models of labels, by name.
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
    share = float(number(low=0.0).convert(value))
    if share >= 0.5:
        raise ValueError("a number from 0 to below 0.5")
    return share


MAX_ITER = {"max_iter": whole(100, "the largest number of iterations")}
ITERATED = {**MAX_ITER, "tol": number(1e-6, "the change at which it stops", 0.0)}
SMOOTHED = {**ITERATED, "smoothing": number(0.01, "pseudo-counts", 0.0)}
# The options of each method.
OPTIONS: dict[str, dict[str, Parameter]] = {
    "weighted": {"weights": Parameter(None, "the weight of each rater", lambda weights: weights)},
    "zero-based": MAX_ITER,
    "one-coin": ITERATED,
    "dawid-skene": SMOOTHED,
    "fast-dawid-skene": SMOOTHED,
    "mace": {**SMOOTHED, "restarts": whole(10, "the number of random starts"), "seed": SEED},
    "glad": ITERATED,
    "kos": {**MAX_ITER, "seed": SEED},
    "trimmed": {"share": Parameter(0.1, "the share that is cut off at each end", _share)},
    "unbiased": ITERATED,
}


@dataclass(frozen=True, eq=False)
class AggregationOptions(BaseOptions):
    """How ratings are aggregated.

    Attributes:
        method: the model.
        confidence: of intervals.
        options: of the model.
        gold: known labels.
    """

    method: str = option(choice("majority", *MODELS, *SCORES, what="how ratings are aggregated"))
    confidence: float = option(CONFIDENCE)
    options: Mapping[str, Any] = field(default_factory=dict)
    gold: Any = None

    def __post_init__(self) -> None:
        """Check the options of the model.

        Raises:
            UnknownName: there is no such method, or it has no such option.
            InvalidParameter: an option is not allowed.
            NotDefined: scores have no gold.
        """
        super().__post_init__()
        allowed = OPTIONS.get(self.method, {})
        for name, value in self.options.items():
            if name not in allowed:
                hint = f"It takes: {', '.join(allowed)}." if allowed else "It takes none."
                raise UnknownName(f"{self.method} has no option {name!r}.", hint)
            allowed[name].check(name, value)
        if self.gold is not None and self.method in SCORES:
            raise NotDefined(f"{self.method} aggregates scores, and knows no labels.", "Leave gold= out.")
        if self.method == "weighted" and "weights" not in self.options:
            raise InvalidParameter(
                "A weighted vote needs the raters' weights.",
                Hint("Write ", Argument("weights", {"ann": 0.9, "bob": 0.5})),
            )
