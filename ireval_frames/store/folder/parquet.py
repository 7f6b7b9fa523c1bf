"""Writing Parquet files of a store, in groups of rows and with a checksum in the last part of the file."""

from __future__ import annotations

import itertools
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import IO

import polars as pl

from ireval_frames.engines.polars.batches import batches

# The rows of a row group.
ROWS = 122_880
# The size of the dictionary of a column of numbers; a group with more distinct numbers is written plainly.  A mean over
# a column with a dictionary is read three times as fast, and Polars writes none for numbers.
_DICTIONARY_BYTES = 1 << 17
KEY, BLANK = "ireval.check", "0" * 8
# Files up to this size are checked when they are opened; larger ones by `store.check()`.
SHORT = 1 << 26
_CHUNK = 1 << 20


def write_rows(rows: pl.LazyFrame, stream: IO[bytes], metadata: Mapping[str, str]) -> None:
    """Write rows in their order, with few of them in memory.

    Args:
        rows: the rows.
        stream: the file.
        metadata: of the file.
    """
    read = batches(rows, ROWS)
    first = next(read, None)
    second = None if first is None else next(read, None)
    if first is None or second is None:
        frame = rows.collect() if first is None else first
        frame.write_parquet(stream, compression="zstd", metadata=dict(metadata))
        return
    import pyarrow.parquet as pq

    schema = first.to_arrow().schema
    with pq.ParquetWriter(
        stream, schema, compression="zstd", store_schema=False, dictionary_pagesize_limit=_DICTIONARY_BYTES
    ) as writer:
        writer.add_key_value_metadata(dict(metadata))
        for batch in itertools.chain((first, second), read):
            writer.write_table(batch.to_arrow(), row_group_size=ROWS)


def write_checksum(stream: IO[bytes]) -> None:
    """Replace the blanks behind the key in the metadata of a Parquet file by its checksum.

    Args:
        stream: the complete file, for reading and writing.
    """
    stream.flush()
    at = _position(stream, stream.seek(0, 2))
    if at is not None:
        checksum = _checksum(stream, at)
        stream.seek(at)
        stream.write(checksum)
    stream.seek(0, 2)


def is_damaged(path: Path) -> bool:
    """Whether the checksum of a file differs from the one in it; False if it has none.

    Raises:
        OSError: it cannot be read.
    """
    with path.open("rb") as stream:
        at = _position(stream, stream.seek(0, 2))
        if at is None:
            return False
        checksum = _checksum(stream, at)
        stream.seek(at)
        return stream.read(len(BLANK)) != checksum


def _position(stream: IO[bytes], size: int) -> int | None:
    """The position of the checksum: behind its key in the metadata at the end, and two bytes of Parquet's own."""
    stream.seek(max(0, size - 8))
    start = size - 8 - int.from_bytes(stream.read(4), "little")
    if start < 4:
        return None
    stream.seek(start)
    at = stream.read(size - 8 - start).rfind(KEY.encode())
    return None if at < 0 else start + at + len(KEY) + 2


def _checksum(stream: IO[bytes], at: int) -> bytes:
    """The checksum of the file, with blanks in the place of the checksum itself."""
    stream.seek(0)
    crc, left = 0, at
    while left and (part := stream.read(min(_CHUNK, left))):
        crc, left = zlib.crc32(part, crc), left - len(part)
    crc = zlib.crc32(BLANK.encode(), crc)
    stream.seek(at + len(BLANK))
    while part := stream.read(_CHUNK):
        crc = zlib.crc32(part, crc)
    return f"{crc:08x}".encode()
