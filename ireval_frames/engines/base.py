"""What an engine must offer.

A plan's frames are an engine's own (`frame.Frame`), and their expressions are Narwhals'.  Beyond that an engine has the
primitives below.  Those with a body here are written in these words alone, which holds for every engine; an engine may
have a faster one, which a test holds equal to it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal, Protocol

import polars as pl

from ireval_frames.engines.frame import Frame
from ireval_frames.engines.inputs.frames import Read
from ireval_frames.expr import Expr, col, lit, when

# How many rows an error is handed.
SHOWN = 10

How = Literal["sum", "plain_sum", "mean", "max", "min", "count", "present", "any", "quantile", "variance"]
Function = Callable[[pl.DataFrame], pl.DataFrame]


@dataclass(frozen=True)
class Aggregate:
    """One aggregate of a group-by.

    Attributes:
        name: the column it becomes.
        how: sums of nothing are 0; a plain sum is nowhere compensated, half the work in DuckDB where columns are many;
            counts are of rows, "present" of values that are not null; "any" is some value that is not null; the
            variance is over n − 1 in one pass, null for fewer than two values (`Table.variance` takes two passes).
        expr: of what.
        order: asks for a sum term by term in that column's order.
        at: of a quantile, from 0 to 1, interpolated linearly.
    """

    name: str
    how: How
    expr: Expr
    order: str | None = None
    at: float = 0.5


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

    bad: Expr
    error: Callable[[pl.DataFrame, int], Exception]


@dataclass(frozen=True)
class Part:
    """Columns that rows get from another frame, in which they are found by its keys.

    Attributes:
        frame: at most one row per keys.
        on: the keys.
        zero: its columns that are 0 for rows that are not found, and where they are null; others are null.
    """

    frame: Frame
    on: tuple[str, ...]
    zero: tuple[str, ...] = ()


def added(left: Frame, right: Frame, on: Sequence[str]) -> list[str]:
    """The columns that a join adds to those of its left side."""
    return [c for c in right.columns if c not in on and c not in left.columns]


# How ranks are found: lists stand in order, rows before each wanted one are counted, or lists are sorted.
Way = Literal["read", "counted", "sorted"]


class RankedRows(Protocol):
    """A ranked table: made on first use, once."""

    def rows(self) -> Frame:
        """The wanted rows with their `rank`."""

    def groups(self) -> Frame:
        """A row per group with its number of rows `n`."""

    def check(self) -> None:
        """Raise the error of the first rule that a row breaks."""

    def ways(self) -> frozenset[Way]:
        """How the ranks were found; nothing before they are."""

    def sums(self, columns: Sequence[str], by: Sequence[str]) -> pl.DataFrame | None:
        """[by …] n_rows, and the sum of the hashes of all rows, if finding the ranks can give it; the ranks are found.

        None where they were found before, or otherwise.

        Args:
            columns: those of the rows.
            by: some of the keys, whose groups are summed apart.
        """


class Engine(ABC):
    """Where a plan runs.

    Attributes:
        name: what `engine=` calls it.
        ordered_rows: frames have an order of rows, which stays.
        case_sensitive: names that differ in case are different names.
        in_process: rows are in this process, so that steps in Python cost no transport.
        runs_python: it runs steps in Python; measures that have one are refused elsewhere, before anything is computed.
        writes_sql: it runs nothing, and reads files under our names.
        classes_as_text: classes are text to it, also those that are numbers.
    """

    name: ClassVar[str]
    ordered_rows: ClassVar[bool] = False
    case_sensitive: ClassVar[bool] = True
    in_process: ClassVar[bool] = False
    runs_python: ClassVar[bool] = True
    writes_sql: ClassVar[bool] = False
    classes_as_text: ClassVar[bool] = False

    # ---- opening

    @classmethod
    def open(cls, first: Any, con: Any) -> Engine:
        """The engine beside the first table, in the user's connection if there is one."""
        del first, con
        return cls()

    @classmethod
    def is_table(cls, table: Any) -> bool:
        """Whether a table that was handed in is one of this engine; asked of engines of other packages."""
        del table
        return False

    @classmethod
    def is_connection(cls, con: Any) -> bool:
        """Whether it is a connection of this engine; asked of engines of other packages."""
        del con
        return False

    # ---- tables

    @abstractmethod
    def open_table(self, given: Any, name: str, read: Read) -> Frame:
        """What a user handed in as a frame; `read` reads a path."""

    def names_table(self, given: Any) -> bool:
        """Whether it is the name of a table that is where the engine is, rather than a path."""
        del given
        return False

    @abstractmethod
    def from_polars(self, frame: pl.DataFrame) -> Frame:
        """A frame of our own."""

    @abstractmethod
    def collect(self, frame: Frame) -> pl.DataFrame:
        """The rows as a Polars frame."""

    def session_table(self, given: Any) -> tuple[str, Mapping[str, Any]] | None:
        """The name of a table of a session (a frame of it has none), and the types of its columns; None for others.

        SQL text speaks of such tables by their names, in the words of that session's engine.
        """
        del given
        return None

    def numbers(self, frame: Frame) -> dict[str, Any]:
        """The values of a frame of one row that holds numbers."""
        return self.collect(frame).row(0, named=True)

    def enforces(self, checks: Sequence[Any]) -> bool:
        """Whether what it writes holds tables to these checks itself; else they are counted before it runs."""
        del checks
        return False

    @abstractmethod
    def errors(self) -> AbstractContextManager[None]:
        """Turns the engine's own errors inside it into ours."""

    @abstractmethod
    def materialise(self, frame: Frame) -> Frame:
        """The same rows, computed now and kept until `close`."""

    def release(self, frame: Frame) -> None:  # noqa: B027 - what this process collects is let go by itself
        """Let go of one frame that was materialised."""

    def close(self) -> None:  # noqa: B027 - what this process collects is let go by itself
        """Let go of all that was materialised."""

    # ---- rows and groups

    @abstractmethod
    def join(self, left: Frame, right: Frame, on: Sequence[str], how: Literal["inner", "left"]) -> Frame:
        """Null equals null; a column that both have is the left one's; no `on` is a cross join."""

    def attach(self, frame: Frame, parts: Sequence[Part]) -> Frame:
        """The rows with the columns of other frames, one after the other: keys may be columns of an earlier one."""
        for part in parts:
            frame = self.join(frame, part.frame, part.on, "left")
            frame = frame.with_columns(**{c: col(c).fill_null(0.0) for c in part.zero})
        return frame

    @abstractmethod
    def group(self, frame: Frame, keys: Sequence[str], aggregates: Sequence[Aggregate]) -> Frame:
        """One row per distinct keys.  Sums are compensated where that is free, ordered where asked."""

    def knows_unique(self, frame: Frame, keys: Sequence[str]) -> bool:
        """Whether it is quickly seen that no two rows have equal keys; False says nothing."""
        del frame, keys
        return False

    @abstractmethod
    def rank(self, frame: Frame, ranking: Ranking, partner: Frame | None) -> RankedRows:
        """1, 2, … within groups; with a partner only rows that it has too are wanted."""

    def cumulative_counts(self, frame: Frame, keys: Sequence[str], by: str, flag: Expr, weight: Expr | None) -> Frame:
        """A row per distinct keys and `by`, from the largest down.

        `positives` and `negatives` are the number (or weight) of the rows whose flag is true, and of the others;
        `cum_positives` and `cum_negatives` are those of all rows of the same keys whose `by` is not smaller.
        """
        one = lit(1.0) if weight is None else weight
        flags = {
            "positives": when(flag).then(one).otherwise(0.0),
            "negatives": when(flag).then(0.0).otherwise(one),
        }
        # Adding zero makes -0.0 equal to 0.0.
        terms = frame.select(*keys, **{by: col(by) + 0.0}, **flags)
        rows = self.group(terms, (*keys, by), [Aggregate(name, "sum", col(name)) for name in flags])
        running = {f"cum_{n}": col(n).cum_sum(reverse=True).over(*keys, order_by=by) for n in flags}
        return self.shared(rows.with_columns(**running))

    @abstractmethod
    def set_ids(self, frame: Frame, keys: Sequence[str], of: str, name: str) -> Frame:
        """A row per distinct keys, and a number or text that names the set of their values of `of`.

        Equal sets have equal names, others not.  Values are not null.
        """

    @abstractmethod
    def expand_range(self, frame: Frame, low: str, high: str, key: str) -> Frame:
        """Every row once for each integer from `low` to `high`, which becomes the column `key`."""

    @abstractmethod
    def number(self, frame: Frame, name: str) -> Frame:
        """The rows with a number each, for tables whose rows have no id."""

    @abstractmethod
    def hashed(self, frame: Frame, column: str, seed: int, name: str) -> Frame:
        """With a portable hash of an id and a seed, from 0 to 2^63 − 1.

        It is the last half of the MD5 of `seed:id`, read from its low end.
        """

    def hash_sums(self, frame: Frame, by: Sequence[str], columns: Sequence[str]) -> tuple[str, pl.DataFrame] | None:
        """What tells this engine's hashes from others, and a row per group: [by …] n_rows, total.

        The total is the sum of the hashes of all rows, of their values in `columns`, as text; it says nothing of the
        order of rows, and tells `a, b` from `b, a`.  None where rows are hashed in this process.
        """
        del frame, by, columns
        return None

    @abstractmethod
    def apply(
        self, frame: Frame, function: Function, by: Sequence[str], keys: Sequence[str], adds: Mapping[str, Any]
    ) -> Frame:
        """The result of a Python function of the rows of each group of `by`, or of several groups at once.

        The result has the columns `keys` of `frame` and those of `adds`, with their Polars types.  The function treats
        groups apart, so an engine may hand them over one by one, or all together.  It runs with the first result.
        """

    def compute_once(self, frame: Frame) -> Frame:
        """The same rows, made at most once however often they are read."""
        return frame

    def shared(self, frame: Frame) -> Frame:
        """The same rows; several tables read them, and one run of the plan should make them once."""
        return frame

    def stage(self, frame: Frame, name: str) -> Frame:
        """The rows of a table of the plan, under its name where the engine shows names."""
        return frame

    # ---- iteration

    @contextmanager
    def scope(self) -> Iterator[None]:
        """What is materialised inside is let go at its end, also by an error."""
        try:
            yield
        finally:
            self.close()
