"""Values of parameters that SQL text writes by a name, so that whoever runs it gives the value.

A plan is made in Python, and may look at a value: at whether there is a cutoff, or whether a gain is 0.  What it does
then holds for that value alone, so every look at a value is noted: such a parameter has to stay a constant.  An order
of two numbers is noted as a condition: the plan holds for all values that fulfil it.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from ireval_frames.engines.sql_names import identifier
from ireval_frames.engines.sql_values import SQLParameter, literal

_ORDERS = {"lt": ("<", ">="), "le": ("<=", ">"), "gt": (">", "<="), "ge": (">=", "<")}
_SIGNS = {"add": "({} + {})", "sub": "({} - {})", "mul": "({} * {})", "truediv": "({} / {})", "pow": "pow({}, {})"}


class Looks(set[str]):
    """The names of parameters whose value Python looked at.

    Attributes:
        conditions: those that hold for the values that it compared by their order.
    """

    def __init__(self) -> None:
        super().__init__()
        self.conditions: dict[str, None] = {}


_spoken: ContextVar[Callable[[str], str] | None] = ContextVar("spoken", default=None)


@contextmanager
def spoken(written: Callable[[str], str]) -> Iterator[None]:
    """Inside, such a value is formatted as what is made of its SQL text: messages are to hold what is given later."""
    token = _spoken.set(written)
    try:
        yield
    finally:
        _spoken.reset(token)


class _Whole(SQLParameter, int):
    """A whole number."""


class _Number(SQLParameter, float):
    """A double."""


class _Word(SQLParameter, str):  # noqa: SLOT000 - it has the attributes of a parameter
    """A text."""


_KINDS: tuple[tuple[type, type], ...] = ((_Whole, int), (_Number, float), (_Word, str))


def marked(value: Any, name: str, looked_at: set[str], sql: str = "") -> Any:
    """The value, written as the parameter of that name, or as a text that holds it.

    Args:
        value: a whole number, a float or a text.
        name: the parameter.
        looked_at: gets the name where Python looks at the value.
        sql: what is written, if not the name alone.
    """
    return _made(value, sql or identifier(name), frozenset([name]), looked_at)


def _made(value: Any, sql: str, names: frozenset[str], looked_at: set[str]) -> Any:
    base = next(kind for kind, plain in _KINDS if isinstance(value, plain))
    # A class of its own: expressions are told apart by type and value, and two parameters may have one value.
    out = type(sql, (base,), {})(value)
    out.sql, out.names, out.looked_at = sql, names, looked_at
    return out


def _plain(value: Any) -> Any:
    """The value itself."""
    for kind, plain in _KINDS:
        if isinstance(value, kind):
            return plain(value) if plain is not str else str.__str__(value)
    return value


def _arithmetic(name: str, *, turned: bool) -> Callable[[Any, Any], Any]:
    """The value of an operation, written as that operation."""
    compute, form = getattr(operator, name), _SIGNS[name]

    def method(self: Any, other: Any) -> Any:
        if isinstance(other, bool) or not isinstance(other, (int, float)):
            return NotImplemented
        left, right = (other, self) if turned else (self, other)
        names = self.names | getattr(other, "names", frozenset())
        text = form.format(literal(left).sql, literal(right).sql)
        return _made(compute(_plain(left), _plain(right)), text, names, self.looked_at)

    return method


def _compared(name: str) -> Callable[[Any, Any], Any]:
    """A comparison with a value, which is noted; one with itself says nothing about the value."""
    compare = getattr(operator, name)

    def method(self: Any, other: Any) -> Any:
        if isinstance(other, SQLParameter) and other.looked_at is self.looked_at and other.sql == self.sql:
            return compare(_plain(self), _plain(other))
        if not isinstance(other, (int, float, str)):
            return NotImplemented
        outcome = compare(_plain(self), _plain(other))
        if name in _ORDERS and not isinstance(other, str) and isinstance(self.looked_at, Looks):
            sign = _ORDERS[name][0 if outcome else 1]
            self.looked_at.conditions[f"{self.sql} {sign} {literal(other).sql}"] = None
        else:
            self.looked_at.update(self.names, getattr(other, "names", ()))
        return outcome

    return method


def _formatted(self: Any, form: str) -> str:
    written = _spoken.get()
    return format(_plain(self), form) if written is None else written(self.sql)


def _shown(self: Any) -> str:
    written = _spoken.get()
    if written is None:
        return repr(_plain(self))
    text = written(self.sql)
    return f"'{text}'" if isinstance(self, str) else text


def _true(self: Any) -> bool:
    self.looked_at.update(self.names)
    return bool(_plain(self))


for _kind, _of in _KINDS:
    # Comparisons come with no hash of their own.
    _methods: dict[str, Callable[..., Any]] = {
        "hash": SQLParameter.__hash__,
        "bool": _true,
        "format": _formatted,
        "repr": _shown,
    }
    _methods |= {_name: _compared(_name) for _name in ("eq", "ne", "lt", "le", "gt", "ge")}
    for _name, _method in _methods.items():
        setattr(_kind, f"__{_name}__", _method)
    for _name in () if _of is str else _SIGNS:
        setattr(_kind, f"__{_name}__", _arithmetic(_name, turned=False))
        setattr(_kind, f"__r{_name}__", _arithmetic(_name, turned=True))
