"""The nodes of expressions: an operation, its operands and options; what they read, and how they are told apart."""

from __future__ import annotations

import operator
from collections.abc import Mapping
from typing import Any, NoReturn

from ireval_frames.expr import parameter
from ireval_frames.expr.text import text

_NO_OPTIONS: Mapping[str, Any] = {}


class Node:
    """A node of an expression; it never changes.

    Attributes:
        op: the operation: "col", "lit", "add", "sum", "over" …
        args: its operands.
        options: its other arguments, by name.
    """

    __slots__ = ("_columns", "_key", "args", "op", "options")

    op: str
    args: tuple[Any, ...]
    options: Mapping[str, Any]
    _key: str | None
    _columns: frozenset[str] | None

    def __init__(self, op: str, args: tuple[Any, ...] = (), options: Mapping[str, Any] = _NO_OPTIONS) -> None:
        put = object.__setattr__
        put(self, "op", op)
        put(self, "args", args)
        put(self, "options", options)
        put(self, "_key", None)
        put(self, "_columns", None)

    @property
    def key(self) -> str:
        """A text that is equal for two expressions exactly when they compute the same thing."""
        if self._key is None:
            options = ",".join([f"{k}={type(v).__name__}:{v!r}" for k, v in self.options.items()])
            object.__setattr__(self, "_key", f"{self.op}({';'.join([a.key for a in self.args])}|{options})")
        return self._key  # type: ignore[return-value]  # written above

    @property
    def columns(self) -> frozenset[str]:
        """The names of the columns that it reads."""
        if self._columns is None:
            found: frozenset[str] = frozenset().union(*[a.columns for a in self.args])
            if self.op == "col":
                found = frozenset([self.options["name"]])
            elif self.op == "over":
                found = found.union(self.options["partition_by"], self.options["order_by"])
            object.__setattr__(self, "_columns", found)
        return self._columns  # type: ignore[return-value]  # written above

    @property
    def is_column(self) -> bool:
        """Whether it is nothing but a column."""
        return self.op == "col"

    @property
    def name(self) -> str:
        """The name of the one column that it reads."""
        (name,) = self.columns
        return name

    def __setattr__(self, name: str, value: Any) -> NoReturn:
        raise AttributeError(f"Expressions do not change: {name} cannot be set.")

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.op, self.args, dict(self.options))

    def __repr__(self) -> str:
        return parameter.formatted(self, "") if parameter.names(self) else text(self)

    def __format__(self, form: str) -> str:
        return parameter.formatted(self, form) if parameter.names(self) else format(text(self), form)

    def __hash__(self) -> int:
        return hash(self.key)

    # ---- numbers whose values are told later: what Python makes of the value holds for it alone

    def __float__(self) -> float:
        return float(parameter.value(self))

    def __int__(self) -> int:
        return int(parameter.value(self))

    def __index__(self) -> int:
        return operator.index(parameter.value(self))

    def __abs__(self) -> float:
        return float(abs(parameter.value(self)))

    def __round__(self, digits: int | None = None) -> float:
        return float(round(parameter.value(self), digits))

    def __bool__(self) -> bool:
        if parameter.names(self):
            return parameter.truth(self)
        raise TypeError(
            f"{self!r} is true or false in each row: combine conditions with &, | and ~, and choose with when()."
        )
