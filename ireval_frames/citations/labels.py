"""Labels of support as numbers, and which passages a label is about."""

from __future__ import annotations

from collections.abc import Mapping

import polars as pl

from ireval_frames.columns.schema import UNTYPED, wrong_type
from ireval_frames.engines.frame import Frame
from ireval_frames.expr import Expr, col, lit, when

# Levels of support.
NONE, PARTIAL, FULL = 0.0, 1.0, 2.0
# The words for each level, in small letters, a blank, a minus or nothing in place of `_`.
WORDS = {
    FULL: ("full", "full_support", "fully_supported", "fs", "support", "supported", "supports", "yes", "true",
           "entailment", "entailed"),
    PARTIAL: ("partial", "partial_support", "partially_supported", "ps"),
    NONE: ("none", "no", "no_support", "not_support", "not_supported", "unsupported", "ns", "false", "neutral",
           "contradiction", "contradicted"),
}  # fmt: skip
# What a label is about: one passage, all that the sentence cites, all of these but one.
ALONE, TOGETHER, WITHOUT = "alone", "together", "without"


def level_of(frame: Frame, name: str, labels: str) -> Expr:
    """The level of support of a label; null where it is none.

    Args:
        frame: the table.
        name: its column of labels.
        labels: what numbers mean, as the policy says.

    Raises:
        WrongType: labels are no numbers, booleans or text.
    """
    dtype, value = frame.dtype(name), col(name)
    if dtype == pl.Boolean:
        return when(value).then(FULL).when(~value).then(NONE)
    if dtype == pl.String or isinstance(dtype, pl.Categorical | pl.Enum):
        word = value.cast(pl.String).str.strip_chars(" ").str.to_lowercase().str.replace_all(r"[\s-]+", "_")
        numbers = {NONE: ("0", "0.0"), PARTIAL: ("1", "1.0"), FULL: ("2", "2.0")}
        if labels == "binary":
            numbers = {NONE: ("0", "0.0"), FULL: ("1", "1.0")}
        out = lit(None, dtype=pl.Float64)
        for level in (FULL, PARTIAL, NONE):
            names = (*WORDS[level], *(w.replace("_", "") for w in WORDS[level]), *numbers.get(level, ()))
            out = when(word.is_in(list(dict.fromkeys(names)))).then(level).otherwise(out)
        return out
    if not dtype.is_numeric() and dtype not in UNTYPED:
        raise wrong_type("support", name, dtype, "numbers, booleans, or words such as full_support", "String")
    value = value.cast(pl.Float64)
    if labels == "binary":
        return when(value == 0.0).then(NONE).when(value == 1.0).then(FULL)
    return when((value == NONE) | (value == PARTIAL) | (value == FULL)).then(value)


def passages_of(columns: Mapping[str, str]) -> Expr:
    """What a label is about: the passage alone, if the table does not say."""
    if "passages" not in columns:
        return lit(ALONE)
    return col(columns["passages"]).cast(pl.String).fill_null(ALONE)


def weight(level: Expr, partial: float) -> Expr:
    """The weight of a level of support."""
    return when(level == FULL).then(1.0).when(level == PARTIAL).then(partial).otherwise(0.0)
