"""Which of several points no other one beats in quality and cost, over arrays."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Values = NDArray[np.float64]
Flags = NDArray[np.bool_]
# Pairs of points to compare at once.
BLOCK = 4_000_000


def dominates(quality: Values, cost: Values) -> Flags:
    """Whether the point j beats the point i, in the last two axes: at least as good, at most as dear, one strictly.

    Points without a quality or a cost (NaN) neither beat nor are beaten.
    """
    q, c = quality[..., :, None], cost[..., :, None]
    other_q, other_c = quality[..., None, :], cost[..., None, :]
    out: Flags = (other_q >= q) & (other_c <= c) & ((other_q > q) | (other_c < c))
    return out


def on_front(quality: Values, cost: Values) -> Flags:
    """Whether no other point beats each; false for points without a quality or a cost."""
    known = ~(np.isnan(quality) | np.isnan(cost))
    if quality.ndim == 1:
        return known & ~dominates(quality, cost).any(axis=-1)
    size = max(1, BLOCK // max(1, quality.shape[-1] ** 2))
    parts = [~dominates(quality[i : i + size], cost[i : i + size]).any(axis=-1) for i in range(0, len(quality), size)]
    out: Flags = known & np.concatenate(parts) if parts else known
    return out


def best(quality: Values, cost: Values, budget: float) -> NDArray[np.int64]:
    """In each row the point of highest quality with at most this cost, of equal ones the cheapest; −1 without one."""
    return _first(np.where(cost <= budget, quality, np.nan), -cost)


def cheapest(quality: Values, cost: Values, least: float) -> NDArray[np.int64]:
    """In each row the point of lowest cost with at least this quality, of equal ones the best; −1 without one."""
    return _first(np.where(quality >= least, -cost, np.nan), quality)


def _first(value: Values, then: Values) -> NDArray[np.int64]:
    """The position of the largest value, of equal ones that with the largest `then`; −1 where all are NaN."""
    known = ~np.isnan(value)
    top = np.max(np.where(known, value, -np.inf), axis=-1, keepdims=True)
    ties = known & (value == top)
    at = np.argmax(np.where(ties, np.where(np.isnan(then), -np.inf, then), -np.inf), axis=-1)
    # Where `then` is −∞ for all ties, any of them has it.
    at = np.where(np.take_along_axis(ties, at[..., None], -1)[..., 0], at, np.argmax(ties, axis=-1))
    return np.where(known.any(axis=-1), at, -1)


def hypervolume(points: Sequence[tuple[float, float]], quality: float, cost: float, *, logarithmic: bool) -> float:
    """The area between a worst quality and a highest cost in which some point is at least as good and as cheap.

    Args:
        points: quality and cost of each.
        quality: the worst quality of the area.
        cost: the highest cost of the area.
        logarithmic: whether costs are measured by their decimal logarithms.
    """
    within = [(q, c) for q, c in points if q > quality and c < cost]
    # From the cheapest on, each that is better than all before it adds a rectangle.
    area, reached = 0.0, quality
    ends: list[tuple[float, float]] = []
    for q, c in sorted(within, key=lambda point: (point[1], -point[0])):
        if q > reached:
            ends.append((q, c))
            reached = q

    def length(low: float, high: float) -> float:
        return math.log10(high / low) if logarithmic else high - low

    for (q, c), (_, following) in itertools.pairwise([*ends, (0.0, cost)]):
        area += (q - quality) * length(c, following)
    return area


def efficiency(cost: Values, limit: float, reach: float, decay: str) -> Values:
    """1 for costs up to the limit, and less behind it: by a step, linearly, or exponentially."""
    over = np.where(np.isnan(cost), np.nan, np.maximum(cost - limit, 0.0)) / reach
    if decay == "step":
        return np.where(np.isnan(over), np.nan, np.where(over > 0.0, 0.0, 1.0))
    return np.exp(-over) if decay == "exponential" else np.maximum(1.0 - over, 0.0)


def harmonic(one: Values, other: Values, weight: float) -> Values:
    """The weighted harmonic mean of two arrays; 0 where one is 0, NaN where one is."""
    zero = (one == 0.0) | (other == 0.0)
    safe = [np.where(v == 0.0, 1.0, v) for v in (one, other)]
    return np.where(zero, one * other, 1.0 / (weight / safe[0] + (1.0 - weight) / safe[1]))
