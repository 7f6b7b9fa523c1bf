"""Expressions as Polars' own."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import polars as pl

from ireval_frames.expr.node import Node


def expression(expr: Node) -> pl.Expr:
    """The expression in Polars; cached, since plans repeat expressions."""
    out = _CACHE.get(expr.key)
    if out is None:
        if len(_CACHE) > 4096:
            _CACHE.clear()
        out = _CACHE[expr.key] = _translate(expr)
    return out


def _translate(expr: Node) -> pl.Expr:
    op, options = expr.op, expr.options
    if op == "col":
        # Some names mean several columns to Polars.
        name = options["name"]
        return pl.selectors.by_name(name).as_expr() if name == "*" or name[:1] == "^" else pl.col(name)
    if op == "lit":
        return pl.lit(options["value"], dtype=options["dtype"])
    if op == "over":
        keys, order = options["partition_by"], options["order_by"]
        return expression(expr.args[0]).over(list(keys) if keys else pl.lit(1), order_by=list(order) or None)
    args = list(map(expression, expr.args))
    if op in _OPERATORS:
        return _OPERATORS[op](*args)
    if op in _SPECIAL:
        return _SPECIAL[op](args, options)
    method: Any = args[0]
    for part in op.split("."):
        method = getattr(method, part)
    out: pl.Expr = method(*args[1:], **options)
    return out


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
# Operations that are no method of a Polars expression, or whose arguments differ from it.
_SPECIAL: dict[str, Callable[[Sequence[pl.Expr], Mapping[str, Any]], pl.Expr]] = {
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
    # Null where a list is too short, as in SQL.
    "list.get": lambda a, o: a[0].list.get(o["index"], null_on_oob=True),
}
_CACHE: dict[str, pl.Expr] = {}
