"""The user's table of verdicts under our names."""

from __future__ import annotations

from typing import Any, ClassVar

import polars as pl

from ireval_frames.columns.schema import UNTYPED, number, wrong_type
from ireval_frames.columns.verdicts import VERDICTS
from ireval_frames.engines.base import Engine
from ireval_frames.expr import Expr, col, lit, when
from ireval_frames.items.inputs import ItemInputs, ItemNames
from ireval_frames.ratios import indicator

# What verdicts are about.
KINDS = {
    "context": "a retrieved passage: relevant",
    "context_statement": "a statement of a retrieved passage: relevant to the question",
    "reference_claim": "a claim of the reference answer: the retrieved passages show it",
    "answer_claim": "a claim of the answer: the retrieved passages show it",
    "answer_statement": "a statement of the answer: relevant to the question",
    "context_agreement": "a passage: the answer agrees with it",
}
YES = ("yes", "true", "1", "1.0", "relevant", "supported", "attributed")
NO = ("no", "false", "0", "0.0", "irrelevant", "unsupported", "not supported")
UNSURE = ("idk", "unsure", "unclear", "ambiguous", "borderline")


class VerdictInputs(ItemInputs):
    """The verdicts of one evaluation.

    Args:
        table: the user's.
        names: the user's names of columns; the unit is the column of queries.
        engine: where the plan runs.
        units: what becomes of rows without a query.

    Attributes:
        items: a row per verdict: keys, `kind`, `rank`, `verdict` (0 to 1; null is none), `unsure` (0 or 1), `written`.
    """

    ids, item_word = "verdicts", "verdict"
    long: ClassVar[tuple[str, ...]] = ()

    def __init__(self, table: Any, names: ItemNames, engine: Engine, units: str) -> None:
        super().__init__(VERDICTS, table, names, engine, units)
        columns = self.user_columns
        dtype, verdict = self.frame.dtype(columns["verdict"]), col(columns["verdict"])
        kind = col(columns["kind"]).cast(pl.String) if "kind" in columns else lit("")
        rank = self.number("rank") if "rank" in columns else lit(None, dtype=pl.Float64)
        value, unsure = self._value(verdict, dtype, columns["verdict"])
        self.items = self.frame.lazy().select(
            **self.keyed, kind=kind, rank=rank, verdict=value, unsure=unsure, written=verdict.cast(pl.String)
        )

    @property
    def has_kinds(self) -> bool:
        """Whether rows say what they are about."""
        return "kind" in self.user_columns

    @property
    def ranked(self) -> bool:
        """Whether rows have ranks."""
        return "rank" in self.user_columns

    def _value(self, verdict: Expr, dtype: Any, name: str) -> tuple[Expr, Expr]:
        """A verdict as a number, and whether it is unsure.

        Raises:
            WrongType: it is no number, boolean or text.
        """
        if dtype == pl.Boolean:
            return when(verdict).then(1.0).when(~verdict).then(0.0), lit(0.0)
        if dtype == pl.String or isinstance(dtype, pl.Categorical | pl.Enum):
            word = verdict.cast(pl.String).str.strip_chars(" ").str.to_lowercase()
            unsure = word.is_in(list(UNSURE))
            value: Expr = when(word.is_in(list(YES))).then(1.0).when(word.is_in(list(NO)) | unsure).then(0.0)
            if self.from_file:
                # Numbers of text files are text.
                is_number = word.str.contains(r"^[0-9]*\.?[0-9]+$")
                as_number = when(is_number).then(word).cast(pl.Float64)
                value = when(is_number).then(as_number).otherwise(value)
            return value, indicator(unsure.fill_null(value=False))
        if not dtype.is_numeric() and dtype not in UNTYPED:
            raise wrong_type("verdicts", name, dtype, "numbers from 0 to 1, booleans, or yes, no and idk", "String")
        return number("verdicts", name, dtype), lit(0.0)
