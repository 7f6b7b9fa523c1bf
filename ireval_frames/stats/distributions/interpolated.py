"""A smooth tail probability, computed once at some points and known between them.

Between two ends the logarithm is a sum of Chebyshev polynomials, so that small probabilities keep their digits as well.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ireval_frames.stats.sample import Array

# Points between two ends: about 1e-10 of the probability where ends are as near as here.
POINTS = 16
# Beyond, log P falls like −w² / 4 and needs few points.
BEND = 8.0
NEAR, APART = 0.5, 2.0


def tabulated(tail: Callable[[Array], Array], low: float, high: float) -> Callable[[Array], Array]:
    """The tail by interpolation: below `low` it is that at `low`, above `high` it is 0.

    Args:
        tail: of values, any one-dimensional array; above 0 up to `high`.
        low: from where it falls; at most 0.
        high: from where it is no number above 0 any more.

    Example:
        >>> known = tabulated(lambda w: np.exp(-w * w / 4.0), 0.0, 50.0)
        >>> known(np.array([1.0, 20.0])) / np.exp([-0.25, -100.0])
        array([1., 1.])
    """
    ends = np.concatenate([np.arange(low, BEND, NEAR), np.arange(BEND, high, APART), [high]])
    widths = np.diff(ends)
    order = np.arange(POINTS)
    angle = np.pi * (order + 0.5) / POINTS
    points = ends[:-1, None] + widths[:, None] * (np.cos(angle) + 1.0) / 2.0
    log = np.log(tail(points.ravel())).reshape(points.shape)
    weights = log @ np.cos(np.outer(angle, order)) * (2.0 / POINTS)
    weights[:, 0] /= 2.0

    def looked_up(w: Array) -> Array:
        at = np.clip(w, low, high)
        part = np.clip(np.searchsorted(ends, at, side="right") - 1, 0, len(widths) - 1)
        angle = np.arccos(np.clip(2.0 * (at - ends[part]) / widths[part] - 1.0, -1.0, 1.0))
        values = np.einsum("ij,ij->i", weights[part], np.cos(angle[:, None] * order))
        return np.where(w > high, 0.0, np.exp(values))

    return looked_up
