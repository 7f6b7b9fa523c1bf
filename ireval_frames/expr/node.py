"""The nodes of expressions: an operation, its operands and options; the columns they read; a key to compare them by."""

from __future__ import annotations

import operator
from collections.abc import Mapping
from typing import Any, NoReturn

from ireval_frames.expr import parameter
from ireval_frames.expr.text import text

_NO_OPTIONS: Mapping[str, Any] = {}
_KEY = operator.attrgetter("key")
_COLUMNS = operator.attrgetter("columns")


class Node:
    """A node of an expression; it never changes.

    Attributes:
        op: the operation: "col", "lit", "add", "sum", "over" …
        args: its operands.
        options: its other arguments, by name.
        key: a text that is equal for two expressions exactly when they compute the same thing.
        columns: the names of the columns that it reads.
    """

    __slots__ = ("args", "columns", "key", "op", "options")

    op: str
    args: tuple[Any, ...]
    options: Mapping[str, Any]
    key: str
    columns: frozenset[str]

    def __init__(self, op: str, args: tuple[Any, ...] = (), options: Mapping[str, Any] = _NO_OPTIONS) -> None:
        if op == "col":
            columns = frozenset((options["name"],))
        else:
            columns = frozenset().union(*map(_COLUMNS, args))
            if op == "over":
                columns = columns.union(options["partition_by"], options["order_by"])
        # Numbers of other types may have the text of Python's own.
        value_type = type(options["value"]).__name__ if op == "lit" else ""
        set_attribute = object.__setattr__
        set_attribute(self, "op", op)
        set_attribute(self, "args", args)
        set_attribute(self, "options", options)
        set_attribute(self, "key", f"{op}{value_type}({';'.join(map(_KEY, args))}|{options})")
        set_attribute(self, "columns", columns)

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

    # ---- parameters of SQL text: Python computes with their values

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
