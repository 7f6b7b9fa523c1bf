"""Lines whose fields stand between tabs and hold any text: no quotes, no comments, as MS MARCO has them."""

from __future__ import annotations

from dataclasses import dataclass

import polars as pl

from ireval_frames.io.storage.failures import ENGINE_ERRORS
from ireval_frames.io.text.bad_lines import BadLines
from ireval_frames.io.text.chunks import at_line_end
from ireval_frames.io.text.grammar import Field, Value, frame, is_valid
from ireval_frames.io.text.whitespace import checked


@dataclass(frozen=True)
class Tabbed:
    """The parser: the fields of a line in order."""

    fields: tuple[Field, ...]

    def cut(self, block: bytes) -> int:
        """The end of the last complete line."""
        return at_line_end(block)

    def quick(self, chunk: bytes) -> tuple[pl.DataFrame, int] | None:
        """The frame of a chunk by Polars' reader, and its number of lines; None unless all lines are surely valid."""
        n = chunk.count(b"\n")
        # The reader completes short lines; if the number of tabs is right and none is too long, each is right.
        if b"\0" in chunk or b"\r" in chunk or chunk.count(b"\t") != n * (len(self.fields) - 1):
            return None
        try:
            read = pl.read_csv(
                chunk, separator="\t", has_header=False, quote_char=None, schema={f.name: f.dtype for f in self.fields}
            )
        except ENGINE_ERRORS:
            return None
        return (read, n) if read.height == n and is_valid(read, self.fields, missing=True) else None

    def exact(self, chunk: bytes, first: int, bad: BadLines) -> pl.DataFrame:
        """The frame of a chunk, line by line; `first` is the number of its first line."""
        columns: list[list[Value]] = [[] for _ in self.fields]
        for number, line in enumerate(chunk.split(b"\n")[:-1], first):
            for column, item in zip(columns, self._line(number, line.rstrip(b"\r"), bad), strict=False):
                column.append(item)
        return frame(self.fields, columns)

    def _line(self, number: int, line: bytes, bad: BadLines) -> list[Value]:
        """The values of a line; none for a blank or bad one."""
        if not line.strip():
            return []
        try:
            texts = line.decode().split("\t")
        except UnicodeDecodeError:
            bad.add(number, line, "it is not valid UTF-8")
            return []
        if len(texts) != len(self.fields):
            names = ", ".join(f.name for f in self.fields)
            n = len(texts)
            bad.add(number, line, f"{n} field{'s' * (n != 1)} between tabs where a line has {names}")
            return []
        return [None if value == "" else value for value in checked(self.fields, texts, number, line, bad)]
