"""Rows into a Parquet file, a group of rows at a time, so that few are in memory."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from typing import IO

import polars as pl

from ireval_frames.engines.polars.batches import batches

# Rows that stand together in a file.
ROWS = 122_880
# Numbers that repeat are kept once and counted from there; a group that has more different ones is written as it is.
# A mean over such a column is read three times as fast, and Polars writes no such columns of numbers.
_REPEATED = 1 << 17


def sunk(rows: pl.LazyFrame, stream: IO[bytes], marks: Mapping[str, str]) -> None:
    """Write rows in their order.

    Args:
        rows: what to write.
        stream: where to.
        marks: what the file says of itself.
    """
    read = batches(rows, ROWS)
    first = next(read, None)
    second = None if first is None else next(read, None)
    if first is None or second is None:
        whole = rows.collect() if first is None else first
        whole.write_parquet(stream, compression="zstd", metadata=dict(marks))
        return
    import pyarrow.parquet as pq

    schema = first.to_arrow().schema
    with pq.ParquetWriter(
        stream, schema, compression="zstd", store_schema=False, dictionary_pagesize_limit=_REPEATED
    ) as writer:
        writer.add_key_value_metadata(dict(marks))
        for batch in itertools.chain((first, second), read):
            writer.write_table(batch.to_arrow(), row_group_size=ROWS)
