"""Models in which a click needs attraction and examination, independent of each other: PBM and UBM."""

from __future__ import annotations

from abc import abstractmethod
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from ireval_frames.clicks.models.counts.blocks import summed
from ireval_frames.clicks.models.counts.cells import Cells
from ireval_frames.clicks.models.counts.pages import Pages, last_clicks
from ireval_frames.clicks.models.declared import PAIR, Array, Data, Draws, Mask, PageBlock, Parameter, declare
from ireval_frames.clicks.models.estimation.iteration import Iterated, Step
from ireval_frames.clicks.models.examination.expectation_maximisation import Examined, e_step
from ireval_frames.clicks.models.rates import array_index


class Products(Iterated[Data]):
    """A model in which a click needs attraction and examination, each on its own."""

    pairs_independent: ClassVar[bool] = True

    @abstractmethod
    def examined(self, data: Data) -> Examined:
        """The counts, and the index of their examination."""

    def e_step(self, data: Data) -> tuple[Step, dict[str, tuple[int, ...]]]:
        """The E-step over counts by pair and place."""
        return e_step(self.examined(data))

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
        previous = pairs.copy()
        np.minimum.at(pairs, data.pair, places[data.place])
        # What a label points to may have a smaller one already.
        labelled = pairs < none
        pairs[labelled] = np.minimum(pairs[labelled], pairs[pairs[labelled]])
        if np.array_equal(previous, pairs):
            break
    return np.where(pairs == none, -1, pairs), np.where(places == none, -1, places)


def _largest(of: NDArray[np.int64], weight: Array, within: NDArray[np.int64]) -> NDArray[np.int64]:
    """For each number of `within` the place of the largest weight there; places whose `of` is below 0 are left out."""
    valid = np.flatnonzero(of >= 0)
    order = valid[np.lexsort((valid, -weight[valid], within[valid]))]
    first = np.r_[True, within[order][1:] != within[order][:-1]] if len(order) else np.empty(0, dtype=np.bool_)
    return order[first]


def disconnected(data: Examined) -> dict[str, Mask]:
    """By parameter, what is not in the largest component of its group (by impressions)."""
    of_pairs, of_places = components(data)
    weight = summed(of_pairs[data.pair], data.n, data.n_pairs)
    labels = np.unique(of_pairs[of_pairs >= 0])
    largest = labels[_largest(labels, weight[labels], data.group[labels])]
    return {
        "attraction": (of_pairs >= 0) & ~np.isin(of_pairs, largest),
        "examination": ((of_places >= 0) & ~np.isin(of_places, largest)).reshape(data.shape),
    }


def scale(data: Examined) -> dict[str, Mask]:
    """The examination of one place of each component, that of the most impressions: others are known relative to it."""
    _, of_places = components(data)
    reference = np.zeros(len(of_places), dtype=np.bool_)
    reference[_largest(of_places, summed(data.place, data.n, len(of_places)), of_places)] = True
    return {"examination": reference.reshape(data.shape)}


@declare
class PBM(Products[Cells]):
    """A document is clicked if it attracts and its position is examined, independently: α_qd γ_r.

    Only products are known: where no document links two groups of positions, their examinations cannot be compared.
    """

    name: ClassVar[str] = "PBM"
    source: ClassVar[str] = "Richardson, Dominowska & Ragno, WWW 2007; Craswell et al., WSDM 2008"
    parameters: ClassVar[tuple[Parameter, ...]] = (
        Parameter("attraction", PAIR, "a click, given examination"),
        Parameter("examination", ("position",), "examination of the position"),
    )
    needs_pages: ClassVar[bool] = False
    counts_by: ClassVar[tuple[str, ...]] = (*PAIR, "position")

    def examined(self, data: Cells) -> Examined:
        """The counts, and the index of their examination."""
        place, shape = array_index(data, ("position",))
        return Examined(data.pair, place, data.n, data.clicks, data.keys.of_pair, shape)

    def rate(self, block: PageBlock) -> Array:
        """α γ."""
        return block.values["attraction"] * block.values["examination"]


@declare
class UBM(Products[Pages]):
    """Whether a position is examined depends on it and on the last click above it: α_qd γ_{r,r'}.

    r' is the position of the last click above r, 0 where there is none.
    """

    name: ClassVar[str] = "UBM"
    source: ClassVar[str] = "Dupret & Piwowarski, SIGIR 2008"
    parameters: ClassVar[tuple[Parameter, ...]] = (
        Parameter("attraction", PAIR, "a click, given examination"),
        Parameter("examination", ("position", "last_click"), "examination of the position after that click"),
    )

    def examined(self, data: Pages) -> Examined:
        """The counts by pair, position and last click."""
        shape = (data.keys.n_groups, data.longest, data.longest)
        code, n, clicks = data.by_last_click
        pair, place = np.divmod(code, int(np.prod(shape)))
        return Examined(pair, place, n, clicks, data.keys.of_pair, shape)

    def conditional(self, block: PageBlock) -> Array:
        """α γ at the last click above."""
        attraction, examination = block.values["attraction"], block.values["examination"]
        out = np.empty_like(attraction)
        for r, last in enumerate(last_clicks(block.clicks)):
            here = examination[r]
            gamma = here[:, 0].take(last) if here.shape[1] == 1 else np.take_along_axis(here, last[None, :], 0)[0]
            out[r] = attraction[r] * gamma
        return out

    def marginal(self, block: PageBlock) -> Array:
        """The sum over the last click above: T_j is the probability that it is at j, and that none followed so far."""
        attraction, examination = block.values["attraction"], block.values["examination"]
        out = np.empty_like(attraction)
        open_since = [np.ones(attraction.shape[1])]
        for r, a in enumerate(attraction):
            clicks = [t * a * examination[r, j] for j, t in enumerate(open_since)]
            out[r] = np.sum(clicks, axis=0)
            open_since = [t - c for t, c in zip(open_since, clicks, strict=True)]
            open_since.append(out[r])
        return out

    def simulate(self, block: PageBlock, draw: Draws) -> NDArray[np.bool_]:
        """From the top, each by the last click drawn above."""
        attraction, examination = block.values["attraction"], block.values["examination"]
        out, last = np.zeros(attraction.shape, dtype=np.bool_), np.zeros(attraction.shape[1], dtype=np.int64)
        for r, a in enumerate(attraction):
            here = examination[r]
            gamma = here[:, 0].take(last) if here.shape[1] == 1 else np.take_along_axis(here, last[None, :], 0)[0]
            out[r] = block.shown[r] & (draw(0, r) < a * gamma)
            last[out[r]] = r + 1
        return out
