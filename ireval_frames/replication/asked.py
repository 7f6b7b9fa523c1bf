"""What a reproduction is asked, checked."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ireval_frames.comparison.asked import missing_rule, share
from ireval_frames.errors import Argument, Hint, InvalidParameter, UnknownName, nearest

PAIRED, UNPAIRED = "paired", "unpaired"
# What rank correlations of two lists are over.
ITEMS = {
    "union": "rank correlations are over the documents of either list; those that a list lacks are tied after its last",
    "common": "rank correlations are over the documents that both lists have",
}


@dataclass(frozen=True)
class Asked:
    """What a reproduction is asked.

    Attributes:
        baseline: the original's system whose differences to the others are the effects; none is every pair.
        systems: the original's systems → the replica's; none is those of one name.
        design: "paired" on the same units, "unpaired" on different ones; none is what the units tell.
        margin: differences up to it count as none: a number, or one per measure.
        confidence: of intervals.
        missing: what becomes of units that only some systems have.
    """

    baseline: Any
    systems: Mapping[Any, Any] | None
    design: str | None
    margin: float | Mapping[str, float] | None
    confidence: float
    missing: str | float

    def margin_of(self, measure: str) -> float | None:
        """The margin of a measure."""
        if isinstance(self.margin, Mapping):
            return self.margin.get(measure)
        return self.margin


def asked(
    *,
    baseline: Any,
    systems: Mapping[Any, Any] | None,
    design: str | None,
    margin: float | Mapping[str, float] | None,
    confidence: float,
    missing: str | float,
) -> Asked:
    """What is asked.

    Raises:
        UnknownName: there is no such design.
        InvalidParameter: a number is outside what it may be, or the systems are no mapping.
    """
    if design not in (None, PAIRED, UNPAIRED):
        raise UnknownName(f"There is no design {design!r}.", nearest(str(design), (PAIRED, UNPAIRED)))
    if share(confidence, "confidence") <= 0.5:
        raise InvalidParameter(
            f"confidence is {confidence!r}; the interval of equivalence needs more than 0.5.",
            Hint("Write ", Argument("confidence", 0.95), "."),
        )
    if systems is not None and not (isinstance(systems, Mapping) and systems):
        raise InvalidParameter(
            f"systems is {systems!r}; it maps the original's systems to the replica's.",
            'Write systems={"bm25": "my_bm25"}.',
        )
    if systems is not None and len({str(name) for name in systems.values()}) < len(systems):
        raise InvalidParameter(
            f"systems maps two systems to one ({', '.join(map(str, systems.values()))}).",
            "Give each system of the original one of the replica.",
        )
    for one in margin.values() if isinstance(margin, Mapping) else [margin]:
        if one is not None and not _positive(one):
            raise InvalidParameter(
                f"margin is {one!r}; it must be a number above 0: the largest difference that is none.",
                Hint("Write ", Argument("margin", 0.01), "."),
            )
    return Asked(baseline, systems, design, margin, confidence, missing_rule(missing))


def _positive(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value) and value > 0
