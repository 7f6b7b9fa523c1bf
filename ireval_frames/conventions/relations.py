"""The conventions of relations and of links, each choice with what it means and who does it so."""

from __future__ import annotations

from dataclasses import dataclass

from ireval_frames.conventions.base import OURS, Choice, of_two_tables, one_of
from ireval_frames.conventions.documents import DocumentPolicy, of_ratios

NELEVAL, KBP = "neleval", "TAC KBP slot filling"


def of_duplicates(what: str) -> str:
    """The field `duplicates`: what rows are that say the same twice."""
    choice: str = one_of(
        Choice("distinct", f"Equal {what} of a document are one, in the gold and in the predictions.", NELEVAL),
        Choice("spurious", f"Of equal predicted {what} one may be correct, and each further one is spurious.", KBP),
        Choice("error", f"Two rows of a table with the same {what} are an error.", OURS),
    )
    return choice


@dataclass(frozen=True)
class RelationPolicy(DocumentPolicy):
    """The conventions in force for one evaluation of relations or events.

    Fields:
        undefined: a ratio without a denominator is undefined and left out of averages (None), 0, or 1.
        overlap: tables without a document in common are an `error`, tables with few give a warning; or both are
            evaluated without one (`allow`).
        duplicates: equal relations of a document, by the columns that a measure compares, are one (`distinct`); or each
            further predicted one is `spurious`; or rows that are equal in all columns are an `error`.
        untyped: arguments whose type is null: an `error`, or a type like any other, which equals itself (`equal`).

    Example:
        >>> from ireval_frames.relations import RelationPolicy
        >>> RelationPolicy(duplicates="spurious").duplicates
        'spurious'
    """

    undefined: int | None = of_ratios()
    overlap: str = of_two_tables()
    duplicates: str = of_duplicates("relations")
    untyped: str = one_of(
        Choice("error", "Arguments without a type are an error.", OURS),
        Choice("equal", "Arguments without a type have one type, which equals itself.", OURS),
    )


@dataclass(frozen=True)
class LinkPolicy(DocumentPolicy):
    """The conventions in force for one evaluation of links or slots.

    Fields:
        undefined: a ratio without a denominator is undefined and left out of averages (None), 0, or 1.
        overlap: tables without a document in common are an `error`, tables with few give a warning; or both are
            evaluated without one (`allow`).
        duplicates: equal rows of a document, by the columns that a measure compares, are one (`distinct`); or each
            further predicted one is `spurious`; or rows that are equal in all columns are an `error`.

    Example:
        >>> from ireval_frames.links import LinkPolicy
        >>> LinkPolicy.named("tac-kbp").duplicates
        'spurious'
    """

    undefined: int | None = of_ratios()
    overlap: str = of_two_tables()
    duplicates: str = of_duplicates("links")


LinkPolicy.presets = {
    "neleval": LinkPolicy(undefined=0, overlap="allow"),
    "tac-kbp": LinkPolicy(undefined=0, overlap="allow", duplicates="spurious"),
}
