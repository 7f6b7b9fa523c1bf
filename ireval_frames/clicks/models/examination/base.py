"""What PBM and UBM have in common: clicks are products of attraction and examination, and only these are known."""

from __future__ import annotations

from abc import abstractmethod
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from ireval_frames.clicks.models.counts.blocks import summed
from ireval_frames.clicks.models.declared import Array, Data, Mask
from ireval_frames.clicks.models.estimation.iteration import Iterated, Step
from ireval_frames.clicks.models.examination.expectation_maximisation import Examined, stepped


class Products(Iterated[Data]):
    """A model in which a click needs attraction and examination, each on its own."""

    apart: ClassVar[bool] = True

    @abstractmethod
    def examined(self, data: Data) -> Examined:
        """The counts, and where their examination stands."""

    def stepped(self, data: Data) -> tuple[Step, dict[str, tuple[int, ...]]]:
        """The E-step over counts by pair and place."""
        return stepped(self.examined(data))

    def disconnected(self, data: Data) -> dict[str, Mask]:
        """What no document links to most others."""
        return disconnected(self.examined(data))

    def scale(self, data: Data) -> dict[str, Mask]:
        """The examination of a place of each component."""
        return scale(self.examined(data))


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


def _largest(of: NDArray[np.int64], weight: Array, within: NDArray[np.int64]) -> NDArray[np.int64]:
    """For each number of `within` the place of the largest weight there; places whose `of` is below 0 are left out."""
    there = np.flatnonzero(of >= 0)
    order = there[np.lexsort((there, -weight[there], within[there]))]
    first = np.r_[True, within[order][1:] != within[order][:-1]] if len(order) else np.empty(0, dtype=np.bool_)
    return order[first]


def disconnected(data: Examined) -> dict[str, Mask]:
    """By parameter, what is not in the largest component of its group (by impressions)."""
    of_pairs, of_places = components(data)
    weight = summed(of_pairs[data.pair], data.n, data.n_pairs)
    labels = np.unique(of_pairs[of_pairs >= 0])
    kept = labels[_largest(labels, weight[labels], data.group[labels])]
    return {
        "attraction": (of_pairs >= 0) & ~np.isin(of_pairs, kept),
        "examination": ((of_places >= 0) & ~np.isin(of_places, kept)).reshape(data.shape),
    }


def scale(data: Examined) -> dict[str, Mask]:
    """The examination of one place of each component, that of the most impressions: others are known relative to it."""
    _, of_places = components(data)
    held = np.zeros(len(of_places), dtype=np.bool_)
    held[_largest(of_places, summed(data.place, data.n, len(of_places)), of_places)] = True
    return {"examination": held.reshape(data.shape)}
