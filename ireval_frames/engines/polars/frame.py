"""A frame of Polars: a lazy frame or one in memory, with its column names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

from ireval_frames.engines.frame import Frame
from ireval_frames.engines.polars.expressions import expression
from ireval_frames.expr import Expr


class PolarsFrame(Frame):
    """Rows of this process.

    Args:
        native: a lazy frame, or one in memory.
        columns: its column names, where they are known.
        in_memory: its rows are in memory, or computed from such row by row.
    """

    def __init__(
        self,
        native: pl.LazyFrame | pl.DataFrame,
        columns: Sequence[str] | None = None,
        *,
        in_memory: bool | None = None,
    ) -> None:
        self._native = native
        self.columns = tuple(native.collect_schema().names()) if columns is None else tuple(columns)
        self.in_memory = isinstance(native, pl.DataFrame) if in_memory is None else in_memory
        self._types: Mapping[str, Any] | None = None

    def project(self, columns: Mapping[str, Expr]) -> PolarsFrame:
        """Exactly these columns."""
        if isinstance(self._native, pl.DataFrame) and all(e.is_column for e in columns.values()):
            names = [e.name for e in columns.values()]
            if len(set(names)) == len(names):
                rows = self._native[names]
                rows.columns = list(columns)
                return self._derive(rows, columns)
        return self._derive(self._native.select(expression(e).alias(n) for n, e in columns.items()), columns)

    def assign(self, columns: Mapping[str, Expr]) -> PolarsFrame:
        """With these columns added or replaced."""
        native = self._native.with_columns(expression(e).alias(n) for n, e in columns.items())
        return self._derive(native, dict.fromkeys((*self.columns, *columns)))

    def where(self, condition: Expr) -> PolarsFrame:
        """The rows for which the condition is true."""
        return self._derive(self._native.filter(expression(condition)), self.columns)

    def unique(self) -> PolarsFrame:
        """The distinct rows."""
        return PolarsFrame(self._native.lazy().unique(maintain_order=True), self.columns)

    def count_by(self, *keys: str, in_order: bool = True) -> PolarsFrame:
        """A row per distinct keys, with the number of their rows."""
        rows = self._native.lazy().group_by(*keys, maintain_order=in_order).agg(n=pl.len().cast(pl.Int64))
        return PolarsFrame(rows, (*keys, "n"))

    def concat(self, others: Sequence[PolarsFrame]) -> PolarsFrame:
        """The rows of this frame, then those of others with the same columns."""
        frames = [self, *others]
        eager = [f.rows for f in frames if isinstance(f.rows, pl.DataFrame)]
        if len(eager) == len(frames):
            return PolarsFrame(pl.concat(eager), self.columns)
        return PolarsFrame(pl.concat([f.to_native() for f in frames]), self.columns)

    def explode(self, column: str) -> PolarsFrame:
        """A row for each value of a column of lists."""
        return PolarsFrame(self._native.lazy().explode(column), self.columns)

    def explode_lists(self, columns: Sequence[str], number: str) -> PolarsFrame:
        """A row for each element of several columns of lists, and its position."""
        rows, types = self._native.lazy(), self._native.lazy().collect_schema()
        rows = rows.with_columns(pl.col(c).arr.to_list() for c in columns if isinstance(types[c], pl.Array))
        rows = rows.with_columns(pl.int_ranges(1, pl.col(columns[0]).list.len().cast(pl.Int64) + 1).alias(number))
        return PolarsFrame(rows.explode(*columns, number, empty_as_null=True), (*self.columns, number))

    def with_row_index(self, name: str, order_by: Sequence[str]) -> PolarsFrame:
        """With the number of each row in an order."""
        rows = self._native.lazy().with_row_index("ireval_row").sort(*order_by, nulls_last=False)
        rows = rows.with_row_index(name).sort("ireval_row").select(name, *self.columns)
        return PolarsFrame(rows, (name, *self.columns))

    def sort(self, *names: str) -> PolarsFrame:
        """The rows sorted by these columns."""
        return self._derive(self._native.sort(*names, nulls_last=False), self.columns) if names else self

    def head(self, n: int) -> PolarsFrame:
        """The first n rows."""
        return self._derive(self._native.head(n), self.columns)

    def dtype(self, name: str) -> Any:
        """The Polars type of a column."""
        return self.types[name]

    @property
    def types(self) -> Mapping[str, Any]:
        """The Polars types of the columns."""
        if self._types is None:
            self._types = self._native.collect_schema()
        return self._types

    @property
    def height(self) -> int | None:
        """The number of rows, if they are in memory."""
        return self._native.height if isinstance(self._native, pl.DataFrame) else None

    def replace_rows(self, rows: pl.DataFrame) -> None:
        """Read these rows, which are its own, from now on."""
        self._native = rows.lazy()

    def lazy(self) -> PolarsFrame:
        """The frame as a lazy one."""
        if isinstance(self._native, pl.LazyFrame):
            return self
        return PolarsFrame(self._native.lazy(), self.columns, in_memory=True)

    @property
    def rows(self) -> pl.LazyFrame | pl.DataFrame:
        """The lazy frame, or the rows in memory."""
        return self._native

    def to_native(self) -> pl.LazyFrame:
        """The rows as a lazy frame."""
        return self._native.lazy()

    def _derive(self, native: pl.LazyFrame | pl.DataFrame, columns: Any) -> PolarsFrame:
        return PolarsFrame(native, tuple(columns), in_memory=self.in_memory)
