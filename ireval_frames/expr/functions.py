"""Expressions that begin with a word instead of a column: `when`, and what several columns of a row give together."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from operator import and_
from typing import Any, TypeVar

from ireval_frames.expr.tree import Expr, column_or_literal


class Then(Expr):
    """What `when(…).then(…)` gives: null where no condition is true, or another value with `otherwise`."""

    __slots__ = ()

    def when(self, *conditions: Any) -> When:
        """Another condition, for where those before are not true."""
        return When(_all_of(conditions), self)

    def otherwise(self, value: Any) -> Expr:
        """The value where no condition is true."""
        return _with_last(Expr, self, column_or_literal(value))


class When:
    """A condition that waits for its value."""

    def __init__(self, condition: Expr, before: Then | None = None) -> None:
        self._condition, self._before = condition, before

    def then(self, value: Any) -> Then:
        """The value where the condition is true."""
        out = Then("when_then", (self._condition, column_or_literal(value)))
        return out if self._before is None else _with_last(Then, self._before, out)


E = TypeVar("E", bound=Expr)


def _with_last(node: type[E], chain: Expr, last: Expr) -> E:
    """Conditions one after another, with the value where none is true."""
    condition, value, *rest = chain.args
    return node("when_then", (condition, value, _with_last(node, rest[0], last) if rest else last))


def _all_of(conditions: Sequence[Any]) -> Expr:
    return reduce(and_, map(column_or_literal, conditions))


def when(*conditions: Any) -> When:
    """A value where all conditions are true: `when(…).then(…)`, and another elsewhere with `.otherwise(…)`, else null.

    >>> from ireval_frames.expr import col, when
    >>> when(col("n") != 0).then(col("x") / col("n")).otherwise(0.0)
    ((x / n) if (n ≠ 0) else 0)
    """
    return When(_all_of(conditions))


def all_horizontal(*values: Any) -> Expr:
    """Whether all conditions of a row are true."""
    return _of_row("all_horizontal", values)


def any_horizontal(*values: Any) -> Expr:
    """Whether one of the conditions of a row is true."""
    return _of_row("any_horizontal", values)


def coalesce(*values: Any) -> Expr:
    """The first value of a row that is not null."""
    return _of_row("coalesce", values)


def concat_str(*values: Any, separator: str = "", ignore_nulls: bool = False) -> Expr:
    """The texts of a row, one after another; null if one is null, unless nulls are passed over."""
    options = {"separator": separator, "ignore_nulls": ignore_nulls}
    return Expr("concat_str", tuple(map(column_or_literal, values)), options)


def len() -> Expr:  # noqa: A001 - as in Polars
    """The number of rows."""
    return Expr("len")


def max_horizontal(*values: Any) -> Expr:
    """The largest value of a row; nulls are passed over."""
    return _of_row("max_horizontal", values)


def mean_horizontal(*values: Any) -> Expr:
    """The mean of the values of a row; nulls are passed over."""
    return _of_row("mean_horizontal", values)


def min_horizontal(*values: Any) -> Expr:
    """The smallest value of a row; nulls are passed over."""
    return _of_row("min_horizontal", values)


def param(name: str, value: float, sql: str = "") -> Expr:
    """A parameter of SQL text: a number, and a name by which the text refers to it.

    Args:
        name: its name.
        value: the value that Python computes with.
        sql: its form in SQL text, if that is not its name.
    """
    return Expr("param", (), {"name": name, "value": value, "sql": sql or name})


def sum_horizontal(*values: Any) -> Expr:
    """The sum of the values of a row; nulls are passed over."""
    return _of_row("sum_horizontal", values)


def _of_row(op: str, values: tuple[Any, ...]) -> Expr:
    return Expr(op, tuple(map(column_or_literal, values)))
