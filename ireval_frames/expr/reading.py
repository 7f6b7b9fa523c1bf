"""Reading an expression: its translation for an engine, and what plans ask about it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

from ireval_frames.expr.node import Node
from ireval_frames.expr.tree import AGGREGATES, Expr

T = TypeVar("T")


@dataclass(frozen=True)
class Window:
    """The rows that an aggregate or a running aggregate looks at: those of equal keys, in an order or in none."""

    keys: tuple[str, ...]
    order: tuple[str, ...]


class Translator(Protocol[T]):
    """An engine's words for columns, literals and operations, which have Polars' names."""

    def column(self, name: str) -> T:
        """A column."""

    def literal(self, value: Any, dtype: Any) -> T:
        """A value, of a type of Polars or of the one it has by itself."""

    def operation(self, op: str, args: Sequence[T], options: Mapping[str, Any], window: Window | None) -> T:
        """What an operation makes of its operands."""


def translated(expr: Node, into: Translator[T]) -> T:
    """An expression in the words of an engine."""
    if expr.op == "col":
        return into.column(expr.options["name"])
    if expr.op == "lit":
        return into.literal(expr.options["value"], expr.options["dtype"])
    window = None
    if expr.op == "over":
        window = Window(expr.options["partition_by"], expr.options["order_by"])
        (expr,) = expr.args
    return into.operation(expr.op, [translated(a, into) for a in expr.args], expr.options, window)


def over_rows(expr: Expr) -> bool:
    """Whether it looks at other rows than its own."""
    return expr.op == "over" or expr.op in AGGREGATES or any(map(over_rows, expr.args))


def null_test(expr: Expr) -> str | None:
    """The column of which an expression is nothing but the test for null."""
    return expr.name if expr.op == "is_null" and expr.args[0].is_column else None


def cast_to(expr: Expr) -> Any:
    """The type that an expression is cast to in the end; None if in none."""
    return expr.options["dtype"] if expr.op == "cast" else None


def reversed_order(expr: Expr) -> Expr:
    """A running aggregate that follows its order from the last row to the first."""
    options = dict(expr.options)
    if expr.op.startswith("cum_"):
        options["reverse"] = not options["reverse"]
    elif expr.op == "shift":
        options["n"] = -options["n"]
    return Expr(expr.op, expr.args, options)
