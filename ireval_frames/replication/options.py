"""The options of a reproduction."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ireval_frames.comparison.options import MISSING
from ireval_frames.errors import Argument, Hint, InvalidParameter
from ireval_frames.parameters import CONFIDENCE, BaseOptions, Parameter, choice, number, option

PAIRED, UNPAIRED = "paired", "unpaired"
# What rank correlations of two lists are over.
ITEMS = {
    "union": "rank correlations are over the documents of either list; those that a list lacks are tied after its last",
    "common": "rank correlations are over the documents that both lists have",
}
MARGIN = number(0.01, "the largest difference that counts as none", 0.0, open_ends=True)


def _margins(value: Any) -> float | dict[str, float] | None:
    """One for all measures, or one for each."""
    if value is None:
        return None
    try:
        if isinstance(value, Mapping):
            return {name: MARGIN.convert(one) for name, one in value.items()}
        return float(MARGIN.convert(value))
    except ValueError:
        raise ValueError("a number above 0, or a mapping from measures to such") from None


def _systems(value: Any) -> Mapping[Any, Any] | None:
    """The original's systems → the replica's, each once."""
    if value is None:
        return None
    if not isinstance(value, Mapping) or not value or len({str(name) for name in value.values()}) < len(value):
        raise ValueError("a mapping from the original's systems to the replica's, no two systems to one")
    return value


@dataclass(frozen=True)
class ReproductionOptions(BaseOptions):
    """How a replica is held against its original.

    Attributes:
        baseline: the original's system whose differences to the others are the effects; none is every pair.
        systems: the original's systems → the replica's; none is those of one name.
        design: "paired" on the same units, "unpaired" on different ones; none is what the units tell.
        margin: differences up to it count as none: a number, or one per measure.
        confidence: of intervals.
        missing: what becomes of units that only some systems have.
    """

    baseline: Any = option(Parameter(None, "what effects are differences to", lambda name: name))
    systems: Mapping[Any, Any] | None = option(
        Parameter(
            None,
            "the original's systems, and the replica's names of them",
            _systems,
            kind=None,
            example={"bm25": "mine"},
        )
    )
    design: str | None = option(choice(None, PAIRED, UNPAIRED, what="units of one name are the same: paired, unpaired"))
    margin: float | Mapping[str, float] | None = option(
        Parameter(None, MARGIN.what, _margins, kind=float, example=0.01)
    )
    confidence: float = option(CONFIDENCE)
    missing: str | float = option(MISSING)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.confidence <= 0.5:
            raise InvalidParameter(
                f"confidence is {self.confidence!r}; the interval of equivalence needs more than 0.5.",
                Hint("Write ", Argument("confidence", 0.95), "."),
            )

    def margin_of(self, measure: str) -> float | None:
        """The margin of a measure."""
        if isinstance(self.margin, Mapping):
            return self.margin.get(measure)
        return self.margin
