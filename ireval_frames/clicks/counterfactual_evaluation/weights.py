"""What a result is worth by its rank: the measures whose value is a sum over the relevant results of a weight λ(rank).

Only of these an old log tells the value for a new ranking, since each click can be weighed by where its result stands
now.  Names and parameters are those of the ranking measures; a click counts as relevance 1.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ireval_frames import catalog
from ireval_frames.declaration import Measure
from ireval_frames.errors import InvalidParameter, NotDefined, listed
from ireval_frames.expr import Expr, when
from ireval_frames.kernels.browsing import logarithmic

Names = str | Measure | Mapping[str, Sequence[float]] | Iterable[str | Measure]


@dataclass(frozen=True)
class Weights:
    """A measure as weights of ranks.

    Attributes:
        name: how it is written.
        cutoff: ranks below it weigh nothing; None has no such end.
        of: the weight from a rank, a float from 1 on.
    """

    name: str
    cutoff: int | None
    of: Callable[[Expr], Expr]

    def at(self, rank: Expr) -> Expr:
        """The weight of a result at this rank."""
        weight = self.of(rank)
        return weight if self.cutoff is None else when(rank <= self.cutoff).then(weight).otherwise(0.0)


def _dcg(values: Mapping[str, Any]) -> Callable[[Expr], Expr]:
    base = float(values["base"])
    if values["dcg"].endswith("log2"):
        return logarithmic
    return lambda rank: when(rank >= base).then(1.0 / rank.log(base)).otherwise(1.0)


def _rbp(values: Mapping[str, Any]) -> Callable[[Expr], Expr]:
    p = float(values["p"])
    return lambda rank: (1.0 - p) * ((rank - 1.0) * math.log(p)).exp()


def _precision(values: Mapping[str, Any]) -> Callable[[Expr], Expr]:
    cutoff = values["cutoff"]
    return lambda rank: when(rank <= cutoff).then(1.0 / cutoff).otherwise(0.0)


# λ of each measure, from the values of its parameters.
_KNOWN: dict[str, Callable[[Mapping[str, Any]], Callable[[Expr], Expr]]] = {
    "DCG": _dcg,
    "RBP": _rbp,
    "P": _precision,
    "RR": lambda _: lambda rank: 1.0 / rank,
    "CG": lambda _: lambda rank: when(rank > 0).then(1.0).otherwise(0.0),
}
# The parameters that say what a weight is; all others speak of grades, which clicks have not.
_READ = {"cutoff", "dcg", "base", "p"}


def weights_of(measures: Names) -> list[Weights]:
    """The measures as weights of ranks.

    Args:
        measures: names as of the ranking measures ("DCG@10 P@5 RR"), or weights of one's own from rank 1 on, by name:
            `{"mine": [1, 0.5, 0.25]}`.

    Raises:
        NotDefined: the measure is no sum over results.
        InvalidParameter: weights are no numbers, or the measure has a parameter that clicks give no meaning.
    """
    if isinstance(measures, Mapping):
        if not measures:
            raise InvalidParameter("No measure was asked for.", 'Write, for example, "DCG@10".')
        return [_own(name, weights) for name, weights in measures.items()]
    return [_named(m) for m in catalog.parse_all(measures, "ranking")]


def _named(measure: Measure) -> Weights:
    name, parameters = measure.definition.name, dict(measure.values)
    if name not in _KNOWN or measure.aggregation != "mean":
        raise NotDefined(
            f"{measure} is no mean of sums of weights by rank, so clicks of another ranking do not tell it.",
            f"Ask for one of {listed(_KNOWN)}, or for weights of your own: {{'mine': [1, 0.5, 0.25]}}.",
        )
    if unknown := [p for p in parameters if p not in _READ]:
        raise InvalidParameter(
            f"{measure} has the parameter {unknown[0]!r}; a click counts as relevance 1.",
            f"Leave it out: {name}" + (f"@{parameters['cutoff']}" if "cutoff" in parameters else "") + ".",
        )
    values = measure.arguments()
    return Weights(str(measure), values.get("cutoff"), _KNOWN[name](values))


def _own(name: object, weights: object) -> Weights:
    values = [*weights] if isinstance(weights, Sequence) and not isinstance(weights, str) else []
    numbers = [float(w) for w in values if isinstance(w, (int, float)) and math.isfinite(w)]
    if not isinstance(name, str) or not name or not numbers or len(numbers) < len(values):
        raise InvalidParameter(
            f"The weights of {name!r} are {weights!r}; they are finite numbers, from rank 1 on.",
            "Write {'mine': [1, 0.5, 0.25]}.",
        )

    def of(rank: Expr) -> Expr:
        out: Any = when(rank == 1.0).then(numbers[0])
        value = out.otherwise(0.0)
        for place, number in enumerate(numbers[1:], 2):
            value = when(rank == float(place)).then(number).otherwise(value)
        made: Expr = value
        return made

    return Weights(name, len(numbers), of)
