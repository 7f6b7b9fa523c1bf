"""Similarity of two rankings, as plain loops.

A ranking is a mapping from items to values, larger ones first. Items of equal
value are tied. Every function takes two rankings and returns None where the
measure is undefined.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Mapping
from typing import Any

Ranking = Mapping[Any, float]


def groups(ranking: Ranking) -> list[list[Any]]:
    """The items in order, tied ones together."""
    ordered = sorted(ranking, key=lambda item: -ranking[item])
    return [list(tied) for _, tied in itertools.groupby(ordered, key=lambda item: ranking[item])]


def shared(one: Ranking, other: Ranking, cutoff: int | None) -> list[Any]:
    """The items that both have, those with fewer than `cutoff` items before them in either."""

    def before(ranking: Ranking, item: Any) -> int:
        return sum(value > ranking[item] for value in ranking.values())

    both = [item for item in one if item in other]
    return [item for item in both if cutoff is None or (before(one, item) < cutoff and before(other, item) < cutoff)]


def sign(ranking: Ranking, a: Any, b: Any) -> int:
    """1 if a stands before b, −1 if after it, 0 if they are tied."""
    return (ranking[a] > ranking[b]) - (ranking[a] < ranking[b])


def tau(one: Ranking, other: Ranking, *, variant: str = "b", cutoff: int | None = None) -> float | None:
    pairs = list(itertools.combinations(shared(one, other, cutoff), 2))
    total = sum(sign(one, a, b) * sign(other, a, b) for a, b in pairs)
    if variant == "a":
        return total / len(pairs) if pairs else None
    untied = sum(sign(one, a, b) != 0 for a, b in pairs), sum(sign(other, a, b) != 0 for a, b in pairs)
    return total / math.sqrt(untied[0]) / math.sqrt(untied[1]) if all(untied) else None


def midranks(ranking: Ranking, items: list[Any]) -> dict[Any, float]:
    """Each item's rank among the items; tied ones have the mean of theirs."""
    out = {}
    for item in items:
        before = sum(ranking[i] > ranking[item] for i in items)
        tied = sum(ranking[i] == ranking[item] for i in items)
        out[item] = sum(range(before + 1, before + tied + 1)) / tied
    return out


def spearman(one: Ranking, other: Ranking, *, ties: str = "midranks", cutoff: int | None = None) -> float | None:
    items = shared(one, other, cutoff)
    n = len(items)
    if n < 2:
        return None
    x, y = midranks(one, items), midranks(other, items)
    if ties == "distances":
        return 1 - 6 * sum((x[i] - y[i]) ** 2 for i in items) / (n * (n * n - 1))
    mean = (n + 1) / 2
    spread = sum((x[i] - mean) ** 2 for i in items) * sum((y[i] - mean) ** 2 for i in items)
    return sum((x[i] - mean) * (y[i] - mean) for i in items) / math.sqrt(spread) if spread else None


def tau_ap(one: Ranking, other: Ranking, *, variant: str = "a", cutoff: int | None = None) -> float | None:
    """Variant a: the expected value when all ties of both are broken at random.

    `one` is measured, `other` the truth.
    """
    items = shared(one, other, cutoff)
    if len(items) < 2:
        return None
    if variant == "b":
        ways = [_tau_ap_of_groups(one, other, items), _tau_ap_of_groups(other, one, items)]
        return None if None in ways else sum(way for way in ways if way is not None) / 2
    total = 0.0
    for item in items:
        better = [i for i in items if sign(one, i, item) == 1]
        tied = [i for i in items if i != item and sign(one, i, item) == 0]
        right = {i: (1 + sign(other, i, item)) / 2 for i in items if i != item}
        # The item may come to stand before none of those tied with it, or one, or two …
        for passed in range(len(tied) + 1):
            above = len(better) + passed
            if above:
                expected = sum(right[i] for i in better) + (
                    passed / len(tied) * sum(right[i] for i in tied) if tied else 0.0
                )
                total += expected / above / (len(tied) + 1)
    return 2 * total / (len(items) - 1) - 1


def _tau_ap_of_groups(one: Ranking, other: Ranking, items: list[Any]) -> float | None:
    shares = []
    for item in items:
        above = [i for i in items if sign(one, i, item) == 1]
        if above:
            shares.append(sum(sign(other, i, item) == 1 for i in above) / len(above))
    return 2 * sum(shares) / len(shares) - 1 if shares else None


WEIGHERS: dict[str, Callable[[int], float]] = {
    "hyperbolic": lambda r: 1 / (r + 1),
    "quadratic": lambda r: 1 / (r + 1) ** 2,
    "logarithmic": lambda r: 1 / math.log2(r + 2),
}


