"""PBM: the position-based model."""

from __future__ import annotations

from typing import ClassVar

from ireval_frames.clicks.models.counts.counted import Cells
from ireval_frames.clicks.models.declared import PAIR, Array, Parameter, Seen, declare
from ireval_frames.clicks.models.examination.base import Products
from ireval_frames.clicks.models.examination.expectation_maximisation import Examined
from ireval_frames.clicks.models.rates import Independent, places


@declare
class PBM(Products[Cells], Independent):
    """A document is clicked if it attracts and its position is looked at, each on its own: α_qd γ_r.

    Only products are known: where no document links two groups of positions, their examinations cannot be compared.
    """

    name: ClassVar[str] = "PBM"
    source: ClassVar[str] = "Richardson, Dominowska & Ragno, WWW 2007; Craswell et al., WSDM 2008"
    parameters: ClassVar[tuple[Parameter, ...]] = (
        Parameter("attraction", PAIR, "a click, once it is looked at"),
        Parameter("examination", ("position",), "looking at the position"),
    )
    counts_by: ClassVar[tuple[str, ...]] = (*PAIR, "position")

    def examined(self, data: Cells) -> Examined:
        """The counts, and where their examination stands."""
        place, shape = places(data, ("position",))
        return Examined(data.pair, place, data.n, data.clicks, data.keys.of_pair, shape)

    def rate(self, seen: Seen) -> Array:
        """α γ."""
        return seen.values["attraction"] * seen.values["examination"]
