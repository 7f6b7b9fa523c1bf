"""A text file as an iterator of frames, with its bad lines in one error."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Protocol

import polars as pl

from ireval_frames.errors import FileError
from ireval_frames.io.text.bad_lines import BadLines, legible
from ireval_frames.io.text.chunks import at_line_end, chunks, map_ahead
from ireval_frames.io.text.json_lines import JsonLines

BOM = b"\xef\xbb\xbf"


class Parser(Protocol):
    """A parser of the lines of one format."""

    def cut(self, block: bytes) -> int:
        """The number of bytes up to the end of a block's last complete record."""

    def quick(self, chunk: bytes) -> tuple[pl.DataFrame, int] | None:
        """The frame of a chunk by Polars' reader, and its number of lines; None unless all lines are surely valid."""

    def exact(self, chunk: bytes, first: int, bad: BadLines) -> pl.DataFrame:
        """The frame of a chunk, line by line; `first` is the number of its first line."""


def frames(path: Path, name: str, parser: Parser, skip: int = 0, header: str = "") -> Iterator[pl.DataFrame]:
    """The frames of a file's chunks, in order.

    Args:
        path: the file.
        name: its name in messages.
        parser: the parser of its lines.
        skip: the number of lines to skip at the start, including the header.
        header: the last of these, as it was when the columns were read.

    Raises:
        MalformedFile: lines do not parse; raised at the end of the file, for all of them.
        FileError: the file is empty, damaged or truncated.
    """
    bad = BadLines(name)
    line, rows = 1 + skip, 0
    body = _body(chunks(path, name, parser.cut), skip, name, header)
    for chunk, quick in map_ahead(body, parser.quick):
        frame, lines = quick or (parser.exact(chunk, line, bad), chunk.count(b"\n"))
        line += lines
        rows += frame.height
        if frame.height and not bad.count:
            yield frame
    if bad.count:
        raise bad.error()
    if not rows:
        raise empty(name)


def numbered(path: Path, name: str) -> Iterator[tuple[int, bytes]]:
    """The lines of a file with their numbers."""
    number = 0
    for chunk in chunks(path, name, at_line_end):
        for line in (chunk if number else chunk.removeprefix(BOM)).split(b"\n")[:-1]:
            number += 1
            yield number, line


def record_frames(records: Sequence[tuple[int, bytes]], name: str, parser: JsonLines) -> Iterator[pl.DataFrame]:
    """The frames of an array's records, each with the number of the line in which it begins.

    Raises:
        MalformedFile: records are invalid; one error for all of them.
    """
    bad = BadLines(name)
    quick = parser.quick(b"".join(line + b"\n" for _, line in records))
    frame = parser.rows(records, bad) if quick is None else quick[0]
    if bad.count:
        raise bad.error()
    yield frame


def _body(pieces: Iterator[bytes], lines: int, name: str, header: str) -> Iterator[bytes]:
    """The chunks without byte-order mark and the first lines.

    Raises:
        FileError: the header has changed.
    """
    first = next(pieces, b"").removeprefix(BOM)
    at, line = 0, b""
    for _ in range(lines):
        end = first.find(b"\n", at) + 1
        if not end:
            raise empty(name)
        at, line = end, first[at:end]
    if header and line.decode("utf-8", "surrogateescape").strip() != header.strip():
        before = legible(header.encode("utf-8", "surrogateescape"))
        raise FileError(f"{name} has changed since it was opened: its header was '{before}'.", "Open it again.")
    yield first[at:]
    yield from pieces


def sound_header(line: bytes, name: str) -> str:
    """The header line of a table.

    Raises:
        FileError: it is not UTF-8, or has a NUL byte, or a carriage return that ends a line.
    """
    line = line.removesuffix(b"\n").removesuffix(b"\r")
    if b"\r" in line:
        raise FileError(
            f"{name} ends its lines with carriage returns alone.", f"Convert it: tr '\\r' '\\n' < {name} > new.csv"
        )
    if b"\0" in line:
        raise FileError(
            f"{name} has a NUL byte in its header, as UTF-16 has.",
            f"Convert it: iconv -f UTF-16 -t UTF-8 {name} > new.csv",
        )
    try:
        return line.decode()
    except UnicodeDecodeError:
        raise FileError(
            f"{name} is not valid UTF-8: its header is '{legible(line)}'.",
            f"Convert it: iconv -f LATIN1 -t UTF-8 {name} > new.csv",
        ) from None


def empty(name: str) -> FileError:
    """The error for a file without rows."""
    return FileError(f"{name} is empty: it has no rows.", "Check that the program that wrote it ran to its end.")
