"""Lines of fields between blanks and tabs: TREC runs and judgments, MS MARCO, tables with a header.

A chunk of lines is read in one of three ways.  Regular chunks are read by Polars, which checks every column.  Chunks
with mixed blanks, CRLF, comments or blank lines are normalised as bytes first.  Only a chunk that still does not parse
is read line by line, which finds the bad lines or reads them exactly.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import polars as pl

from ireval_frames.io.storage.failures import ENGINE_ERRORS
from ireval_frames.io.text.bad_lines import BadLines
from ireval_frames.io.text.chunks import at_line_end
from ireval_frames.io.text.grammar import Field, Value, Wrong, frame, is_valid, value

_TABS = bytes.maketrans(b"\t", b" ")


@dataclass(frozen=True)
class Whitespace:
    """The parser.

    Args:
        fields: the fields of a line.
        what: a name of the lines, for messages.
        surplus: "tag" joins everything from the last field on, "error" refuses more fields.
        hints: hints for a wrong number of fields, by that number (0: any larger number).
    """

    fields: tuple[Field, ...]
    what: str
    surplus: Literal["error", "tag"] = "error"
    hints: tuple[tuple[int, str], ...] = ()

    def cut(self, block: bytes) -> int:
        """The end of the last complete line."""
        return at_line_end(block)

    def quick(self, chunk: bytes) -> tuple[pl.DataFrame, int] | None:
        """The frame of a chunk by Polars' reader, and its number of lines; None unless all lines are surely valid."""
        frame = self._fast(chunk)
        if frame is not None:
            # A blank line would have given nulls, so every line is a row.
            return frame, frame.height
        normalised = normalise(chunk)
        if normalised is not None:
            frame = self._rest_as_tag(normalised) if self.surplus == "tag" else self._read(normalised, " ")
        return None if frame is None else (frame, chunk.count(b"\n"))

    def _fast(self, chunk: bytes) -> pl.DataFrame | None:
        tabs = b"\t" in chunk
        if (tabs and b" " in chunk) or b"\r" in chunk or b"\0" in chunk:
            return None
        if b"#" in chunk and (chunk.startswith(b"#") or b"\n#" in chunk):
            return None
        return self._read(chunk, "\t" if tabs else " ")

    def _read(self, chunk: bytes, separator: str) -> pl.DataFrame | None:
        if not chunk:
            return frame(self.fields, [[] for _ in self.fields])
        levels = [f.name for f in self.fields if f.kind == "level"]
        schema = {f.name: pl.String if f.name in levels else f.dtype for f in self.fields}
        try:
            read = pl.read_csv(chunk, separator=separator, has_header=False, quote_char=None, schema=schema)
            if levels:
                read = read.with_columns(pl.col(levels).str.extract("^[Ll]([+-]?[0-9]+)$").cast(pl.Int64))
        except ENGINE_ERRORS:
            return None
        return read if is_valid(read, self.fields, missing=False) else None

    def _rest_as_tag(self, chunk: bytes) -> pl.DataFrame | None:
        if b"\x01" in chunk or not chunk:
            return None
        names = [f.name for f in self.fields]
        try:
            lines = pl.read_csv(chunk, separator="\x01", has_header=False, quote_char=None, schema={"line": pl.String})
            split = lines.select(pl.col("line").str.splitn(" ", len(names)).struct.rename_fields(names).struct.unnest())
            read = split.with_columns(pl.col(f.name).cast(f.dtype) for f in self.fields)
        except ENGINE_ERRORS:
            return None
        return read if is_valid(read, self.fields, missing=False) else None

    def exact(self, chunk: bytes, first: int, bad: BadLines) -> pl.DataFrame:
        """The frame of a chunk, line by line; `first` is the number of its first line."""
        columns: list[list[Value]] = [[] for _ in self.fields]
        for number, line in enumerate(chunk.split(b"\n")[:-1], first):
            row = self._line(number, line, bad)
            for column, item in zip(columns, row, strict=False):
                column.append(item)
        return frame(self.fields, columns)

    def _line(self, number: int, line: bytes, bad: BadLines) -> list[Value]:
        """The values of a line; none for a blank, commented or bad one."""
        stripped = line.rstrip(b"\r").strip(b" \t")
        if not stripped or stripped.startswith(b"#"):
            return []
        if b"\0" in stripped or b"\r" in stripped:
            bad.add(number, line, "it holds a NUL byte" if b"\0" in stripped else "it holds a carriage return")
            return []
        try:
            texts = [t for t in stripped.translate(_TABS).decode().split(" ") if t]
        except UnicodeDecodeError:
            bad.add(number, line, "it is not valid UTF-8")
            return []
        n = len(self.fields)
        if self.surplus == "tag" and len(texts) > n:
            texts[n - 1 :] = [" ".join(texts[n - 1 :])]
        if len(texts) != n:
            advice = dict(self.hints)
            hint = advice.get(len(texts), advice.get(0, "") if len(texts) > n else "")
            names = " ".join(f.name for f in self.fields)
            bad.add(
                number, line, f"{len(texts)} field{'s' * (len(texts) != 1)} where {self.what} has {n} ({names})", hint
            )
            return []
        return checked(self.fields, texts, number, line, bad)


def checked(fields: tuple[Field, ...], texts: list[str], number: int, line: bytes, bad: BadLines) -> list[Value]:
    """The values of a line's texts; none if one of them is wrong."""
    values: list[Value] = []
    wrong: list[str] = []
    hint = ""
    for field, text in zip(fields, texts, strict=True):
        try:
            values.append(value(field, text))
        except Wrong as error:
            wrong.append(str(error))
            hint = hint or field.hint
    if wrong:
        bad.add(number, line, "; ".join(wrong), hint)
        return []
    return values


def normalise(chunk: bytes) -> bytes | None:
    """The lines with single blanks between fields, without comments and blank lines; None for unusual bytes."""
    if b"\0" in chunk:
        return None
    if b"\r" in chunk:
        chunk = chunk.replace(b"\r\n", b"\n")
        if b"\r" in chunk:
            return None
    if b"\t" in chunk:
        chunk = chunk.translate(_TABS)
    chunk = _single_gaps(chunk)
    if b"#" in chunk:
        chunk = _without_comments(chunk)
    return chunk.lstrip(b"\n")


def _single_gaps(chunk: bytes) -> bytes:
    """The lines without repeated, leading and trailing blanks, and without blank lines.

    NumPy releases the GIL, and takes a third of the time of `bytes.replace`.
    """
    import numpy as np

    signs = np.frombuffer(chunk, dtype=np.uint8)
    # A blank after another one, or after a line end.
    surplus = signs == ord(" ")
    gap = surplus | (signs == ord("\n"))
    surplus[1:] &= gap[:-1]
    signs = signs[~surplus]
    # A blank before a line end, and a line end after another one.
    surplus, end = signs == ord(" "), signs == ord("\n")
    surplus[:-1] &= end[1:]
    surplus[1:] |= end[1:] & end[:-1]
    return bytes(signs[~surplus] if surplus.any() else signs)


def _without_comments(chunk: bytes) -> bytes:
    # Prepended, so that every comment follows a line end.
    chunk = b"\n" + chunk
    parts: list[bytes] = []
    start = 0
    while (at := chunk.find(b"\n#", start)) >= 0:
        parts.append(chunk[start:at])
        start = chunk.index(b"\n", at + 1)
    parts.append(chunk[start:])
    return b"".join(parts)[1:]
