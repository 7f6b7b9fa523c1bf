"""Measures of soft labels as plain loops: an item has shares of classes, predicted ones, and a weight."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from tests.oracles.hierarchy import path

Shares = Mapping[str, float]
Item = tuple[Shares, Shares, float]
Parents = dict[Any, Any]


def with_ancestors(shares: Shares, parents: Parents) -> dict[str, float]:
    """The largest share at or below every class."""
    out: dict[str, float] = {}
    for name, share in shares.items():
        for node in path(name, parents):
            out[node] = max(out.get(node, 0.0), share)
    return out


def information(items: Sequence[Item], parents: Parents, *, bounded: bool) -> Callable[[str, float], float]:
    """The information of a class with a share."""
    total = math.fsum(w for *_, w in items)
    one_item = min([1.0, *(w for *_, w in items if w)]) / total
    spread_out = [(with_ancestors(labels, parents), w) for labels, _, w in items]

    def of(name: str, share: float) -> float:
        if share == 0:
            return 0.0
        mean = math.fsum(w * shares.get(name, 0.0) for shares, w in spread_out) / total
        deviation = math.fsum(w * abs(shares.get(name, 0.0) - mean) for shares, w in spread_out) / total
        if deviation > 0:
            tail = math.erfc((share - mean) / deviation / math.sqrt(2)) / 2
        else:
            tail = 0.0 if share > mean else 1.0
        if bounded:
            tail = max(tail, one_item)
        elif tail < 2**-54:
            tail = one_item
        return -math.log2(tail)

    return of


def of_set(pairs: Sequence[tuple[str, float]], of: Callable[[str, float], float], parents: Parents) -> float:
    """The first class and the others, less what the first shares with the others: their deepest common ancestors."""
    if not pairs:
        return 0.0
    (name, share), rest = pairs[0], pairs[1:]
    common: dict[str, float] = {}
    for other, its_share in rest:
        above = path(other, parents)
        both = [node for node in path(name, parents) if node in above]
        if both:
            common[both[0]] = max(common.get(both[0], 0.0), min(share, its_share))
    return of(name, share) + of_set(rest, of, parents) - of_set(list(common.items()), of, parents)


def union(one: Shares, other: Shares) -> dict[str, float]:
    return {c: max(one.get(c, 0.0), other.get(c, 0.0)) for c in {**one, **other}}


def contrast(items: Sequence[Item], parents: Parents, *, bounded: bool = False) -> tuple[float, float, float]:
    """The sum of the contrasts, that of the information of labels, and the weight of the items."""
    of = information(items, parents, bounded=bounded)
    out = [0.0, 0.0, 0.0]
    for labels, predicted, weight in items:
        one, other, both = (of_set(list(s.items()), of, parents) for s in (labels, predicted, union(labels, predicted)))
        out = [out[0] + weight * (2 * one + 2 * other - 3 * both), out[1] + weight * one, out[2] + weight]
    return out[0], out[1], out[2]


def soft_contrast(items: Sequence[Item], parents: Parents, *, bounded: bool = False) -> float:
    total, _, n = contrast(items, parents, bounded=bounded)
    return total / n


def normalized_soft_contrast(items: Sequence[Item], parents: Parents, *, bounded: bool = False) -> float | None:
    total, best, _ = contrast(items, parents, bounded=bounded)
    return max(0.0, (total + best) / (2 * best)) if best > 0 else None


def soft_cross_entropy(items: Sequence[Item], _: Parents, *, eps: float = 0.001) -> float:
    total = 0.0
    for labels, predicted, weight in items:
        y, p = ({c: share or eps for c, share in shares.items()} for shares in (labels, predicted))
        total -= weight * math.fsum(y[c] / sum(y.values()) * math.log2(p[c] / sum(p.values())) for c in y)
    return total / math.fsum(w for *_, w in items)


def soft_absolute_error(items: Sequence[Item], _: Parents) -> float:
    classes = {c for labels, predicted, _ in items for c in (*labels, *predicted)}
    apart = math.fsum(w * abs(labels[c] - predicted[c]) for labels, predicted, w in items for c in classes)
    return apart / (len(classes) * math.fsum(w for *_, w in items))


ORACLES: dict[str, Callable[..., float | None]] = {
    "ICMSoft": soft_contrast,
    "ICMSoftNorm": normalized_soft_contrast,
    "SoftCrossEntropy": soft_cross_entropy,
    "SoftMAE": soft_absolute_error,
}
