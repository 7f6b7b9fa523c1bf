"""Expressions of columns, in which measures are written: Polars' names, translated for each engine.

`col`, `lit` and `when` begin an expression; its methods are those of `Expr`.
"""

from ireval_frames.expr.functions import (
    all_horizontal,
    any_horizontal,
    coalesce,
    concat_str,
    len,  # noqa: A004 - as in Polars
    max_horizontal,
    mean_horizontal,
    min_horizontal,
    sum_horizontal,
    when,
)
from ireval_frames.expr.tree import Expr, col, lit

__all__ = [
    "Expr",
    "all_horizontal",
    "any_horizontal",
    "coalesce",
    "col",
    "concat_str",
    "len",
    "lit",
    "max_horizontal",
    "mean_horizontal",
    "min_horizontal",
    "sum_horizontal",
    "when",
]
