"""DRCTR: a click-through rate for each document of a query at each position."""

from __future__ import annotations

from typing import ClassVar

from ireval_frames.clicks.models.declared import PAIR, Parameter, declare
from ireval_frames.clicks.models.rates.base import Rate


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
