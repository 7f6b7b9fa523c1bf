"""What an engine must offer.

A plan's frames are the engine's own (`frame.Frame`), and their expressions are ours (`expr/`).  Beyond that an engine
has the operations below.  Those with a body here use the others alone and hold for every engine; an engine may have a
faster one, which the tests hold equal to it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import polars as pl

from ireval_frames.engines.frame import Frame
from ireval_frames.engines.inputs.frames import Read
from ireval_frames.expr import Expr, col, lit, when

if TYPE_CHECKING:
    from ireval_frames.engines.ranked_rows import RankedRows

# How many rows an error gets.
SHOWN = 10

How = Literal[
    "sum", "plain_sum", "mean", "max", "min", "count", "present", "any", "quantile", "value_at", "variance"
]  # fmt: skip
Function = Callable[[pl.DataFrame], pl.DataFrame]


@dataclass(frozen=True)
class Aggregate:
    """One aggregate of a group-by.

    Attributes:
        name: the column it becomes.
        how: sums of nothing are 0; a plain sum is nowhere compensated, half the work in DuckDB where columns are many;
            counts are of rows, "present" of values that are not null; "any" is some value that is not null; the
            variance is over n − 1 in one pass, null for fewer than two values (`Table.variance` takes two passes).
        expr: what is aggregated.
        order: a sum adds term by term in the order of this column.
        at: the quantile, from 0 to 1, interpolated linearly; of "value_at" it is a value of the column, the first that
            at least this share do not exceed.
    """

    name: str
    how: How
    expr: Expr
    order: str | None = None
    at: float = 0.5


@dataclass(frozen=True)
class Ranking:
    """What to rank: groups, order, what must be unique, and which rows are returned.

    Attributes:
        keys: the columns whose values make a group.
        order_by: the value and the id that breaks its ties, and whether each descends.
        unique: an id occurs once in a group.
        depth: ranks down to this one are returned; None returns all.
        on: columns shared with the partner; empty returns every row.
        rules: what rows must not be.
        duplicate: the error for ids that occur several times, from such rows and their number.
    """

    keys: tuple[str, ...]
    order_by: tuple[tuple[str, bool], tuple[str, bool]]
    unique: bool = True
    depth: int | None = None
    on: tuple[str, ...] = ()
    rules: tuple[Rule, ...] = field(default=())
    duplicate: Callable[[pl.DataFrame, int], Exception] = field(
        default=lambda rows, count: ValueError(f"{count} duplicates", rows), compare=False
    )

    @property
    def id(self) -> str:
        """The column that identifies a row within its group."""
        return self.order_by[-1][0]


@dataclass(frozen=True)
class Rule:
    """Rows that an input must not have, and the error that says so."""

    bad: Expr
    error: Callable[[pl.DataFrame, int], Exception]


@dataclass(frozen=True)
class Part:
    """Columns that rows get from another frame by a left join.

    Attributes:
        frame: at most one row per keys.
        on: the keys.
        zero: its columns that are 0 for rows without a match, and where they are null; others are null.
    """

    frame: Frame
    on: tuple[str, ...]
    zero: tuple[str, ...] = ()


def added_columns(left: Frame, right: Frame, on: Sequence[str]) -> list[str]:
    """The columns that a join adds to those of its left side."""
    return [c for c in right.columns if c not in on and c not in left.columns]


# How ranks are computed: read from rows in order, by counting the rows before each requested one, or by sorting.
Way = Literal["read", "counted", "sorted"]


class Engine(ABC):
    """Where a plan runs.

    Attributes:
        name: what `engine=` calls it.
        ordered_rows: rows have an order, which is preserved.
        case_sensitive: names that differ in case are different names.
        in_process: rows are in this process, so steps in Python need no transport.
        runs_python: it runs steps in Python; measures that have one are refused elsewhere, before anything is computed.
        writes_sql: it runs nothing, and reads files under our column names.
        classes_as_text: it reads classes as text, also those that are numbers.
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
        """The engine for the first table, in the user's connection if there is one."""
        del first, con
        return cls()

    @classmethod
    def is_table(cls, table: Any) -> bool:
        """Whether a user's table belongs to this engine; for engines of other packages."""
        del table
        return False

    @classmethod
    def is_connection(cls, con: Any) -> bool:
        """Whether it is a connection of this engine; for engines of other packages."""
        del con
        return False

    # ---- tables

    @abstractmethod
    def open_table(self, table: Any, name: str, read: Read) -> Frame:
        """A user's table as a frame: `name` is what errors call it, `read` reads a path."""

    def names_table(self, table: Any) -> bool:
        """Whether it is the name of a table of the engine's connection or session, rather than a path."""
        del table
        return False

    @abstractmethod
    def from_polars(self, frame: pl.DataFrame) -> Frame:
        """A Polars frame as a frame of this engine."""

    @abstractmethod
    def collect(self, frame: Frame) -> pl.DataFrame:
        """The rows as a Polars frame."""

    def session_table(self, table: Any) -> tuple[str, Mapping[str, Any]] | None:
        """The name of a table of a session ("" for a frame of it) and the types of its columns; None for others.

        SQL text names such tables, in the dialect of that session's engine.
        """
        del table
        return None

    def numbers(self, frame: Frame) -> dict[str, Any]:
        """The values of a frame of numbers with one row."""
        return self.collect(frame).row(0, named=True)

    @property
    def in_order(self) -> bool:
        """Whether groups and joins keep the order of rows, so that sums are the same again."""
        return False

    def in_any_order(self) -> Engine:
        """The engine for what does not depend on the order of rows, such as counts."""
        return self

    def enforces(self, checks: Sequence[Any]) -> bool:
        """Whether its statements enforce these checks themselves; else they run before it does."""
        del checks
        return False

    @abstractmethod
    def errors(self) -> AbstractContextManager[None]:
        """A context in which the engine's own errors become ours."""

    @abstractmethod
    def materialise(self, frame: Frame) -> Frame:
        """The same rows, computed now and stored until `close`."""

    def release(self, frame: Frame) -> None:  # noqa: B027 - what is in this process is freed by itself
        """Free one frame that was materialised."""

    def close(self) -> None:  # noqa: B027 - what is in this process is freed by itself
        """Free all that was materialised."""

    # ---- rows and groups

    @abstractmethod
    def join(self, left: Frame, right: Frame, on: Sequence[str], how: Literal["inner", "left"]) -> Frame:
        """A join in which null equals null; a column of both comes from the left; without `on` a cross join."""

    def attach(self, frame: Frame, parts: Sequence[Part]) -> Frame:
        """Left joins with other frames, one after the other: keys may be columns of an earlier one."""
        for part in parts:
            frame = self.join(frame, part.frame, part.on, "left")
            frame = frame.with_columns(**{c: col(c).fill_null(0.0) for c in part.zero})
        return frame

    @abstractmethod
    def group(self, frame: Frame, keys: Sequence[str], aggregates: Sequence[Aggregate]) -> Frame:
        """One row per distinct keys.  Sums are compensated where that costs nothing, and ordered on request."""

    def knows_unique(self, frame: Frame, keys: Sequence[str]) -> bool:
        """Whether a quick look shows that no two rows have equal keys; False says nothing."""
        del frame, keys
        return False

    @abstractmethod
    def rank(self, frame: Frame, ranking: Ranking, partner: Frame | None) -> RankedRows:
        """Ranks 1, 2, … within groups; with a partner only rows that it has too are returned."""

    def ranked_in_order(self, frame: Frame, ranking: Ranking) -> Frame:
        """All rows with their `rank`; where rows have an order, that of the keys and ranks."""
        return self.rank(frame, ranking, None).rows()

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

    def neighbours(
        self,
        frame: Frame,
        keys: Sequence[str],
        order_by: str,
        before: Mapping[str, str],
        after: Mapping[str, str],
        place: str | None = None,
    ) -> Frame:
        """With columns of the row before and after among those of equal keys, null where none is; `place` numbers them.

        `before` and `after` have new names → columns; the values of `order_by` differ.
        """
        new = {name: col(c).shift(n) for n, names in ((1, before), (-1, after)) for name, c in names.items()}
        new |= {} if place is None else {place: col(order_by).cum_count()}
        return self.shared(frame.with_columns(**{k: e.over(*keys, order_by=order_by) for k, e in new.items()}))

    @abstractmethod
    def set_ids(self, frame: Frame, keys: Sequence[str], of: str, name: str) -> Frame:
        """A row per distinct keys, and an id (a number or text) of the set of their values of `of`.

        Equal sets have equal ids, other sets others.  Values are not null.
        """

    @abstractmethod
    def expand_range(self, frame: Frame, low: str, high: str, key: str) -> Frame:
        """A row for each integer from `low` to `high`, which becomes the column `key`."""

    @abstractmethod
    def number(self, frame: Frame, name: str) -> Frame:
        """With a row number, for tables whose rows have no id."""

    @abstractmethod
    def hashed(self, frame: Frame, column: str, seed: int, name: str) -> Frame:
        """With a portable hash of an id and a seed, from 0 to 2^63 − 1.

        It is the last half of the MD5 of `seed:id`, read from its low end.
        """

    def hash_sums(self, frame: Frame, by: Sequence[str], columns: Sequence[str]) -> tuple[str, pl.DataFrame] | None:
        """The kind of this engine's hashes, and a row per group: [by …] n_rows, total.

        The total, as text, is the sum over all rows of the hashes of their values in `columns`; it does not depend on
        the order of rows, but on that of the columns' values.  None where rows are hashed in this process.
        """
        del frame, by, columns
        return None

    @abstractmethod
    def apply(
        self, frame: Frame, function: Function, by: Sequence[str], keys: Sequence[str], adds: Mapping[str, Any]
    ) -> Frame:
        """The result of a Python function of the rows of each group of `by`, or of several groups at once.

        The result has the columns `keys` of `frame` and those of `adds`, with their Polars types.  The function treats
        each group by itself, so an engine may pass them one by one, or all together.  It runs with the first result.
        """

    def compute_once(self, frame: Frame, *, in_parts: bool = False) -> Frame:
        """The same rows, computed at most once however often they are read.

        Args:
            frame: the rows.
            in_parts: what they are computed from is large: it is read in parts, which takes the memory of the result.
        """
        del in_parts
        return frame

    def shared(self, frame: Frame) -> Frame:
        """The same rows; several tables read them, and one run of the plan should compute them once."""
        return frame

    def stage(self, frame: Frame, name: str) -> Frame:
        """The rows of a table of the plan, under its name where the engine's text shows names."""
        return frame

    # ---- iteration

    @contextmanager
    def scope(self) -> Iterator[None]:
        """What is materialised inside is freed at its end, also after an error."""
        try:
            yield
        finally:
            self.close()
