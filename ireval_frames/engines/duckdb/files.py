"""Paths as tables of DuckDB: it reads local Parquet files itself; others are streamed, and text is read at once."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import polars as pl

from ireval_frames.engines.inputs.file_errors import in_memory
from ireval_frames.engines.inputs.frames import Read, check_names, checked_frame
from ireval_frames.engines.polars.batches import batches
from ireval_frames.engines.sql.frame import SQLFrame
from ireval_frames.engines.sql.statement import Step

if TYPE_CHECKING:
    from ireval_frames.engines.duckdb.engine import DuckDBEngine


def files(engine: DuckDBEngine, path: Any, name: str, read: Read) -> SQLFrame:
    """The frame of a path, or of several.

    Args:
        engine: the engine of the frame.
        path: the path.
        name: what errors call the table.
        read: how it is read.
    """
    # Errors in files are reported as on every engine.
    rows = read(path)
    tables = read.tables(path)
    if tables and all(table.plain for table in tables):
        check_names(tuple(tables[0].types), name, "DuckDB")
        types = dict(tables[0].types)
        text = "\nUNION ALL\n".join(table.select() for table in tables)
        return SQLFrame(engine, Step((text,), tuple(types), types=types))
    if tables or read.streams(path):
        schema = checked_frame(pl.DataFrame(schema=rows.collect_schema()), name).schema
        return engine.external(Streamed(rows.with_columns(pl.col(pl.Float16).cast(pl.Float32))), schema)
    return engine.from_polars(checked_frame(in_memory(rows, path, name, read), name))


class Streamed:
    """A lazy frame as an Arrow stream, read anew by every statement.

    Attributes:
        failure: the exception while it was read, of which DuckDB raises only the text.
    """

    def __init__(self, frame: pl.LazyFrame) -> None:
        self._frame = frame
        self._types = frame.collect_schema()
        self.failure: BaseException | None = None

    def __arrow_c_stream__(self, requested_schema: object = None) -> Any:
        """A new stream for every reader."""
        import pyarrow as pa

        schema = pl.DataFrame(schema=self._types).to_arrow().schema
        reader = pa.RecordBatchReader.from_batches(schema, self._batches(schema))
        return reader.__arrow_c_stream__(requested_schema)

    def _batches(self, schema: Any) -> Iterator[Any]:
        try:
            for rows in batches(self._frame):
                yield from rows.to_arrow().cast(schema).to_batches()
        except BaseException as error:
            self.failure = error
            raise
