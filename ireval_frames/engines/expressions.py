"""What the planner must know of an expression: a key that equal expressions share, and the columns it reads.

Narwhals shows neither in public, and `repr` says the same for `1` and `'1'`, so this one file reads its node list.
A test fails if a new version changes it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import narwhals.stable.v2 as nw


def key(expr: Any) -> str:
    """A text that is equal for two expressions exactly when they compute the same thing."""
    if _is_expression(expr):
        return ".".join(_node_key(n) for n in _nodes(expr))
    return f"{type(expr).__name__}:{expr!r}"


def columns(expr: nw.Expr) -> set[str]:
    """The names of the columns that an expression reads."""
    return set(_columns(expr))


def name(expr: nw.Expr) -> str:
    """The name of a plain column."""
    (only,) = columns(expr)
    return only


def is_column(expr: nw.Expr) -> bool:
    """Whether it is nothing but one column."""
    nodes = _nodes(expr)
    return len(nodes) == 1 and nodes[0].name == "col" and len(nodes[0].kwargs["names"]) == 1


def text(expr: Any) -> str:
    """The expression as a reader would write it."""
    if not _is_expression(expr):
        return f"{expr:g}" if isinstance(expr, float) else repr(expr)
    out = ""
    for node in _nodes(expr):
        out = _node_text(node, out)
    return out


_INFIX = {
    "add": "+", "sub": "-", "mul": "·", "truediv": "/", "pow": "^", "gt": ">", "ge": "≥", "lt": "<", "le": "≤",
    "eq": "=", "ne": "≠",
    "and": "and", "or": "or",
}  # fmt: skip


def _node_text(node: Any, before: str) -> str:
    name, inner, options = node.name, [text(e) for e in node.exprs], node.kwargs
    operator = name.strip("_")
    if name == "col":
        return ", ".join(options["names"])
    if name == "lit":
        return text(options["value"])
    if name == "when_then":
        return f"({inner[1]} if {inner[0]}" + (f" else {inner[2]})" if len(inner) > 2 else ")")
    if name == "all_horizontal":
        return " and ".join(inner)
    if name == "fill_null":
        return f"({before} or {inner[0] if inner else text(options['value'])})"
    if operator in _INFIX:
        return f"({before} {_INFIX[operator]} {inner[0]})"
    if operator.removeprefix("r") in _INFIX:
        return f"({inner[0]} {_INFIX[operator.removeprefix('r')]} {before})"
    if name == "over":
        order = f" by {', '.join(options['order_by'])}" if options.get("order_by") else ""
        return f"{before} over ({', '.join(options['partition_by'])}{order})"
    if name in ("alias", "cast"):
        return before
    shown = [*inner, *(text(v) if not isinstance(v, bool) else k for k, v in options.items() if v not in (None, False))]
    return f"{before}.{name}({', '.join(shown)})"


def _is_expression(thing: Any) -> bool:
    """Conditions hold expressions of Narwhals' own class, not of its stable interface."""
    return hasattr(thing, "_nodes")


def _nodes(expr: Any) -> tuple[Any, ...]:
    return tuple(expr._nodes)


def _node_key(node: Any) -> str:
    options = ",".join(f"{k}={type(v).__name__}:{v!r}" for k, v in node.kwargs.items())
    return f"{node.name}({';'.join(key(e) for e in node.exprs)}|{options})"


def _columns(expr: Any) -> Iterator[str]:
    for node in _nodes(expr):
        if node.name == "col":
            yield from node.kwargs["names"]
        if node.name == "over":
            yield from node.kwargs.get("partition_by", ())
            yield from node.kwargs.get("order_by", ()) or ()
        for inner in node.exprs:
            if _is_expression(inner):
                yield from _columns(inner)
            elif isinstance(inner, str) and node.str_as_lit is False:
                yield inner