def weighted_tau(
    one: Ranking,
    other: Ranking,
    *,
    rank: str = "mean",
    weigher: str = "hyperbolic",
    additive: bool = True,
    cutoff: int | None = None,
) -> float | None:
    items = shared(one, other, cutoff)
    ways = {"mean": [(one, other), (other, one)], "measured": [(one, other)], "reference": [(other, one)]}[rank]
    values = []
    for first, second in ways:
        ordered = sorted(items, key=lambda item: (-first[item], -second[item]))
        weight = {item: WEIGHERS[weigher](r) for r, item in enumerate(ordered)}
        total, untied = 0.0, [0.0, 0.0]
        for a, b in itertools.combinations(items, 2):
            w = weight[a] + weight[b] if additive else weight[a] * weight[b]
            x, y = sign(one, a, b), sign(other, a, b)
            total += w * x * y
            untied[0] += w * abs(x)
            untied[1] += w * abs(y)
        if not all(untied):
            return None
        values.append(total / math.sqrt(untied[0]) / math.sqrt(untied[1]))
    return sum(values) / len(values)


def counted(ranking: Ranking, depth: int, ties: str) -> dict[Any, float]:
    """How much of each item is within the depth."""
    out, place = {}, 0
    for tied in groups(ranking):
        for item in tied:
            if ties == "w":
                out[item] = 1.0 if place < depth else 0.0
            else:
                out[item] = min(1.0, max(0.0, (depth - place) / len(tied)))
        place += len(tied)
    return out


def agreement(short: dict[Any, float], long: dict[Any, float], depth: int, ties: str, more: float = 0.0) -> float:
    """The agreement at a depth; beyond its end the short list is taken to have as many items as the depth."""
    common = sum(part * long.get(item, 0.0) for item, part in short.items()) + more
    if ties == "a":
        return common / depth
    if ties == "w":
        return 2 * common / (max(depth, sum(short.values())) + sum(long.values()))
    return common / math.sqrt(with_itself(short, depth) * with_itself(long, depth))


def with_itself(parts: dict[Any, float], depth: int) -> float:
    return depth if depth > len(parts) else sum(part * part for part in parts.values())


def overlap(one: Ranking, other: Ranking, *, ties: str = "a", cutoff: int | None = None) -> float | None:
    depths = range(1, 1 + min(max(len(one), len(other)), cutoff or math.inf))
    return overlaps(one, other, depths, ties)[-1]


def average_overlap(one: Ranking, other: Ranking, *, ties: str = "a", cutoff: int | None = None) -> float | None:
    depths = range(1, 1 + min(max(len(one), len(other)), cutoff or math.inf))
    return sum(overlaps(one, other, depths, ties)) / len(depths)


def overlaps(one: Ranking, other: Ranking, depths: range, ties: str) -> list[float]:
    short, long = sorted((one, other), key=len)
    return [agreement(counted(short, d, ties), counted(long, d, ties), d, ties) for d in depths]


def rbo(
    one: Ranking,
    other: Ranking,
    *,
    p: float = 0.9,
    estimate: str = "extrapolated",
    ties: str = "a",
    cutoff: int | None = None,
) -> float | None:
    """The sum over depths, far enough down that what is left does not count."""
    short, long = sorted((one, other), key=len)
    s, l = (min(len(r), cutoff or len(r)) for r in (short, long))  # noqa: E741 - as in the paper
    if estimate == "residual":
        ends = [rbo(one, other, p=p, estimate=e, ties=ties, cutoff=cutoff) for e in ("maximum", "minimum")]
        return ends[0] - ends[1]
    if estimate in ("truncated", "normalized"):
        seen = overlaps(one, other, range(1, s + 1), ties)
        return sum(a * p ** (d - 1) for d, a in enumerate(seen, 1)) / (
            1 / (1 - p) if estimate == "truncated" else sum(p**d for d in range(s))
        )
    total, last = 0.0, 0.0
    at_short = overlaps(one, other, range(s, s + 1), ties)[0]
    end = overlaps(one, other, range(l, l + 1), ties)[0] * l
    for d in range(1, l + 1 + int(50 / (1 - p))):
        if d <= l:
            parts = counted(short, d, ties), counted(long, d, ties)
            more = _more(short, parts[1], d - s, at_short, estimate) if d > s else 0.0
            last = agreement(*parts, d, ties, more)
        elif estimate == "minimum":
            last = end / d
        elif estimate == "maximum":
            last = min(1.0, (2 * d - s - l + end) / d)
        total += last * p ** (d - 1)
    return (1 - p) * total


def _more(short: Ranking, long_parts: dict[Any, float], missing: int, at_short: float, estimate: str) -> float:
    """What the missing items of the short list are taken to share with the long one's."""
    alone = sorted((part for item, part in long_parts.items() if item not in short and part > 0), reverse=True)
    if estimate == "extrapolated":
        return missing * at_short * sum(alone) / len(alone)
    return sum(alone[:missing]) if estimate == "maximum" else 0.0


def num_common(one: Ranking, other: Ranking) -> float:
    return float(len(shared(one, other, None)))


ORACLES: dict[str, Callable[..., float | None]] = {
    "Tau": tau,
    "Spearman": spearman,
    "TauAP": tau_ap,
    "WeightedTau": weighted_tau,
    "Overlap": overlap,
    "AO": average_overlap,
    "RBO": rbo,
    "NumCommon": num_common,
}
