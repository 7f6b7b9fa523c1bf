"""Reading an expression: a key that equal expressions share, the columns it reads, and its translation for an engine.

Narwhals shows none of this in public, and `repr` says the same for `1` and `'1'`, so this one file reads its node list.
A test fails if a new version changes it.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

import narwhals.stable.v2 as nw

T = TypeVar("T")

# Making a column costs more than finding it.
column = functools.lru_cache(maxsize=4096)(nw.col)


@dataclass(frozen=True)
class Window:
    """The rows that an aggregate or a running aggregate looks at: those of equal keys, in an order or in none."""

    keys: tuple[str, ...]
    order: tuple[str, ...]


class Translator(Protocol, Generic[T]):
    """An engine's words for columns, literals and operations, which have Polars' names."""

    def column(self, name: str) -> T:
        """A column."""

    def literal(self, value: Any, dtype: Any) -> T:
        """A value, of a Narwhals type or of the one it has by itself."""

    def operation(
        self, name: str, before: T | None, others: Sequence[T], options: Mapping[str, Any], window: Window | None
    ) -> T:
        """What an operation makes of the expression before it and of its other operands."""


def translated(expr: Any, into: Translator[T]) -> T:
    """An expression in the words of an engine."""
    if not _is_expression(expr):
        return into.literal(expr, None)
    out: T | None = None
    nodes = _nodes(expr)
    for i, node in enumerate(nodes):
        options = node.kwargs
        if node.name == "col":
            out = into.column(_only(options["names"]))
        elif node.name == "lit":
            out = into.literal(options["value"], options.get("dtype"))
        elif node.name == "over":
            continue
        else:
            # Narwhals puts `over` right behind the operation that it is about.
            over = nodes[i + 1].kwargs if i + 1 < len(nodes) and nodes[i + 1].name == "over" else None
            window = over and Window(tuple(over["partition_by"]), tuple(over.get("order_by") or ()))
            others = [_operand(node, e, into) for e in node.exprs]
            out = into.operation(node.name, out, others, options, window)
    if out is None:
        raise TypeError(f"{expr!r} is no expression.")
    return out


def _operand(node: Any, value: Any, into: Translator[T]) -> T:
    if isinstance(value, str) and node.str_as_lit is False:
        return into.column(value)
    return translated(value, into)


def _only(names: Sequence[str]) -> str:
    (name,) = names
    return name


def key(expr: Any) -> str:
    """A text that is equal for two expressions exactly when they compute the same thing."""
    if _is_expression(expr):
        return ".".join([_node_key(n) for n in expr._nodes])
    return f"{type(expr).__name__}:{expr!r}"


def columns(expr: nw.Expr) -> set[str]:
    """The names of the columns that an expression reads."""
    found: set[str] = set()
    _add_columns(expr, found)
    return found


def name(expr: nw.Expr) -> str:
    """The name of a plain column."""
    return _only(tuple(columns(expr)))


def output(expr: nw.Expr) -> str:
    """The name that an expression's values get by themselves."""
    nodes = _nodes(expr)
    aliases = [n.kwargs["name"] for n in nodes if n.name == "alias"]
    if aliases:
        return str(aliases[-1])
    return str(nodes[0].kwargs["names"][0]) if nodes[0].name == "col" else str(nodes[0].name)


def unaliased(expr: nw.Expr) -> nw.Expr:
    """The expression without the names that it gives its values in the end."""
    nodes = list(_nodes(expr))
    while len(nodes) > 1 and nodes[-1].name == "alias":
        nodes.pop()
    return expr.__class__(*nodes)


def is_column(expr: nw.Expr) -> bool:
    """Whether it is nothing but one column."""
    nodes = _nodes(expr)
    return len(nodes) == 1 and nodes[0].name == "col" and len(nodes[0].kwargs["names"]) == 1


_OVER_ROWS = frozenset(
    ("sum", "mean", "max", "min", "count", "len", "n_unique", "any", "all", "null_count", "median", "std", "var")
)


def over_rows(expr: Any) -> bool:
    """Whether it looks at other rows than its own."""
    if not _is_expression(expr):
        return False
    return any(n.name == "over" or n.name in _OVER_ROWS or any(over_rows(e) for e in n.exprs) for n in _nodes(expr))


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
    "eq": "=", "ne": "≠", "and": "and", "or": "or",
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
    inner, options = node.exprs, node.kwargs
    told = ",".join([f"{k}={type(v).__name__}:{v!r}" for k, v in options.items()]) if options else ""
    return f"{node.name}({';'.join([key(e) for e in inner]) if inner else ''}|{told})"


def _add_columns(expr: Any, found: set[str]) -> None:
    for node in expr._nodes:
        if node.name == "col":
            found.update(node.kwargs["names"])
        elif node.name == "over":
            found.update(node.kwargs.get("partition_by", ()))
            found.update(node.kwargs.get("order_by", ()) or ())
        for inner in node.exprs:
            if _is_expression(inner):
                _add_columns(inner, found)
            elif isinstance(inner, str) and node.str_as_lit is False:
                found.add(inner)


def null_test(expr: nw.Expr) -> str | None:
    """The column of which an expression is nothing but the test for null."""
    nodes = _nodes(expr)
    alone = len(nodes) == 2 and nodes[0].name == "col" and nodes[1].name == "is_null"
    return _only(nodes[0].kwargs["names"]) if alone else None


def cast_to(expr: nw.Expr) -> Any:
    """The type that an expression is cast to in the end; None if in none."""
    node = _nodes(expr)[-1]
    if node.name != "cast":
        return None
    dtype = node.kwargs["dtype"]
    return dtype() if isinstance(dtype, type) else dtype


def reversed_order(expr: nw.Expr) -> nw.Expr:
    """A running aggregate that follows its order from the last row to the first."""
    *before, last = _nodes(expr)
    if last.name.startswith("cum_"):
        turned = last._with_kwargs(reverse=not last.kwargs["reverse"])
    elif last.name == "shift":
        turned = last._with_kwargs(n=-last.kwargs["n"])
    else:
        return expr
    return expr.__class__(*before, turned)
