"""Extended BCubed, of items in several clusters and classes."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any


def extended(
    items: Sequence[tuple[frozenset[Any], frozenset[Any]]], side: int, missing: str = "singleton"
) -> float | None:
    """Extended BCubed of items with (classes, clusters): precision (side 1) or recall (side 0), pair by pair."""
    items_used = [i for i in items if i[0] and not (missing == "skip" and not i[1])]
    own = [(c, x or frozenset({("alone", n)})) for n, (c, x) in enumerate(items_used)]
    values = []
    for (classes, clusters), (_, weight) in zip(own, items_used, strict=True):
        if missing == "replab" and not weight:
            values.append(Fraction(side))
            continue
        shares = []
        for (other_classes, other_clusters), (_, other_weight) in zip(own, items_used, strict=True):
            shared = (
                len(classes & other_classes),
                len(clusters & other_clusters) if not (missing == "replab" and not other_weight) else 0,
            )
            if shared[side]:
                shares.append(Fraction(min(shared), shared[side]))
        values.append(sum(shares, Fraction(0)) / len(shares) if shares else Fraction(0))
    return float(sum(values, Fraction(0)) / len(values)) if values else None
