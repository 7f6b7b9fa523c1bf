"""A stream cut into chunks at line ends."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import TypeVar

from ireval_frames.io.storage.compression import Stream

# Larger chunks are not faster, and several are in memory at once.
SIZE = 4 << 20

T = TypeVar("T")
R = TypeVar("R")
Cut = Callable[[bytes], int]


def chunks(path: Path, name: str, cut: Cut) -> Iterator[bytes]:
    """A file's decompressed bytes in pieces that end with a line end; the last line gets one if it has none.

    Args:
        path: the file; it is closed when the iterator is dropped, also by another thread.
        name: its name in messages.
        cut: the number of bytes up to the end of a block's last complete record (0: the block must grow).

    Raises:
        FileError: the file cannot be opened, or is damaged or truncated.
    """
    with Stream(path, name) as stream:
        yield from _cut(stream, cut)


def _cut(stream: Stream, cut: Cut) -> Iterator[bytes]:
    raw = bytearray(SIZE)
    buffer, rest = memoryview(raw), b""
    # Blocks without a line end are collected and copied only once.
    parts: list[bytes] = []
    while n := stream.readinto(buffer):
        if raw.find(b"\n", 0, n) < 0:
            parts.append(bytes(buffer[:n]))
            continue
        block = b"".join([rest, *parts, buffer[:n]])
        end = cut(block)
        parts = []
        if end:
            yield block[:end] if end < len(block) else block
        rest = block[end:]
    last = b"".join([rest, *parts])
    if last:
        yield last if last.endswith(b"\n") else last + b"\n"


def at_line_end(block: bytes) -> int:
    """The position after the last line end."""
    return block.rfind(b"\n") + 1


def outside_quotes(block: bytes) -> int:
    """The position after the last line end that is not inside a quoted field."""
    end = at_line_end(block)
    odd = block.count(b'"', 0, end) % 2
    tries = 0
    while odd and end and tries < 1000:
        before = block.rfind(b"\n", 0, block.rfind(b'"', 0, end)) + 1
        odd = (odd - block.count(b'"', before, end)) % 2
        end, tries = before, tries + 1
    return 0 if odd else end


def map_ahead(items: Iterator[T], work: Callable[[T], R], workers: int = 2) -> Iterator[tuple[T, R]]:
    """The items in order, each with the result of the work; threads read and work ahead.

    One item is read while those before it are worked on, so no processor waits for another.
    """
    # One thread reads, because items must be taken in order; errors of the iterator are raised by the caller.
    reader, pool = ThreadPoolExecutor(1, "ireval-read"), ThreadPoolExecutor(workers, "ireval-parse")
    try:
        running: deque[tuple[T, Future[R]]] = deque()
        reading = reader.submit(next, items, None)
        while (item := reading.result()) is not None:
            reading = reader.submit(next, items, None)
            running.append((item, pool.submit(work, item)))
            if len(running) >= workers:
                first, result = running.popleft()
                yield first, result.result()
        for first, result in running:
            yield first, result.result()
    finally:
        # Without waiting: an abandoned generator may be finalized in one of these threads.
        reader.shutdown(wait=False, cancel_futures=True)
        pool.shutdown(wait=False, cancel_futures=True)
