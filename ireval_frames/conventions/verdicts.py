"""The conventions of verdicts, each choice with what it means and who does it so."""

from __future__ import annotations

from dataclasses import dataclass

from ireval_frames.conventions.base import Conventions, known_units


@dataclass(frozen=True)
class VerdictPolicy(Conventions):
    """The conventions in force for one evaluation of verdicts; how unsure ones count is a parameter of the measures.

    Fields:
        units: rows without a query are an `error`, or left out (`drop-null`).

    Example:
        >>> from ireval_frames.verdicts import VerdictPolicy
        >>> VerdictPolicy().units
        'error'
    """

    units: str = known_units()
