"""Rows that tables must not have: declared, counted in one query, and fetched only where a count is not 0."""

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
    """A condition that is counted over the rows of a table."""

    @property
    def table(self) -> Frame:
        """The table."""

    @property
    def bad(self) -> Expr:
        """Whether a row meets the condition; null counts as no."""


@dataclass(frozen=True)
class Check:
    """Rows that a table must not have, and the error if it does.

    Attributes:
        table: the table.
        bad: whether a row is one of them; null counts as no.
        error: makes the error from at most ten such rows and their number; none where they are only warned of.
        order: the columns that decide which ten rows are shown; without it any are.
        distinct: a table, and keys that are unique in it exactly where no row is bad.
    """

    table: Frame
    bad: Expr
    error: Callable[[pl.DataFrame, int], Exception | None]
    order: tuple[str, ...] = ()
    distinct: tuple[Frame, tuple[str, ...]] | None = None


def unique_key(
    table: Frame, keys: Sequence[str], error: Callable[[pl.DataFrame, int], Exception], *, ordered: bool = False
) -> Check:
    """No two rows have equal keys; the error gets the keys that several rows share, and their number `n`."""
    counts = table.count_by(*keys, in_order=False)
    return Check(counts, col("n") > 1, error, tuple(keys) if ordered else (), (table, tuple(keys)))


def run_checks(engine: Engine, checks: Iterable[Check]) -> None:
    """Raise the error of the first check that fails.

    All are counted in one query, those of one table in one pass; rows are fetched only for a check that fails.  Where
    the query itself fails, such as at a value that cannot be cast, the checks run one after another, since an earlier
    one may have the clearer message.
    """
    checks = tuple(c for c in checks if c.distinct is None or not engine.knows_unique(*c.distinct))
    if not checks or engine.enforces(checks):
        return
    try:
        counts = count_bad(engine, checks)
    except IrevalError:
        if len(checks) == 1:
            raise
        for check in checks:
            run_checks(engine, [check])
        raise
    for check, count in zip(checks, counts, strict=True):
        if count:
            table = check.table if check.distinct is None else check.distinct[0].count_by(*check.distinct[1])
            rows = table.filter(check.bad)
            shown = engine.collect((rows.sort(*check.order) if check.order else rows).head(SHOWN))
            error = check.error(shown.sort(check.order) if check.order else shown, count)
            if error is not None:
                raise error


def count_bad(engine: Engine, checks: Sequence[RowCheck]) -> list[int]:
    """The number of bad rows for each check, in one query."""
    engine = engine.in_any_order()
    tables: dict[int, list[tuple[str, RowCheck]]] = {}
    for i, check in enumerate(checks):
        tables.setdefault(id(check.table), []).append((f"bad_{i}", check))
    sums = [
        engine.group(part[0][1].table, (), [Aggregate(n, "sum", c.bad.cast(pl.Float64)) for n, c in part])
        for part in tables.values()
    ]
    counts = engine.numbers(functools.reduce(lambda one, other: engine.join(one, other, (), "inner"), sums))
    return [int(counts[f"bad_{i}"] or 0) for i in range(len(checks))]
