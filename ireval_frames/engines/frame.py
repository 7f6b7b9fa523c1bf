"""A lazy table as plans and families handle it: columns by name, expressions (`expr/`), and a few methods.

Every engine has a frame class of its own.  Column names are known without a query; types are looked up when needed.
Row order is never assumed.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Self, TypeVar

from ireval_frames.errors import NotDefined
from ireval_frames.expr import Expr, col

F = TypeVar("F", bound="Frame")


class Schema(Mapping[str, Any]):
    """The names of a frame's columns, and their Polars types, which are looked up when one is read."""

    def __init__(self, frame: Frame) -> None:
        self._frame = frame

    def names(self) -> list[str]:
        """The names, in order."""
        return list(self._frame.columns)

    def __getitem__(self, name: str) -> Any:
        return self._frame.dtype(name)

    def __iter__(self) -> Iterator[str]:
        return iter(self._frame.columns)

    def __len__(self) -> int:
        return len(self._frame.columns)


class Frame(ABC):
    """A lazy table of an engine.

    Attributes:
        columns: the names, in order.
    """

    columns: tuple[str, ...]

    # ---- abstract: an engine writes these

    @abstractmethod
    def project(self, columns: Mapping[str, Expr]) -> Self:
        """Exactly these columns."""

    @abstractmethod
    def assign(self, columns: Mapping[str, Expr]) -> Self:
        """With these columns added or replaced; each expression reads the columns as they were."""

    @abstractmethod
    def where(self, condition: Expr) -> Self:
        """The rows for which the condition is true."""

    @abstractmethod
    def unique(self) -> Self:
        """The distinct rows."""

    @abstractmethod
    def count_by(self, *keys: str, in_order: bool = True) -> Self:
        """A row per distinct keys, with the number of their rows, an integer `n`.

        Args:
            keys: columns.
            in_order: of an engine that has one, in the order of each key's first row; otherwise in any.
        """

    @abstractmethod
    def concat(self, others: Sequence[Self]) -> Self:
        """The rows of this frame, then those of others with the same columns."""

    @abstractmethod
    def explode(self, column: str) -> Self:
        """A row for each value of a column of lists; null for lists that are null or empty."""

    def explode_lists(self, columns: Sequence[str], number: str) -> Self:
        """A row for each element of several columns of lists of one length, and its position `number`, from 1.

        Lists that are null or empty give a row of nulls.

        Raises:
            NotDefined: the engine does not explode several lists at once.
        """
        raise NotDefined(
            f"Lists in {len(columns)} columns of {type(self).__name__} cannot be exploded together.",
            "Pass a table with a row for each of their elements.",
        )

    @abstractmethod
    def with_row_index(self, name: str, order_by: Sequence[str]) -> Self:
        """With the number of each row in an order, from 0, before the other columns; nulls come first."""

    @abstractmethod
    def sort(self, *names: str) -> Self:
        """The rows sorted by these columns, ascending, nulls first: the last step before they are read."""

    @abstractmethod
    def head(self, n: int) -> Self:
        """Any n rows."""

    @abstractmethod
    def dtype(self, name: str) -> Any:
        """The Polars type of a column."""

    @abstractmethod
    def to_native(self) -> Any:
        """The engine's own object."""

    # ---- derived from them

    def collect_schema(self) -> Schema:
        """Names and types."""
        return Schema(self)

    @property
    def height(self) -> int | None:
        """The number of rows, where it is known without reading them."""
        return None

    def lazy(self) -> Self:
        """The frame as a lazy one."""
        return self

    def select(self, *columns: str | Expr, **named: str | Expr) -> Self:
        """These columns: names, expressions under their own names, and expressions under new ones."""
        return self.project(_by_name(columns, named))

    def with_columns(self, *columns: str | Expr, **named: str | Expr) -> Self:
        """With these columns added or replaced."""
        assigned = _by_name(columns, named)
        return self.assign(assigned) if assigned else self

    def filter(self, *conditions: Expr) -> Self:
        """The rows for which all conditions are true."""
        out = self
        for condition in conditions:
            out = out.where(condition)
        return out

    def rename(self, names: Mapping[str, str]) -> Self:
        """With other names; names of no column are ignored."""
        return self.project({names.get(c, c): col(c) for c in self.columns})

    def drop(self, *names: str) -> Self:
        """Without these columns."""
        return self.project({c: col(c) for c in self.columns if c not in names})


def _by_name(columns: tuple[str | Expr, ...], named: Mapping[str, str | Expr]) -> dict[str, Expr]:
    out: dict[str, Expr] = {}
    for expr in columns:
        if isinstance(expr, str):
            out[expr] = col(expr)
        else:
            out[expr.output_name] = expr.without_alias()
    for name, value in named.items():
        out[name] = col(value) if isinstance(value, str) else value
    return out


def concat(frames: Sequence[F]) -> F:
    """The rows of frames of the same columns, one after another."""
    return frames[0].concat(frames[1:]) if len(frames) > 1 else frames[0]
