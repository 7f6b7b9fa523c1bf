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
