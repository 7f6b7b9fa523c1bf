"""Models of click-through rates: one rate per key."""

from __future__ import annotations

import dataclasses
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from ireval_frames.clicks.models.counts.blocks import summed
from ireval_frames.clicks.models.counts.cells import Cells
from ireval_frames.clicks.models.counts.keys import Keys
from ireval_frames.clicks.models.declared import PAIR, ClickModel, Estimates, Parameter, Trace, Values, declare
from ireval_frames.clicks.models.estimation.shares import estimate
from ireval_frames.clicks.models.options import Options


class Rate(ClickModel[Cells]):
    """A model whose only parameter is the click-through rate of each value of `counts_by`."""

    needs_pages: ClassVar[bool] = False
    relevant: ClassVar[tuple[str, ...]] = ()

    def fit(self, data: Cells, options: Options, start: Values | None) -> tuple[Estimates, Trace]:
        """Clicks over impressions."""
        del start
        place, shape = array_index(data, self.counts_by)
        hits, n = (summed(place, of, int(np.prod(shape))).reshape(shape) for of in (data.clicks, data.n))
        return {"ctr": estimate(hits, n, options)}, Trace()


def array_index(cells: Cells, keys: tuple[str, ...]) -> tuple[NDArray[np.int64], tuple[int, ...]]:
    """The index of each count in the array of a parameter of these keys, and the shape of the array."""
    longest = cells.keys.longest
    if keys == PAIR:
        return cells.pair, (cells.keys.n_pairs,)
    if keys == (*PAIR, "position"):
        # Counts are in the order of their places, one each.
        return np.arange(len(cells.n)), (len(cells.n),)
    if keys == ("position",):
        return cells.group * longest + cells.position - 1, (cells.keys.n_groups, longest)
    return cells.group, (cells.keys.n_groups,)


def with_places(cells: Cells) -> Keys:
    """The keys of counts by query, document and position, with the places of the latter."""
    return dataclasses.replace(cells.keys, places=cells.pair * cells.keys.longest + cells.position - 1)


@declare
class GCTR(Rate):
    """Every result is clicked with the same probability ρ: the random click model, a baseline."""

    name: ClassVar[str] = "GCTR"
    source: ClassVar[str] = "Chuklin, Markov & de Rijke, Click Models for Web Search, 2015, section 3.1"
    parameters: ClassVar[tuple[Parameter, ...]] = (Parameter("ctr", (), "a click on any result"),)
    counts_by: ClassVar[tuple[str, ...]] = ()


@declare
class RCTR(Rate):
    """A result is clicked with a probability ρ_r of its position, whatever document it is."""

    name: ClassVar[str] = "RCTR"
    source: ClassVar[str] = "Chuklin, Markov & de Rijke, Click Models for Web Search, 2015, section 3.2"
    parameters: ClassVar[tuple[Parameter, ...]] = (Parameter("ctr", ("position",), "a click at the position"),)
    counts_by: ClassVar[tuple[str, ...]] = ("position",)


@declare
class DCTR(Rate):
    """A document is clicked with a probability ρ_qd of its own, wherever it stands."""

    name: ClassVar[str] = "DCTR"
    source: ClassVar[str] = "Craswell et al., WSDM 2008 (its baseline hypothesis)"
    parameters: ClassVar[tuple[Parameter, ...]] = (Parameter("ctr", PAIR, "a click on the document"),)
    counts_by: ClassVar[tuple[str, ...]] = PAIR
    relevant: ClassVar[tuple[str, ...]] = ("ctr",)


@declare
class DRCTR(Rate):
    """A document is clicked with a probability ρ_qdr of its own at each position.

    It says nothing of a document at a position where it never stood, and has no relevance apart from positions.
    """

    name: ClassVar[str] = "DRCTR"
    source: ClassVar[str] = "CLAX (Hager et al., 2025)"
    parameters: ClassVar[tuple[Parameter, ...]] = (
        Parameter("ctr", (*PAIR, "position"), "a click on the document at the position"),
    )
    counts_by: ClassVar[tuple[str, ...]] = (*PAIR, "position")
