"""An iterator of frames as a lazy frame."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

import polars as pl
from polars.io.plugins import register_io_source


def lazy(
    schema: Mapping[str, pl.DataType | type[pl.DataType]],
    produce: Callable[[list[str]], Iterator[pl.DataFrame]],
    name: str,
) -> pl.LazyFrame:
    """A lazy frame that reads when it is collected, chunk after chunk.

    Args:
        schema: its columns and their types.
        produce: yields frames with the requested columns; called each time the lazy frame is read.
        name: what `explain` shows.
    """

    def source(
        columns: list[str] | None, predicate: pl.Expr | None, rows: int | None, _: int | None
    ) -> Iterator[pl.DataFrame]:
        # Polars counts `rows` before the predicate, and lists the predicate's columns among `columns`.
        remaining = rows
        for batch in produce(list(schema) if columns is None else columns):
            frame = batch if remaining is None else batch.head(remaining)
            remaining = None if remaining is None else remaining - frame.height
            yield frame if predicate is None else frame.filter(predicate)
            if remaining == 0:
                return

    return register_io_source(source, schema=dict(schema), is_pure=True, explain_name=name)
