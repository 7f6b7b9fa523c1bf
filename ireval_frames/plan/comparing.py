"""Expressions and functions as values that can be compared: two ways of making a table are one, or they are not."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Mapping
from typing import Any

from ireval_frames.expr import Expr


def columns_of(exprs: Iterable[Expr]) -> frozenset[str]:
    """The columns that expressions read."""
    return frozenset(c for e in exprs for c in e.columns)


def comparable(columns: Mapping[str, Expr]) -> tuple[tuple[str, str], ...]:
    """Expressions by the name of their column."""
    return tuple((name, expr.key) for name, expr in columns.items())


def comparable_function(function: Any) -> Any:
    """A function; those with arguments filled in are equal if function and arguments are."""
    if isinstance(function, functools.partial):
        return function.func, function.args, tuple(sorted((k, repr(v)) for k, v in function.keywords.items()))
    return function
