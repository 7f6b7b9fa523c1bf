"""The options of a reproduction."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ireval_frames.comparison.options import MISSING
from ireval_frames.errors import Argument, Hint, InvalidParameter
from ireval_frames.parameters import CONFIDENCE, BaseOptions, Parameter, choice, number, option

PAIRED, UNPAIRED = "paired", "unpaired"
# The documents over which two lists are correlated.
ITEMS = {
    "union": "rank correlations are over the documents of either list; those missing in a list are tied after its last",
    "common": "rank correlations are over the documents that both lists have",
}
MARGIN = number(0.01, "the largest difference that counts as equivalent", 0.0, open_ends=True)


def _margins(value: Any) -> float | dict[str, float] | None:
    """One number for all measures, or one for each."""
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
        raise ValueError("a mapping from the original's systems to the replica's, with different values")
    return value


@dataclass(frozen=True)
class ReproductionOptions(BaseOptions):
    """How a replica is compared with its original.

    Attributes:
        baseline: the original's system whose differences to the others are the effects; None is every pair.
        systems: the original's systems → the replica's; None is those with equal names.
        design: "paired" on the same units, "unpaired" on different ones; None depends on the units.
        margin: the largest difference that counts as equivalent: a number, or one per measure.
        confidence: of intervals.
        missing: how units count that only some systems have.
    """

    baseline: Any = option(Parameter(None, "the system to which effects are differences", lambda name: name))
    systems: Mapping[Any, Any] | None = option(
        Parameter(
            None,
            "the replica's names of the original's systems",
            _systems,
            kind=None,
            example={"bm25": "mine"},
        )
    )
    design: str | None = option(
        choice(None, PAIRED, UNPAIRED, what="whether units of one name are the same (paired) or not (unpaired)")
    )
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
