"""Bradley and Terry's strengths of many replicates of the same comparisons at once."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ireval_frames.crowds.answers import Array, Whole
from ireval_frames.crowds.newton import MAX_STEP, TOLERANCE
from ireval_frames.crowds.strengths import Compared, bradley_terry, links_of

# Newton's steps from the strengths of all comparisons; what has not converged is fitted alone.
STEPS = 12


def replicated(a: Whole, b: Whole, won: Array, lost: Array, k: int, start: Array, component: Whole) -> Array:
    """The strengths of each replicate, replicates × items; NaN where a component has none.

    Args:
        a: the first item of each pair.
        b: the second.
        won: replicates × pairs, how often the first won; ties are half of each.
        lost: how often the second won.
        k: the number of items.
        start: the strengths of all comparisons; those of a component add to 0.
        component: of each item among all comparisons.
    """
    from scipy.special import expit

    size, pairs = len(won), np.arange(len(a))
    # Which items have a strength depends on who won at all, which is the same in most replicates.
    patterns = np.packbits(np.concatenate([won > 0, lost > 0], axis=1), axis=1)
    _, first, at = np.unique(patterns, axis=0, return_index=True, return_inverse=True)
    defined = np.stack([_defined(a, b, won[i], lost[i], k, component) for i in first])[at.ravel()]
    defined &= ~np.isnan(start)
    free = defined.copy()
    free[:, np.unique(component, return_index=True)[1]] = False
    inside = defined[:, a] & defined[:, b]
    won, lost = np.where(inside, won, 0.0), np.where(inside, lost, 0.0)
    sides = np.zeros((len(a), k))
    sides[pairs, a], sides[pairs, b] = 1.0, -1.0
    means = (component[:, None] == component) / np.bincount(component)[component]
    theta = np.where(defined, np.nan_to_num(start), 0.0)
    diagonal, largest = np.arange(k), np.full(size, np.inf)
    for _ in range(STEPS):
        p = expit(theta[:, a] - theta[:, b])
        gradient = (won - (won + lost) * p) @ sides * free
        weight = (won + lost) * p * (1 - p)
        information = np.zeros((size, k, k))
        information[:, a, b] = information[:, b, a] = -weight
        information[:, diagonal, diagonal] = -information.sum(axis=2)
        information *= free[:, :, None] & free[:, None, :]
        information[:, diagonal, diagonal] += ~free
        try:
            step = np.linalg.solve(information, gradient[:, :, None])[:, :, 0]
        except np.linalg.LinAlgError:
            break
        largest = np.abs(step).max(axis=1, initial=0.0)
        step *= np.minimum(1.0, MAX_STEP / np.maximum(MAX_STEP, largest))[:, None]
        theta += step
        theta = np.where(defined, theta - theta @ means, theta)
        if (largest < TOLERANCE).all():
            break
    for i in np.flatnonzero(~(largest < TOLERANCE)):
        there = won[i] + lost[i] > 0
        alone = Compared(a[there], b[there], won[i][there], lost[i][there], np.zeros(int(there.sum())), k)
        theta[i] = bradley_terry(alone).value
    return np.where(defined, theta, np.nan)


def _defined(a: Whole, b: Whole, won: Array, lost: Array, k: int, component: Whole) -> NDArray[np.bool_]:
    """Whether each item has a strength in a replicate: its component is linked by wins both ways, as a whole."""
    there = won + lost > 0
    strong = links_of(Compared(a[there], b[there], won[there], lost[there], np.zeros(int(there.sum())), k))[1]
    same = strong == strong[np.unique(component, return_index=True)[1]][component]
    whole = np.bincount(component, weights=~same) == 0
    return np.asarray(whole[component], dtype=np.bool_)
