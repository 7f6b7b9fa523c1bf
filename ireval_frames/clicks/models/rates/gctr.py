"""GCTR: one click-through rate for all."""

from __future__ import annotations

from typing import ClassVar

from ireval_frames.clicks.models.declared import Parameter, declare
from ireval_frames.clicks.models.rates.base import Rate


@declare
class GCTR(Rate):
    """Every result is clicked with the same probability ρ: the random click model, a baseline."""

    name: ClassVar[str] = "GCTR"
    source: ClassVar[str] = "Chuklin, Markov & de Rijke, Click Models for Web Search, 2015, section 3.1"
    parameters: ClassVar[tuple[Parameter, ...]] = (Parameter("ctr", (), "a click on any result"),)
    counts_by: ClassVar[tuple[str, ...]] = ()
