"""CSV of Quepid: query, docid and rating; queries may have no documents, and documents no rating."""

from __future__ import annotations

from dataclasses import dataclass, field

import polars as pl

from ireval_frames.io.text.bad_lines import BadLines
from ireval_frames.io.text.delimited import Delimited
from ireval_frames.io.text.grammar import Value


@dataclass(frozen=True)
class Quepid(Delimited):
    """The parser.

    Args:
        name: the file's name in messages.
        doc_id, rating: the names of these columns.
    """

    name: str
    doc_id: str
    rating: str
    _unrated: list[int] = field(default_factory=list, init=False, compare=False, repr=False)

    @property
    def unrated(self) -> int:
        """The number of rows without a rating."""
        return len(self._unrated)

    def quick(self, chunk: bytes) -> tuple[pl.DataFrame, int] | None:
        """None: exports are small, and many lines are shorter than the header."""
        del chunk
        return None

    def _row(self, texts: list[str], number: int, raw: list[bytes], bad: BadLines) -> list[Value]:
        if texts and texts[0].strip() and len(texts) < len(self.fields):
            texts = texts + [""] * (len(self.fields) - len(texts))
        if len(texts) == len(self.fields):
            values = dict(zip((f.name for f in self.fields), texts, strict=True))
            if not values[self.rating].strip():
                self._unrated.append(number)
                return []
        return super()._row(texts, number, raw, bad)
