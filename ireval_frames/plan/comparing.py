"""Expressions and functions as values that can be compared: two ways of making a table are one, or they are not."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Mapping
from typing import Any

import narwhals.stable.v2 as nw

from ireval_frames.engines import expressions


def columns_of(exprs: Iterable[nw.Expr]) -> frozenset[str]:
    """The columns that expressions read."""
    return frozenset(c for e in exprs for c in expressions.columns(e))


def comparable(columns: Mapping[str, nw.Expr]) -> tuple[tuple[str, str], ...]:
    """Expressions by the name of their column."""
    return tuple((name, expressions.key(expr)) for name, expr in columns.items())


def comparable_function(function: Any) -> Any:
    """A function; those with arguments filled in are equal if function and arguments are."""
    if isinstance(function, functools.partial):
        return function.func, function.args, tuple(sorted((k, repr(v)) for k, v in function.keywords.items()))
    return function
