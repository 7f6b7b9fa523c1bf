"""Measures of scores as plain loops over the items.

An item is whether it has the positive class, its score and its weight. Sums are exact:
weights are fractions of integers.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import NamedTuple

# Places and weights of Gauss's rule between −1 and 1.
_HALF = ((0.1834346424956498, 0.3626837833783620), (0.5255324099163290, 0.3137066458778873),
         (0.7966664774136267, 0.2223810344533745), (0.9602898564975363, 0.1012285362903763))  # fmt: skip
GAUSS = [(sign * z, w) for z, w in _HALF for sign in (-1, 1)]
Maybe = Fraction | float | None
# Levels of recall and precision are reached by less than this short of them.
ROUNDING = 1e-12


class Item(NamedTuple):
    """Whether the item has the positive class, its score, its weight."""

    positive: bool
    score: float
    weight: Fraction = Fraction(1)


class Point(NamedTuple):
    """What is true and what is false among the items at or above a score."""

    score: float
    tp: Fraction
    fp: Fraction


Items = Sequence[Item]


def amount(items: Items, *, positive: bool) -> Fraction:
    return sum((i.weight for i in items if i.positive == positive), Fraction(0))


def points(items: Items) -> list[Point]:
    """From nothing taken to everything taken, a point for every distinct score."""
    out = [Point(math.inf, Fraction(0), Fraction(0))]
    for score in sorted({i.score for i in items}, reverse=True):
        here = [i for i in items if i.score == score]
        out.append(Point(score, out[-1].tp + amount(here, positive=True), out[-1].fp + amount(here, positive=False)))
    return out


def both(items: Items) -> tuple[Fraction, Fraction]:
    return amount(items, positive=True), amount(items, positive=False)


def roc(items: Items) -> list[tuple[Fraction, Fraction]]:
    """Fall-out and recall of every point."""
    p, n = both(items)
    return [(q.fp / n, q.tp / p) for q in points(items)]


def roc_auc(items: Items, max_fpr: float | None = None) -> Maybe:
    """By all pairs; in part, by the trapezoids left of a place."""
    p, n = both(items)
    if not p * n:
        return None
    if max_fpr is None:
        won = Fraction(0)
        for a in items:
            if a.positive:
                below = sum((b.weight for b in items if not b.positive and a.score > b.score), Fraction(0))
                equal = sum((b.weight for b in items if not b.positive and a.score == b.score), Fraction(0))
                won += a.weight * (below + equal / 2)
        return won / (p * n)
    limit, area = Fraction(max_fpr), Fraction(0)
    curve = roc(items)
    for (x0, y0), (x1, y1) in itertools.pairwise(curve):
        if x0 >= limit or x0 == x1:
            continue
        end = min(x1, limit)
        at_end = y0 + (y1 - y0) * (end - x0) / (x1 - x0)
        area += (end - x0) * (y0 + at_end) / 2
    least = limit * limit / 2
    return (1 + (area - least) / (limit - least)) / 2


def log_auc(items: Items, low: float = 0.001, high: float = 1.0) -> Maybe:
    """The integral of the curve's lines over 1/x, by Gauss's rule with eight places on small steps."""
    if not math.prod(both(items)):
        return None
    out = []
    for (x0, y0), (x1, y1) in itertools.pairwise(roc(items)):
        left, right = max(float(x0), low), min(float(x1), high)
        if right <= left:
            continue
        slope = float((y1 - y0) / (x1 - x0))

        def over_logarithm(t: float, x0: float = float(x0), y0: float = float(y0), slope: float = slope) -> float:
            return y0 + slope * (math.exp(t) - x0)

        edges = [math.log(left) + i * (math.log(right) - math.log(left)) / 8 for i in range(9)]
        for a, b in itertools.pairwise(edges):
            out += [(b - a) / 2 * w * over_logarithm((a + b) / 2 + (b - a) / 2 * z) for z, w in GAUSS]
    return math.fsum(out) / math.log(high / low)


def hinge(items: Items) -> Maybe:
    total = sum((i.weight for i in items), Fraction(0))
    lacks = [i.weight * max(Fraction(0), 1 - Fraction(i.score) * (1 if i.positive else -1)) for i in items]
    return sum(lacks) / total if total else None


def gini(items: Items) -> Maybe:
    area = roc_auc(items)
    return None if area is None else 2 * area - 1


def kolmogorov_smirnov(items: Items, sided: str = "one") -> Maybe:
    if not math.prod(both(items)):
        return None
    apart = [y - x for x, y in roc(items)]
    return max(map(abs, apart)) if sided == "two" else max(apart)


def equal_error_rate(items: Items) -> Maybe:
    """Where the curve meets the line from the upper left corner to the lower right one."""
    if not math.prod(both(items)):
        return None
    curve = roc(items)
    for (x0, y0), (x1, y1) in itertools.pairwise(curve):
        if x0 + y0 < 1 <= x1 + y1:
            share = (1 - x0 - y0) / (x1 - x0 + y1 - y0)
            return x0 + share * (x1 - x0)
    raise AssertionError(curve)


def true_within(items: Items, depth: Fraction) -> Fraction:
    """The positive items of the first ones; of equal ones at the border each is taken in part."""
    out, left = Fraction(0), depth
    for score in sorted({i.score for i in items}, reverse=True):
        here = [i for i in items if i.score == score]
        size = sum((i.weight for i in here), Fraction(0))
        if size:
            out += amount(here, positive=True) * min(Fraction(1), left / size)
        left = max(Fraction(0), left - size)
    return out


def gain(items: Items, share: float) -> Maybe:
    p, n = both(items)
    return true_within(items, Fraction(share) * (p + n)) / p if p else None


def lift(items: Items, share: float) -> Maybe:
    gained = gain(items, share)
    return None if gained is None else gained / Fraction(share)


def break_even_point(items: Items) -> Maybe:
    p, _ = both(items)
    return true_within(items, p) / p if p else None


def average_precision(items: Items) -> Maybe:
    """The mean over the positive items of the precision at their own scores."""
    p, _ = both(items)
    if not p:
        return None
    at = {q.score: q.tp / (q.tp + q.fp) for q in points(items) if q.tp + q.fp}
    return sum((i.weight * at[i.score] for i in items if i.positive and i.weight), Fraction(0)) / p


def precision_recall(items: Items) -> list[tuple[Fraction | None, Fraction]]:
    """Precision and recall of every point; nothing taken, or nothing that weighs, has no precision."""
    p, _ = both(items)
    return [(q.tp / (q.tp + q.fp) if q.tp + q.fp else None, q.tp / p) for q in points(items)]


def area_of_lines(items: Items, start: str = "one") -> Maybe:
    p, _ = both(items)
    if not p:
        return None
    curve = [(a, r) for a, r in precision_recall(items) if a is not None]
    curve.insert(0, (Fraction(1) if start == "one" else curve[0][0], Fraction(0)))
    return sum(((r1 - r0) * (a0 + a1) / 2 for (a0, r0), (a1, r1) in itertools.pairwise(curve)), Fraction(0))


def highest(curve: list[tuple[Fraction | None, Fraction]], recall: float) -> Fraction:
    return max(a for a, r in curve if a is not None and r >= recall - ROUNDING)


def precision_at_recall(items: Items, recall: float) -> Maybe:
    p, _ = both(items)
    return highest(precision_recall(items), recall) if p else None


def recall_at_precision(items: Items, precision: float) -> Maybe:
    p, _ = both(items)
    return (
        max((r for a, r in precision_recall(items) if a is not None and a >= precision - ROUNDING), default=Fraction(0))
        if p
        else None
    )


def fall_out_at_recall(items: Items, recall: float) -> Maybe:
    return min(x for x, y in roc(items) if y >= recall - ROUNDING) if math.prod(both(items)) else None


def specificity_at_recall(items: Items, recall: float) -> Maybe:
    fall_out = fall_out_at_recall(items, recall)
    return None if fall_out is None else 1 - fall_out


def recall_at_specificity(items: Items, specificity: float) -> Maybe:
    if not math.prod(both(items)):
        return None
    return max((y for x, y in roc(items)[1:] if 1 - x >= specificity - ROUNDING), default=Fraction(0))


def interpolated_average_precision(items: Items, points: int = 11) -> Maybe:
    p, _ = both(items)
    if not p:
        return None
    curve = precision_recall(items)
    return sum(highest(curve, i / (points - 1)) for i in range(points)) / points


ORACLES: dict[str, Callable[..., Maybe]] = {
    "ROCAUC": roc_auc,
    "Gini": gini,
    "KS": kolmogorov_smirnov,
    "EER": equal_error_rate,
    "Gain": gain,
    "Lift": lift,
    "AveragePrecision": average_precision,
    "PRAUC": area_of_lines,
    "InterpolatedAP": interpolated_average_precision,
    "PrecisionAtRecall": precision_at_recall,
    "RecallAtPrecision": recall_at_precision,
    "FallOutAtRecall": fall_out_at_recall,
    "SpecificityAtRecall": specificity_at_recall,
    "RecallAtSpecificity": recall_at_specificity,
    "BEP": break_even_point,
    "LogAUC": log_auc,
    "Hinge": hinge,
}


def value(name: str, items: Items, **parameters: object) -> float | None:
    """A measure of some items."""
    result = ORACLES[name](items, **parameters)
    return None if result is None else float(result)
