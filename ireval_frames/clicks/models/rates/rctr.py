"""RCTR: a click-through rate for each position."""

from __future__ import annotations

from typing import ClassVar

from ireval_frames.clicks.models.declared import Parameter, declare
from ireval_frames.clicks.models.rates.base import Rate


@declare
class RCTR(Rate):
    """A result is clicked with a probability ρ_r of its position, whatever it is."""

    name: ClassVar[str] = "RCTR"
    source: ClassVar[str] = "Chuklin, Markov & de Rijke, Click Models for Web Search, 2015, section 3.2"
    parameters: ClassVar[tuple[Parameter, ...]] = (Parameter("ctr", ("position",), "a click at the position"),)
    counts_by: ClassVar[tuple[str, ...]] = ("position",)
