"""The errors of tables of citations, and the lines that repair them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import polars as pl

from ireval_frames.errors import Argument, Hint, InvalidValue, MismatchedTables, MissingColumn, listed

# What labels are about, in words.
ABOUT = {
    "alone": "a cited passage alone",
    "together": "all passages of a sentence together",
    "without": "the passages of a sentence without one of them",
}


def of_nothing(rows: pl.DataFrame, count: int) -> InvalidValue:
    """Citations of nothing, if the policy refuses them."""
    are = "citation has" if count == 1 else "citations have"
    return InvalidValue(
        f"{count:,} {are} no doc_id, such as one of sentence {sentence_of(rows)}: they cite nothing.",
        Hint("Choose how they count: ", Argument("policy", "out_of_range=unsupported"), ", or ",
             Argument("policy", "out_of_range=drop"), "."),
    )  # fmt: skip


def not_in_order(measure: str, present: Sequence[str]) -> MissingColumn:
    """The first citations of sentences that have no order."""
    return MissingColumn(
        f"{measure} reads the first citations of sentences, and the citations table has no column 'rank' (it has: "
        f"{listed(present, 20)}).",
        Hint("Number the citations of each sentence from 1, and name the column: ",
             Argument("columns", {"rank": "their_name"}), "."),
    )  # fmt: skip


def no_label(measure: str, passages: str) -> Callable[[pl.DataFrame, int], MismatchedTables]:
    """Labels that a measure needs, and the support table lacks."""

    def error(rows: pl.DataFrame, count: int) -> MismatchedTables:
        are, more = ("is", "") if count == 1 else ("are", "s")
        doc = f" and passage {rows['doc_id'][0]!r}" if "doc_id" in rows.columns else ""
        what = (
            f"{measure} needs labels of {ABOUT[passages]}, and {count:,} {are} missing, such as that of sentence"
            f"{more[1:]} {sentence_of(rows)}{doc}."
        )
        if passages == "alone":
            return MismatchedTables(
                what,
                Hint("Choose how such citations count: ", Argument("policy", "unjudged=unsupported"), ", or ",
                     Argument("policy", "unjudged=skip"), "."),
            )  # fmt: skip
        return MismatchedTables(
            what,
            Hint(f'Add rows with passages="{passages}", or take them from labels of single passages: ',
                 Argument("policy", "together=any"), "."),
        )  # fmt: skip

    return error


def sentence_of(rows: pl.DataFrame) -> str:
    """The sentence of the first row, in words."""
    return f"{rows['item_id'][0]!r} of query {rows['unit_0'][0]!r}"
