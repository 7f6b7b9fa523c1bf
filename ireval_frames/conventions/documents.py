"""The conventions of families of documents, each choice with what it means and who does it so."""

from __future__ import annotations

from dataclasses import dataclass

from ireval_frames.conventions.base import OURS, Choice, Conventions, of_two_tables, one_of
from ireval_frames.conventions.items import SKLEARN


def of_ratios() -> int | None:
    """The field `undefined`: the value of a ratio without a denominator."""
    choice: int | None = one_of(
        Choice(None, "A ratio without a denominator is undefined, and left out of averages.", "SQL"),
        Choice(0, "A ratio without a denominator is 0.", SKLEARN),
        Choice(1, "A ratio without a denominator is 1.", OURS),
    )
    return choice


@dataclass(frozen=True)
class DocumentPolicy(Conventions):
    """The conventions in force for one evaluation of what is in documents.

    Fields:
        overlap: tables without a document in common are an `error`, tables with few give a warning; or both are
            evaluated without one (`allow`).

    Example:
        >>> from ireval_frames.conventions.documents import DocumentPolicy
        >>> DocumentPolicy().undefined is None
        True
    """

    overlap: str = of_two_tables()

    @property
    def undefined(self) -> int | None:
        """The value of a ratio without a denominator; a field where a family's measures are ratios."""
        return None
