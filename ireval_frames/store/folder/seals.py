"""Whether a file of a store is still as it was written: its checksum stands in its last part."""

from __future__ import annotations

import zlib
from pathlib import Path
from typing import IO

KEY, BLANK = "ireval.check", "0" * 8
# Files up to so many bytes are read whole whenever they are met; longer ones by `store.check()`.
SHORT = 1 << 26
_AT_ONCE = 1 << 20


def seal(stream: IO[bytes]) -> None:
    """Write the checksum of a Parquet file, whose metadata hold its key and blanks, in the place of these.

    Args:
        stream: the whole file, to be read and written.
    """
    stream.flush()
    at = _place(stream, stream.seek(0, 2))
    if at is not None:
        found = _checksum(stream, at)
        stream.seek(at)
        stream.write(found)
    stream.seek(0, 2)


def broken(path: Path) -> bool:
    """Whether a file is another than was written; False where it does not say.

    Raises:
        OSError: it cannot be read.
    """
    with path.open("rb") as stream:
        at = _place(stream, stream.seek(0, 2))
        if at is None:
            return False
        found = _checksum(stream, at)
        stream.seek(at)
        return stream.read(len(BLANK)) != found


def _place(stream: IO[bytes], size: int) -> int | None:
    """Where the checksum stands: behind its key in the metadata at the end, and two bytes of Parquet's own."""
    stream.seek(max(0, size - 8))
    start = size - 8 - int.from_bytes(stream.read(4), "little")
    if start < 4:
        return None
    stream.seek(start)
    at = stream.read(size - 8 - start).rfind(KEY.encode())
    return None if at < 0 else start + at + len(KEY) + 2


def _checksum(stream: IO[bytes], at: int) -> bytes:
    """That of the file with blanks in the checksum's place."""
    stream.seek(0)
    sum_, left = 0, at
    while left and (part := stream.read(min(_AT_ONCE, left))):
        sum_, left = zlib.crc32(part, sum_), left - len(part)
    sum_ = zlib.crc32(BLANK.encode(), sum_)
    stream.seek(at + len(BLANK))
    while part := stream.read(_AT_ONCE):
        sum_ = zlib.crc32(part, sum_)
    return f"{sum_:08x}".encode()
