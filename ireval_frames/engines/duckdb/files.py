"""Paths as tables of DuckDB: Parquet files of this machine it reads itself, others come in pieces, text at once."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import polars as pl

from ireval_frames.engines.inputs.file_errors import in_memory
from ireval_frames.engines.inputs.frames import Read, check_names, checked_frame
from ireval_frames.engines.polars.batches import batches
from ireval_frames.engines.sql.frame import DuckDBFrame
from ireval_frames.engines.sql.statement import Step


def files(engine: Any, given: Any, name: str, read: Read) -> DuckDBFrame:
    """The frame of a path, or of several.

    Args:
        engine: the engine of the frame.
        given: the path.
        name: what errors call the table.
        read: how it is read.
    """
    # What is wrong with files is told as on every engine.
    rows = read(given)
    tables = read.tables(given)
    out: DuckDBFrame
    if tables and all(table.plain for table in tables):
        check_names(tuple(tables[0].types), name, "DuckDB")
        known = dict(tables[0].types)
        text = "\nUNION ALL\n".join(table.select() for table in tables)
        out = DuckDBFrame(engine, Step((text,), tuple(known), types=known))
    elif tables or read.streams(given):
        types = checked_frame(pl.DataFrame(schema=rows.collect_schema()), name).schema
        rows = rows.with_columns(pl.col(pl.Float16).cast(pl.Float32))
        out = engine.external(Streamed(rows), types)
    else:
        out = engine.from_polars(checked_frame(in_memory(rows, given, name, read), name))
    return out


class Streamed:
    """What a lazy frame gives, read anew by every statement; DuckDB knows it by its Arrow stream.

    Attributes:
        failure: what went wrong while it was read; DuckDB tells its text alone.
    """

    def __init__(self, frame: pl.LazyFrame) -> None:
        self._frame = frame
        self._types = frame.collect_schema()
        self.failure: BaseException | None = None

    def __arrow_c_stream__(self, requested_schema: object = None) -> Any:
        """A stream of its own for every reader."""
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
