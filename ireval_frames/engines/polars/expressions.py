"""Expressions as Polars' own."""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import polars as pl

from ireval_frames.expr import Expr
from ireval_frames.expr.reading import Window, translated


def expression(expr: Expr) -> pl.Expr:
    """The expression in Polars."""
    return translated(expr, _POLARS)


class _Polars:
    def column(self, name: str) -> pl.Expr:
        return _column(name)

    def literal(self, value: Any, of: Any) -> pl.Expr:
        if of is not None:
            return pl.lit(value, dtype=of)
        # Equal numbers of several types are one key, and so are 0.0 and -0.0; their texts differ.
        return _literal(value, repr(value)) if type(value) in (int, float, bool, str) else pl.lit(value)

    def operation(self, op: str, args: Sequence[pl.Expr], options: Mapping[str, Any], window: Window | None) -> pl.Expr:
        out = _operation(op, args, options)
        if window is None:
            return out
        keys = list(window.keys) if window.keys else pl.lit(1)
        return out.over(keys, order_by=list(window.order) or None)


def _operation(op: str, args: Sequence[pl.Expr], options: Mapping[str, Any]) -> pl.Expr:
    if op in _OPERATORS:
        return _OPERATORS[op](*args)
    if op in _OTHERWISE:
        return _OTHERWISE[op](args, options)
    method: Any = args[0]
    for part in op.split("."):
        method = getattr(method, part)
    out: pl.Expr = method(*args[1:], **options)
    return out


@functools.lru_cache(maxsize=4096)
def _column(name: str) -> pl.Expr:
    # Some names mean several columns to Polars.
    return pl.selectors.by_name(name).as_expr() if name == "*" or name[:1] == "^" else pl.col(name)


@functools.lru_cache(maxsize=1024)
def _literal(value: float | str, text: str) -> pl.Expr:
    del text
    return pl.lit(value)


def _when(args: Sequence[pl.Expr], _: Mapping[str, Any]) -> pl.Expr:
    out = pl.when(args[0]).then(args[1])
    return out.otherwise(args[2]) if len(args) > 2 else out


_OPERATORS: dict[str, Callable[..., pl.Expr]] = {
    "add": operator.add,
    "sub": operator.sub,
    "mul": operator.mul,
    "truediv": operator.truediv,
    "floordiv": operator.floordiv,
    "mod": operator.mod,
    "pow": operator.pow,
    "neg": operator.neg,
    "gt": operator.gt,
    "ge": operator.ge,
    "lt": operator.lt,
    "le": operator.le,
    "eq": operator.eq,
    "ne": operator.ne,
    "and": operator.and_,
    "or": operator.or_,
    "not": operator.invert,
}
# Operations that begin an expression, and those whose arguments are not Polars' own.
_OTHERWISE: dict[str, Callable[[Sequence[pl.Expr], Mapping[str, Any]], pl.Expr]] = {
    "when_then": _when,
    "len": lambda _, __: pl.len(),
    "ratio": lambda a, _: pl.when(a[1] != 0).then(a[0] / a[1]),
    "concat_str": lambda a, o: pl.concat_str(*a, separator=o["separator"], ignore_nulls=o["ignore_nulls"]),
    "all_horizontal": lambda a, _: pl.all_horizontal(*a),
    "any_horizontal": lambda a, _: pl.any_horizontal(*a),
    "max_horizontal": lambda a, _: pl.max_horizontal(*a),
    "min_horizontal": lambda a, _: pl.min_horizontal(*a),
    "sum_horizontal": lambda a, _: pl.sum_horizontal(*a),
    "mean_horizontal": lambda a, _: pl.mean_horizontal(*a),
    "coalesce": lambda a, _: pl.coalesce(*a),
    "alias": lambda a, _: a[0],
    "clip_lower": lambda a, _: a[0].clip(a[1], None),
    "clip_upper": lambda a, _: a[0].clip(None, a[1]),
    # A list that is too short has null there, as in SQL.
    "list.get": lambda a, o: a[0].list.get(o["index"], null_on_oob=True),
}
_POLARS = _Polars()
