"""The run tag of the last line of a run file."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator

from ireval_frames.io.detect.description import Description
from ireval_frames.io.storage.compression import Stream

BLOCK = 1 << 20


def last_tag(file: Description) -> str:
    """The sixth field of the last line that is neither blank nor a comment; the file's stem for other formats."""
    if file.format != "trec":
        return file.stem
    tail = b""
    for block in _blocks_from_end(file):
        tail = block + tail
        for text in reversed(tail.splitlines()):
            fields = text.split()
            if len(fields) >= 6 and not fields[0].startswith(b"#"):
                return fields[5].decode(errors="replace")
    return file.stem


def _blocks_from_end(file: Description) -> Iterator[bytes]:
    if file.compression is None:
        with file.path.open("rb") as plain:
            end = plain.seek(0, 2)
            while end > 0:
                start = max(0, end - BLOCK)
                plain.seek(start)
                yield plain.read(end - start)
                end = start
        return
    with Stream(file.path, file.name) as stream:
        last: deque[bytes] = deque(maxlen=2)
        while block := stream.read(BLOCK):
            last.append(block)
    yield b"".join(last)
