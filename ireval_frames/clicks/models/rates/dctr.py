"""DCTR: a click-through rate for each document of a query."""

from __future__ import annotations

from typing import ClassVar

from ireval_frames.clicks.models.declared import PAIR, Parameter, declare
from ireval_frames.clicks.models.rates.base import Rate


@declare
class DCTR(Rate):
    """A document is clicked with a probability ρ_qd of its own, wherever it stands."""

    name: ClassVar[str] = "DCTR"
    source: ClassVar[str] = "Craswell et al., WSDM 2008 (its baseline hypothesis)"
    parameters: ClassVar[tuple[Parameter, ...]] = (Parameter("ctr", PAIR, "a click on the document"),)
    counts_by: ClassVar[tuple[str, ...]] = PAIR
    relevant: ClassVar[tuple[str, ...]] = ("ctr",)
