"""The text of an expression, for people."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ireval_frames.expr.node import Node

_INFIX = {
    "add": "+", "sub": "-", "mul": "·", "truediv": "/", "ratio": "/", "pow": "^",
    "gt": ">", "ge": "≥", "lt": "<", "le": "≤",
    "eq": "=", "ne": "≠", "and": "and", "or": "or",
}  # fmt: skip


def text(expr: Node) -> str:
    """The expression as a reader would write it."""
    op, inner, options = expr.op, [text(a) for a in expr.args], expr.options
    if op == "col":
        return str(options["name"])
    if op == "param":
        return str(options["name"])
    if op == "lit":
        return _literal(options["value"])
    if op == "when_then":
        return f"({inner[1]} if {inner[0]}" + (f" else {inner[2]})" if len(inner) > 2 else ")")
    if op == "all_horizontal":
        return " and ".join(inner)
    if op == "fill_null":
        return f"({inner[0]} or {inner[1]})"
    if op in _INFIX:
        return f"({inner[0]} {_INFIX[op]} {inner[1]})"
    if op == "over":
        order = f" by {', '.join(options['order_by'])}" if options["order_by"] else ""
        return f"{inner[0]} over ({', '.join(options['partition_by'])}{order})"
    if op in ("alias", "cast"):
        return inner[0]
    if op in ("neg", "not"):
        return f"-{inner[0]}" if op == "neg" else f"not {inner[0]}"
    before = f"{inner.pop(0)}." if inner and not op.endswith(("horizontal", "coalesce", "concat_str")) else ""
    more = [_literal(v) if not isinstance(v, bool) else k for k, v in options.items() if v not in (None, False)]
    return f"{before}{op}({', '.join([*inner, *more])})"


def _literal(value: Any) -> str:
    return f"{value:g}" if isinstance(value, float) else repr(value)
