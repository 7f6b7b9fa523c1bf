"""What an engine must offer: about ten primitives.  Everything else is Narwhals."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

import narwhals.stable.v2 as nw
import polars as pl


def lazy(native: Any) -> nw.LazyFrame:
    """An engine's own frame as Narwhals' lazy frame."""
    frame: nw.LazyFrame = nw.from_native(native)
    return frame


@dataclass(frozen=True)
class Aggregate:
    """One aggregate of a group-by; `order` asks for a sum term by term in that column's order."""

    name: str
    how: Literal["sum", "mean", "max", "min", "count"]
    expr: nw.Expr
    order: str | None = None


@dataclass(frozen=True)
class Ranking:
    """What to rank: groups, order, what must be unique, and which rows are wanted afterwards."""

    keys: tuple[str, ...]
    order_by: tuple[tuple[str, bool], tuple[str, bool]]
    """The value and the id that breaks its ties, and whether each descends."""
    unique: bool = True
    depth: int | None = None
    on: tuple[str, ...] = ()
    """Columns shared with the partner; empty keeps every row."""
    rules: tuple[Rule, ...] = field(default=())
    duplicate: Callable[[pl.DataFrame, int], Exception] = field(
        default=lambda rows, count: ValueError(f"{count} duplicates", rows), compare=False
    )

    @property
    def id(self) -> str:
        """The column that tells the rows of a group apart."""
        return self.order_by[-1][0]


@dataclass(frozen=True)
class Rule:
    """Rows that an input must not have, and the error that says so."""

    bad: nw.Expr
    error: Callable[[pl.DataFrame, int], Exception]


class RankedRows(Protocol):
    """A ranked table: made on first use, once."""

    def rows(self) -> nw.LazyFrame:
        """The wanted rows with their `rank`."""

    def groups(self) -> nw.LazyFrame:
        """A row per group with its number of rows `n`."""

    def check(self) -> None:
        """Raise the error of the first rule that a row breaks."""


class Engine(Protocol):
    """Where a plan runs."""

    name: str

    def join(
        self, left: nw.LazyFrame, right: nw.LazyFrame, on: Sequence[str], how: Literal["inner", "left"]
    ) -> nw.LazyFrame:
        """Null equals null; of `right`'s columns those that `left` has are dropped; no `on` is a cross join."""

    def group(self, frame: nw.LazyFrame, keys: Sequence[str], aggregates: Sequence[Aggregate]) -> nw.LazyFrame:
        """One row per distinct keys.  Sums are compensated where that is free, ordered where asked."""

    def rank(
        self, frame: nw.LazyFrame | nw.DataFrame[Any], ranking: Ranking, partner: nw.LazyFrame | None
    ) -> RankedRows:
        """1, 2, … within groups; with a partner only rows that it has too are wanted."""

    def levels(
        self, frame: nw.LazyFrame, keys: Sequence[str], by: str, flag: nw.Expr, weight: nw.Expr | None
    ) -> nw.LazyFrame:
        """A row per distinct keys and `by`, from the largest down.

        `yes` and `no` are the number (or weight) of the rows whose flag is true, and of the others; `yes_so_far` and
        `no_so_far` are those of all rows of the same keys whose `by` is not smaller.
        """

    def sets(self, frame: nw.LazyFrame, keys: Sequence[str], of: str, name: str) -> nw.LazyFrame:
        """A row per distinct keys, and a name of the set of their values of `of`.

        A name is a number or a text; equal sets have equal names, others not.  Values are not null.
        """

    def spread(self, frame: nw.LazyFrame, low: str, high: str, key: str) -> nw.LazyFrame:
        """Every row once for each integer from `low` to `high`, which becomes the column `key`."""

    def from_polars(self, frame: pl.DataFrame) -> Any:
        """A frame of our own as a native frame of the engine."""

    def number(self, frame: nw.LazyFrame, name: str) -> nw.LazyFrame:
        """The rows with a number each, for tables whose rows have no id."""

    def hashed(self, frame: nw.LazyFrame, column: str, seed: int, name: str) -> nw.LazyFrame:
        """With a portable hash of an id and a seed, from 0 to 2^63 − 1.

        The last half of the MD5 of `seed:id`, read from its low end.
        """

    def apply(
        self,
        frame: nw.LazyFrame,
        function: Callable[[pl.DataFrame], pl.DataFrame],
        keys: Sequence[str],
        adds: Mapping[str, Any],
    ) -> nw.LazyFrame:
        """The result of a Python function of all rows.

        The columns `keys` of `frame` and those of `adds`, with their Polars types.
        """

    def once(self, frame: nw.LazyFrame) -> nw.LazyFrame:
        """The same rows, made at most once however often they are read."""

    def shared(self, frame: nw.LazyFrame) -> nw.LazyFrame:
        """The same rows; several tables read them, and one run of the plan should make them once."""

    def stage(self, frame: nw.LazyFrame, name: str) -> nw.LazyFrame:
        """Give a stage its name in the SQL text; nothing elsewhere."""

    def errors(self) -> AbstractContextManager[None]:
        """Turns the engine's own errors inside it into ours."""

    def collect(self, frame: nw.LazyFrame) -> pl.DataFrame:
        """The rows as a Polars frame."""
