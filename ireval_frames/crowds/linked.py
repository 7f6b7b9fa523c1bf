"""Which things are linked, one way or another."""

from __future__ import annotations

import numpy as np

from ireval_frames.crowds.answers import Whole


def linked(one: Whole, other: Whole, n: int, *, both_ways: bool = False) -> Whole:
    """Of each of n things, which set of those that links join.

    Args:
        one: where each link begins.
        other: where it ends.
        n: how many things there are.
        both_ways: things are joined only where links lead from each to the other.
    """
    from scipy.sparse import csr_matrix
    from scipy.sparse.csgraph import connected_components

    links = csr_matrix((np.ones(len(one), np.int8), (one, other)), shape=(n, n))
    found = connected_components(links, directed=both_ways, connection="strong" if both_ways else "weak")
    return np.asarray(found[1], dtype=np.int64)


def rising(upper: Whole, lower: Whole, one: Whole, other: Whole, n: int) -> bool:
    """Whether heights of n things exist with each upper one at least 1 above its lower one, and others at most 1 apart.

    There are none where a circle of links leads down more often than up (Bellman and Ford's method finds one).

    Args:
        upper: of each link down, where it begins.
        lower: where it ends.
        one: of each link to what is near, where it begins.
        other: where it ends; every such link stands there both ways.
        n: how many things there are.
    """
    # Links down alone that lead back are such a circle, and nearly always there is one.
    down = linked(upper, lower, n, both_ways=True)
    if (down[upper] == down[lower]).any():
        return False
    begin, end = np.concatenate([upper, one]), np.concatenate([lower, other])
    added = np.concatenate([np.full(len(upper), -1), np.full(len(one), 1)])
    height = np.zeros(n, dtype=np.int64)
    for _ in range(n + 1):
        before = height.copy()
        np.minimum.at(height, end, before[begin] + added)
        if np.array_equal(before, height):
            return True
        if height.min() <= -n:
            return False
    return False
