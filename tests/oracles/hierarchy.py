"""The information contrast model by its recursive definition.

A class and a set share what their deepest common ancestors hold.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

Pair = tuple[Sequence[Any], Sequence[Any], float]


def path(name: Any, parents: dict[Any, Any]) -> list[Any]:
    """The class and all above it, from itself to the root."""
    out = []
    while name is not None:
        out.append(name)
        name = parents.get(name)
    return out


def information(items: Sequence[Pair], parents: dict[Any, Any]) -> dict[Any, float]:
    total = sum(weight for *_, weight in items)
    one = min([1.0, *(weight for *_, weight in items if weight)])
    out = {}
    for name in {*parents, *parents.values()}:
        here = sum(weight for gold, _, weight in items if any(name in path(c, parents) for c in gold))
        out[name] = -math.log2(here / total if here else one / total)
    return out


def of_set(classes: Sequence[Any], content: dict[Any, float], parents: dict[Any, Any]) -> float:
    if not classes:
        return 0.0
    first, rest = classes[0], list(classes[1:])
    if not rest:
        return content[first]
    deepest = (next((node for node in path(first, parents) if node in path(other, parents)), None) for other in rest)
    common = {node for node in deepest if node is not None}
    if first in common:
        return of_set(rest, content, parents)
    return content[first] + of_set(rest, content, parents) - of_set(sorted(common), content, parents)


def information_contrast(items: Sequence[Pair], parents: dict[Any, Any]) -> tuple[float, float]:
    """The mean contrast, and its normalized value."""
    content = information(items, parents)
    total, contrast, best = 0.0, 0.0, 0.0
    for gold, predicted, weight in items:
        of_gold, of_predicted, both = (
            of_set(sorted(set(s)), content, parents) for s in (gold, predicted, [*gold, *predicted])
        )
        contrast += weight * (2 * of_gold + 2 * of_predicted - 3 * both)
        best += weight * of_gold
        total += weight
    return contrast / total, max(0.0, (contrast + best) / (2 * best)) if best else math.nan
