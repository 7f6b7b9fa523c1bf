"""Judgments with features, a line per document, as LETOR, RankLib and SVM-rank have them: `2 qid:10 1:0.5 # d1`.

Features are not read.  The document's name follows `#`, or is its position in the list of its query, from 0, as in
RankLib's scores.
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
from ireval_frames.io.text.grammar import Field, Value, frame, is_valid
from ireval_frames.io.text.whitespace import checked, normalise

LETOR = re.compile(r"[-+]?[0-9.]+\s+qid:\S")
_LINE = r"^([^ ]+) qid:([^ ]+)(?: [0-9]+:[^ #]+)* ?(?:#+ ?(?:docid ?[=:] ?)?([^ ]*?);?(?: .*)?)?$"


@dataclass(frozen=True)
class Letor:
    """The parser: the fields of a judgment, and whether documents are named by their position."""

    fields: tuple[Field, ...]
    by_position: bool

    def cut(self, block: bytes) -> int:
        """The end of the last complete line."""
        return at_line_end(block)

    def quick(self, chunk: bytes) -> tuple[pl.DataFrame, int] | None:
        """The frame of a chunk by Polars' reader, and its number of lines; None unless all lines are surely valid."""
        normalised = normalise(chunk)
        if not normalised or b"\x01" in normalised:
            return None
        try:
            lines = pl.read_csv(
                normalised, separator="\x01", has_header=False, quote_char=None, schema={"line": pl.String}
            )
            groups = lines.select(pl.col("line").str.extract_groups(_LINE)).unnest("line")
            texts = dict(zip(("relevance", "query_id", "doc_id"), groups.columns, strict=True))
            read = groups.select(pl.col(texts[f.name]).cast(f.dtype).alias(f.name) for f in self.fields)
        except ENGINE_ERRORS:
            return None
        if not is_valid(read, self.fields, missing=False) or any((read[f.name] == "").any() for f in self.fields[:-1]):
            return None
        return read, chunk.count(b"\n")

    def exact(self, chunk: bytes, first: int, bad: BadLines) -> pl.DataFrame:
        """The frame of a chunk, line by line; `first` is the number of its first line."""
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
        match = re.match(_LINE, text)
        if match is None:
            bad.add(number, line, "it is not grade, qid:query and features such as 1:0.5")
            return []
        if not match[3] and not self.by_position:
            hint = as_format("ranklib")
            bad.add(number, line, "no document is named after #", Hint("To name documents by their positions: ", hint))
            return []
        texts = {"relevance": match[1], "query_id": match[2], "doc_id": match[3]}
        return checked(self.fields, [texts[f.name] for f in self.fields], number, line, bad)
