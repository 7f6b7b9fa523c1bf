"""Parameters of SQL text: expressions that Python can compute with, and a record of what was decided by their values.

Python builds a plan, and may branch on a number: on whether a base is above 1, or a gain is 0.  The plan is then valid
for some values only, so the comparison is recorded: as a condition where numbers are compared by their order, else as
the name of a parameter that must stay a constant.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ireval_frames.expr.node import Node

_COMPUTED: dict[str, Callable[..., Any]] = {
    name: getattr(operator, name)
    for name in (
        *("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "neg"),
        *("gt", "ge", "lt", "le", "eq", "ne"),
    )
}
_OPPOSITE = {"gt": "le", "ge": "lt", "lt": "ge", "le": "gt"}


@dataclass
class Looks:
    """The comparisons of parameters by Python.

    Attributes:
        conditions: comparisons by order with their outcome, by their keys.
        names: the parameters that were compared otherwise.
    """

    conditions: dict[str, Any] = field(default_factory=dict)
    names: set[str] = field(default_factory=set)


_looks: ContextVar[Looks | None] = ContextVar("looks", default=None)
_writer: ContextVar[Callable[[Any], str] | None] = ContextVar("writer", default=None)


@contextmanager
def recorded(looks: Looks) -> Iterator[None]:
    """Inside, comparisons of parameters are recorded."""
    token = _looks.set(looks)
    try:
        yield
    finally:
        _looks.reset(token)


@contextmanager
def written_by(writer: Callable[[Any], str]) -> Iterator[None]:
    """Inside, parameters are formatted by a function, for messages with their values."""
    token = _writer.set(writer)
    try:
        yield
    finally:
        _writer.reset(token)


def names(expr: Node) -> set[str]:
    """The parameters in an expression of nothing but parameters and numbers; none of others."""
    if expr.op == "param":
        return {expr.options["name"]}
    if expr.op not in _COMPUTED:
        return set()
    operands = [names(a) for a in expr.args if a.op != "lit"]
    return set().union(*operands) if all(operands) else set()


def value(expr: Node) -> Any:
    """The number that an expression of parameters is now.

    Raises:
        TypeError: it reads columns.
    """
    if expr.op in ("param", "lit"):
        return expr.options["value"]
    if expr.op not in _COMPUTED:
        raise TypeError(f"{expr!r} has a value in each row.")
    return _COMPUTED[expr.op](*map(value, expr.args))


def truth(expr: Node) -> bool:
    """Whether it is true of the parameters' values, which is recorded."""
    out = bool(value(expr))
    looks = _looks.get()
    if looks is None or (len(expr.args) == 2 and expr.args[0].key == expr.args[1].key):
        return out
    if expr.op not in _OPPOSITE:
        looks.names |= names(expr)
    else:
        condition = expr if out else type(expr)(_OPPOSITE[expr.op], expr.args)
        looks.conditions[condition.key] = condition
    return out


def formatted(expr: Node, form: str) -> str:
    """The parameters' value, or its replacement in messages."""
    writer = _writer.get()
    return format(value(expr), form) if writer is None else writer(expr)
