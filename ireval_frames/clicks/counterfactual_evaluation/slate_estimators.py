"""The estimators of a stochastic policy's value from the lists of another: what a place of a list is weighed by."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from ireval_frames.clicks.counterfactual_evaluation.estimators import parse_names
from ireval_frames.errors import InvalidParameter
from ireval_frames.expr import Expr, when
from ireval_frames.parameters import Parameter, choice, number

# What is weighed: each place alone, the whole list, or the list down to the place.
KINDS = {"IIPS": "place", "SIPS": "list", "RIPS": "so_far"}
NAMES = (*KINDS, *(f"SN{k}" for k in KINDS), "CascadeDR")
_SIZE = number(what="", low=0.0, high=1e12)
PARAMETERS: dict[str, Parameter] = {
    "clip": _SIZE,
    "shrinkage": _SIZE,
    "switch": _SIZE,
    "sub_gaussian": number(what="", low=0.0, high=1.0),
    "over": choice("position", "all"),
}
CHANGES = ("clip", "sub_gaussian", "shrinkage", "switch")


@dataclass(frozen=True)
class SlateEstimator:
    """An estimator: its name, how weights are changed, and what self-normalised ones are normalised over."""

    name: str
    change: str = ""
    size: float = 0.0
    over: str = "position"

    def __str__(self) -> str:
        values = [f"{self.change}={self.size:g}"] if self.change else []
        values += [f"over='{self.over}'"] if self.normalised and self.over != _default(self.name) else []
        return f"{self.name}({', '.join(values)})" if values else self.name

    @property
    def kind(self) -> str:
        """What is weighed."""
        return "so_far" if self.name == "CascadeDR" else KINDS[self.name.removeprefix("SN")]

    @property
    def normalised(self) -> bool:
        """Whether weights are divided by their mean."""
        return self.name.startswith("SN")

    def changed(self, weight: Expr) -> Expr:
        """The weight that counts, from a column of weights."""
        match self.change:
            case "clip":
                return when(weight < self.size).then(weight).otherwise(self.size)
            case "sub_gaussian":
                return weight / (1.0 - self.size + self.size * weight)
            case "shrinkage":
                return self.size * weight / (weight * weight + self.size)
            case "switch":
                return when(weight <= self.size).then(weight).otherwise(0.0)
            case _:
                return weight


def _default(name: str) -> str:
    """What is normalised over, as Open Bandit Pipeline does it: the list's weight is one at all its places."""
    return "all" if name == "SNSIPS" else "position"


def parse_slate_estimators(estimators: str | Iterable[str]) -> list[SlateEstimator]:
    """The estimators that a text names: "IIPS RIPS(clip=10) SNRIPS(over='all') CascadeDR".

    Raises:
        UnknownName: there is no such estimator, or it has no such parameter.
        InvalidParameter: the value of a parameter is not allowed, or no estimator is named.
    """
    return list(dict.fromkeys(_estimator(*one) for one in parse_names(estimators, NAMES, _parameters)))


def _parameters(name: str) -> dict[str, Parameter]:
    return {p: of for p, of in PARAMETERS.items() if p != "over" or name.startswith("SN")}


def _estimator(name: str, values: dict[str, Any]) -> SlateEstimator:
    changes = [c for c in CHANGES if c in values]
    if len(changes) > 1:
        raise InvalidParameter(
            f"{name} changes its weights by {' and by '.join(changes)}.", f"Keep one of {' and '.join(changes)}."
        )
    change = changes[0] if changes else ""
    return SlateEstimator(name, change, values.get(change, 0.0), values.get("over", _default(name)))
