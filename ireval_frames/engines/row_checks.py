"""What tables must not hold: declared, counted in one query, and looked at only where a count is not 0."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

import polars as pl

from ireval_frames.engines.base import SHOWN, Aggregate, Engine
from ireval_frames.engines.frame import Frame
from ireval_frames.errors import IrevalError
from ireval_frames.expr import Expr, col


class RowCheck(Protocol):
    """Rows that are looked for in a table."""

    @property
    def table(self) -> Frame:
        """The table."""

    @property
    def bad(self) -> Expr:
        """Whether a row is such; null is no."""


@dataclass(frozen=True)
class Check:
    """Rows that a table must not hold, and the error that says so.

    Attributes:
        table: the table.
        bad: whether a row is such; null is no.
        error: gets at most ten such rows, and how many there are.
        order: the columns by which the first of them are taken; else some are.
        distinct: a table, and the keys in which no two of its rows are equal where none is bad.
    """

    table: Frame
    bad: Expr
    error: Callable[[pl.DataFrame, int], Exception]
    order: tuple[str, ...] = ()
    distinct: tuple[Frame, tuple[str, ...]] | None = None


def unique_key(
    table: Frame, keys: Sequence[str], error: Callable[[pl.DataFrame, int], Exception], *, ordered: bool = False
) -> Check:
    """No two rows of a table have equal keys; the error gets the keys that several have, and the number `n` of each."""
    return Check(table.count_by(*keys), col("n") > 1, error, tuple(keys) if ordered else (), (table, tuple(keys)))


def run_checks(engine: Engine, checks: Iterable[Check]) -> None:
    """Raise the error of the first check that its table does not pass.

    All are counted in one query, those of one table in one pass; only of a check that fails rows are fetched.  Where
    the query itself fails, such as at a value that another table cannot take, they are counted one after another: what
    the first ones say is plainer.
    """
    checks = tuple(c for c in checks if c.distinct is None or not engine.knows_unique(*c.distinct))
    if not checks or engine.enforces(checks):
        return
    try:
        found = count_bad(engine, checks)
    except IrevalError:
        if len(checks) == 1:
            raise
        for check in checks:
            run_checks(engine, [check])
        raise
    for check, count in zip(checks, found, strict=True):
        if count:
            rows = check.table.filter(check.bad)
            shown = engine.collect((rows.sort(*check.order) if check.order else rows).head(SHOWN))
            raise check.error(shown.sort(check.order) if check.order else shown, count)


def count_bad(engine: Engine, checks: Sequence[RowCheck]) -> list[int]:
    """How many bad rows each check finds, in one query."""
    tables: dict[int, list[tuple[str, RowCheck]]] = {}
    for i, check in enumerate(checks):
        tables.setdefault(id(check.table), []).append((f"bad_{i}", check))
    counts = [
        engine.group(part[0][1].table, (), [Aggregate(n, "sum", c.bad.cast(pl.Float64)) for n, c in part])
        for part in tables.values()
    ]
    found = engine.numbers(functools.reduce(lambda one, other: engine.join(one, other, (), "inner"), counts))
    return [int(found[f"bad_{i}"] or 0) for i in range(len(checks))]
