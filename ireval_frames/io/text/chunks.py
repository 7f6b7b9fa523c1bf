"""A stream cut into chunks at line ends."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import TypeVar

from ireval_frames.io.storage.compression import Stream

# Larger chunks are no faster, and several are in memory at once.
SIZE = 4 << 20

T = TypeVar("T")
R = TypeVar("R")
Cut = Callable[[bytes], int]


def chunks(path: Path, name: str, cut: Cut) -> Iterator[bytes]:
    """A file's decompressed bytes in pieces that end with a line end; the last line gets one if it has none.

    Args:
        path: the file; it is closed when the iterator is dropped, also by another thread.
        name: its name in messages.
        cut: how many bytes of a block end with a complete record (0: none does, the block must grow).

    Raises:
        FileError: the file cannot be opened, or is damaged or truncated.
    """
    with Stream(path, name) as stream:
        yield from _cut(stream, cut)


def _cut(stream: Stream, cut: Cut) -> Iterator[bytes]:
    raw = bytearray(SIZE)
    buffer, rest = memoryview(raw), b""
    # Blocks without any line end are gathered and copied only once.
    parts: list[bytes] = []
    while got := stream.readinto(buffer):
        if raw.find(b"\n", 0, got) < 0:
            parts.append(bytes(buffer[:got]))
            continue
        block = b"".join([rest, *parts, buffer[:got]])
        end = cut(block)
        parts = []
        if end:
            yield block[:end] if end < len(block) else block
        rest = block[end:]
    last = b"".join([rest, *parts])
    if last:
        yield last if last.endswith(b"\n") else last + b"\n"


def at_line_end(block: bytes) -> int:
    """Just behind the last line end."""
    return block.rfind(b"\n") + 1


def outside_quotes(block: bytes) -> int:
    """Just behind the last line end that is not inside a quoted field."""
    end = at_line_end(block)
    odd = block.count(b'"', 0, end) % 2
    tries = 0
    while odd and end and tries < 1000:
        before = block.rfind(b"\n", 0, block.rfind(b'"', 0, end)) + 1
        odd = (odd - block.count(b'"', before, end)) % 2
        end, tries = before, tries + 1
    return 0 if odd else end


def worked(items: Iterator[T], work: Callable[[T], R], workers: int = 2) -> Iterator[tuple[T, R]]:
    """The items in order, each with what the work makes of it; reading and work go ahead in threads.

    One item is being read while the ones before it are worked on, so that no processor waits for the other.
    """
    # A thread of its own reads, because items must be taken in order; the iterator's errors arrive where it is used.
    reader, pool = ThreadPoolExecutor(1, "ireval-read"), ThreadPoolExecutor(workers, "ireval-parse")
    try:
        doing: deque[tuple[T, Future[R]]] = deque()
        coming = reader.submit(next, items, None)
        while (item := coming.result()) is not None:
            coming = reader.submit(next, items, None)
            doing.append((item, pool.submit(work, item)))
            if len(doing) >= workers:
                first, done = doing.popleft()
                yield first, done.result()
        for first, done in doing:
            yield first, done.result()
    finally:
        # Not waiting: an abandoned generator may be finalized inside one of these very threads.
        reader.shutdown(wait=False, cancel_futures=True)
        pool.shutdown(wait=False, cancel_futures=True)
