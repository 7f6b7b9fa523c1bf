"""Judgments with features, a line per document, as LETOR, RankLib and SVM-rank keep them: `2 qid:10 1:0.5 # d1`.

Features are not read.  The document is named behind `#`, or is its place in the list of its query, counted from 0,
which is how RankLib's scores name it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

import polars as pl

from ireval_frames.errors import Hint
from ireval_frames.io.storage.failures import ENGINE_ERRORS
from ireval_frames.io.text.bad_lines import BadLines
from ireval_frames.io.text.chunks import at_line_end
from ireval_frames.io.text.field_orders import as_format
from ireval_frames.io.text.grammar import Field, Value, frame, sound
from ireval_frames.io.text.whitespace import checked, tidy

LETOR = re.compile(r"[-+]?[0-9.]+\s+qid:\S")
_LINE = r"^([^ ]+) qid:([^ ]+)(?: [0-9]+:[^ #]+)* ?(?:#+ ?(?:docid ?[=:] ?)?([^ ]*?);?(?: .*)?)?$"


@dataclass(frozen=True)
class Letor:
    """How to parse such lines: the fields of the judgment, and whether documents are named by their place."""

    fields: tuple[Field, ...]
    by_place: bool

    def cut(self, block: bytes) -> int:
        """Where a block ends."""
        return at_line_end(block)

    def quick(self, chunk: bytes) -> tuple[pl.DataFrame, int] | None:
        """The frame of a chunk at the speed of the engine, and its lines; None unless every line is certainly sound."""
        tidied = tidy(chunk)
        if not tidied or b"\x01" in tidied:
            return None
        try:
            lines = pl.read_csv(tidied, separator="\x01", has_header=False, quote_char=None, schema={"line": pl.String})
            groups = lines.select(pl.col("line").str.extract_groups(_LINE)).unnest("line")
            texts = dict(zip(("relevance", "query_id", "doc_id"), groups.columns, strict=True))
            read = groups.select(pl.col(texts[f.name]).cast(f.dtype).alias(f.name) for f in self.fields)
        except ENGINE_ERRORS:
            return None
        if not sound(read, self.fields, missing=False) or any((read[f.name] == "").any() for f in self.fields[:-1]):
            return None
        return read, chunk.count(b"\n")

    def exact(self, chunk: bytes, first: int, bad: BadLines) -> pl.DataFrame:
        """The frame of a chunk's lines, one by one; `first` is the number of its first line."""
        columns: list[list[Value]] = [[] for _ in self.fields]
        for number, line in enumerate(chunk.split(b"\n")[:-1], first):
            for column, item in zip(columns, self._line(number, line, bad), strict=False):
                column.append(item)
        return frame(self.fields, columns)

    def _line(self, number: int, line: bytes, bad: BadLines) -> list[Value]:
        try:
            text = " ".join(line.decode().split())
        except UnicodeDecodeError:
            bad.add(number, line, "it is not valid UTF-8")
            return []
        if not text or text.startswith("#"):
            return []
        found = re.match(_LINE, text)
        if found is None:
            bad.add(number, line, "it is not grade, qid:query and features such as 1:0.5")
            return []
        if not found[3] and not self.by_place:
            hint = as_format("ranklib")
            bad.add(number, line, "no document is named behind #", Hint("To name documents by their places: ", hint))
            return []
        texts = {"relevance": found[1], "query_id": found[2], "doc_id": found[3]}
        return checked(self.fields, [texts[f.name] for f in self.fields], number, line, bad)
