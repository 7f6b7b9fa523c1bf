"""Connected components, and whether heights with given differences exist."""

from __future__ import annotations

import numpy as np

from ireval_frames.crowds.answers import Whole


def components(source: Whole, target: Whole, n: int, *, strong: bool = False) -> Whole:
    """The connected component of each of n nodes.

    Args:
        source: where each edge begins.
        target: where it ends.
        n: the number of nodes.
        strong: nodes are connected only where edges lead both ways.
    """
    from scipy.sparse import csr_matrix
    from scipy.sparse.csgraph import connected_components

    edges = csr_matrix((np.ones(len(source), np.int8), (source, target)), shape=(n, n))
    _, labels = connected_components(edges, directed=strong, connection="strong" if strong else "weak")
    return np.asarray(labels, dtype=np.int64)


def heights_exist(upper: Whole, lower: Whole, near: Whole, near_to: Whole, n: int) -> bool:
    """Whether n nodes can have heights: upper ones at least 1 above their lower ones, near ones at most 1 apart.

    They cannot where a cycle leads down more often than up, which the Bellman-Ford algorithm finds.

    Args:
        upper: where each edge down begins.
        lower: where it ends.
        near: where each edge between near nodes begins.
        near_to: where it ends; each such edge is listed in both directions.
        n: the number of nodes.
    """
    # A cycle of edges down is the common case.
    down = components(upper, lower, n, strong=True)
    if (down[upper] == down[lower]).any():
        return False
    source, target = np.concatenate([upper, near]), np.concatenate([lower, near_to])
    change = np.concatenate([np.full(len(upper), -1), np.full(len(near), 1)])
    height = np.zeros(n, dtype=np.int64)
    for _ in range(n + 1):
        before = height.copy()
        np.minimum.at(height, target, before[source] + change)
        if np.array_equal(before, height):
            return True
        if height.min() <= -n:
            return False
    return False
