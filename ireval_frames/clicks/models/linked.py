"""What can be compared: pairs and places that clicks link, in models that only know products (PBM, UBM).

α_u γ_k stays what it is when all α of a component are multiplied and all its γ divided by a number, so that values of
two components have no common scale.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ireval_frames.clicks.models.examination import Examined


def components(data: Examined) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The component of each pair and of each place, by the smallest number of a pair in it; −1 for what is not there.

    A count joins a pair and a place.  Labels go round until no pair and place that are joined differ.
    """
    size = int(np.prod(data.shape))
    none = np.iinfo(np.int64).max
    pairs, places = np.full(data.n_pairs, none), np.full(size, none)
    pairs[data.pair] = data.pair
    while True:
        np.minimum.at(places, data.place, pairs[data.pair])
        before = pairs.copy()
        np.minimum.at(pairs, data.pair, places[data.place])
        # What a label points to may have a smaller one already.
        there = pairs < none
        pairs[there] = np.minimum(pairs[there], pairs[pairs[there]])
        if np.array_equal(before, pairs):
            break
    return np.where(pairs == none, -1, pairs), np.where(places == none, -1, places)


def unlinked(data: Examined, group_of_pair: NDArray[np.int64]) -> dict[str, NDArray[np.bool_]]:
    """By parameter, what is not in the largest component of its group (by impressions)."""
    of_pairs, of_places = components(data)
    weight = np.bincount(of_pairs[data.pair], data.n, data.n_pairs)
    largest: dict[int, int] = {}
    for label in np.unique(of_pairs[of_pairs >= 0]).tolist():
        group = int(group_of_pair[label])
        if group not in largest or weight[label] > weight[largest[group]]:
            largest[group] = label
    kept = np.array(sorted(largest.values()), dtype=np.int64)
    return {
        "attraction": (of_pairs >= 0) & ~np.isin(of_pairs, kept),
        "examination": ((of_places >= 0) & ~np.isin(of_places, kept)).reshape(data.shape),
    }
