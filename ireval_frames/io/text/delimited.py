"""CSV and TSV: separators, names of a header, and the lines below it; Quepid's CSV."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

import polars as pl

from ireval_frames.io.storage.failures import ENGINE_ERRORS
from ireval_frames.io.text.bad_lines import BadLines
from ireval_frames.io.text.chunks import outside_quotes
from ireval_frames.io.text.grammar import Field, Value, frame, is_valid
from ireval_frames.io.text.whitespace import checked

# In the order in which they are tried.
SEPARATORS = (",", "\t", ";", "|")
BLANKS = " \t"
# The line that Excel may write above a header.
EXCEL = re.compile('"?sep=.?"?', re.IGNORECASE)


def header_of(line: str, usual: str) -> tuple[str, list[str]]:
    """The separator of a header and its names: the usual one, or the first other one that gives several names.

    Example:
        >>> header_of("label;prediction;score", ",")
        (';', ['label', 'prediction', 'score'])
        >>> header_of("label", ",")
        (',', ['label'])
    """
    for separator in (usual, *(s for s in SEPARATORS if s != usual)):
        names = names_of(line, separator)
        if len(names) > 1:
            return separator, names
    return usual, names_of(line, usual)


def names_of(line: str, separator: str) -> list[str]:
    """The names in a header."""
    if separator == " ":
        return line.split()
    try:
        names = next(csv.reader([line], delimiter=separator, skipinitialspace=True), [])
    except csv.Error:
        names = line.split(separator)
    return trimmed(names, line)


def trimmed(fields: list[str], line: str) -> list[str]:
    """The fields of a line without trailing blanks, except quoted ones."""
    if '"' not in line:
        return [field.strip(BLANKS) for field in fields]
    return [
        field if field.rstrip(BLANKS) == field or _quoted(field, line) else field.rstrip(BLANKS) for field in fields
    ]


def _quoted(field: str, line: str) -> bool:
    return '"' + field.replace('"', '""') + '"' in line


@dataclass(frozen=True)
class Delimited:
    """The parser: the fields in the order of the header, and the separator."""

    fields: tuple[Field, ...]
    separator: str

    def cut(self, block: bytes) -> int:
        """The end of the last complete record."""
        return outside_quotes(block)

    def quick(self, chunk: bytes) -> tuple[pl.DataFrame, int] | None:
        """The frame of a chunk by Polars' reader, and its number of lines; None unless all lines are surely valid."""
        frame = self._fast(chunk)
        return None if frame is None else (frame, chunk.count(b"\n"))

    def _fast(self, chunk: bytes) -> pl.DataFrame | None:
        if b"\0" in chunk:
            return None
        if b"\r" in chunk:
            chunk = chunk.replace(b"\r\n", b"\n")
            if b"\r" in chunk:
                return None
        quoted = b'"' in chunk
        if quoted and not _quoted_plainly(chunk, self.separator.encode()):
            return None
        if not quoted:
            while b"\n\n" in chunk:
                chunk = chunk.replace(b"\n\n", b"\n")
            chunk = chunk.lstrip(b"\n")
        blanks = padded(chunk, self.separator.encode())
        if blanks and quoted:
            return None
        return self._read(chunk, quoted=quoted, blanks=blanks)

    def _read(self, chunk: bytes, *, quoted: bool, blanks: bool) -> pl.DataFrame | None:
        if not chunk:
            return frame(self.fields, [[] for _ in self.fields])
        schema = {f.name: pl.String if blanks else f.dtype for f in self.fields}
        try:
            read = pl.read_csv(
                chunk, separator=self.separator, has_header=False, quote_char='"' if quoted else None, schema=schema
            )
            if blanks:
                bare = {f.name: pl.col(f.name).str.strip_chars(BLANKS) for f in self.fields}
                read = read.select(
                    pl.when(text != "").then(text).cast(f.dtype).alias(f.name)
                    for f, text in zip(self.fields, bare.values(), strict=True)
                )
        except ENGINE_ERRORS:
            return None
        if not is_valid(read, self.fields, missing=True):
            return None
        if quoted and any((read[f.name] == "").any() for f in self.fields if f.dtype == pl.String):
            return None
        # The reader fills missing fields with nulls and refuses surplus ones, so if the total number of separators is
        # right, it is right in each line.
        if read[self.fields[-1].name].null_count():
            expected = read.height * (len(self.fields) - 1)
            if quoted or chunk.count(self.separator.encode()) != expected:
                return None
        return read

    def exact(self, chunk: bytes, first: int, bad: BadLines) -> pl.DataFrame:
        """The frame of a chunk, line by line; `first` is the number of its first line."""
        columns: list[list[Value]] = [[] for _ in self.fields]
        lines = chunk.split(b"\n")[:-1]
        feed = _Feed(lines)
        rows = csv.reader(feed, delimiter=self.separator, strict=True, skipinitialspace=True)
        while True:
            start = feed.read
            try:
                texts = next(rows)
            except StopIteration:
                break
            except csv.Error as error:
                bad.add(first + start, lines[start], _quoting_error(str(error)))
                continue
            for column, item in zip(
                columns, self._row(texts, first + start, lines[start : feed.read], bad), strict=False
            ):
                column.append(item)
        return frame(self.fields, columns)

    def _row(self, texts: list[str], number: int, raw: list[bytes], bad: BadLines) -> list[Value]:
        if not texts or (len(texts) == 1 and not texts[0].strip()):
            return []
        if any(b"\0" in line for line in raw):
            bad.add(number, raw[0], "it holds a NUL byte")
            return []
        if not all(_is_utf8(line) for line in raw):
            bad.add(number, raw[0], "it is not valid UTF-8")
            return []
        n = len(self.fields)
        if len(texts) != n:
            bad.add(number, raw[0], f"{len(texts)} field{'s' * (len(texts) != 1)} where the header has {n}")
            return []
        line = b"\n".join(raw).decode() if any(t[-1:] in BLANKS for t in texts if t) else ""
        values = checked(self.fields, trimmed(texts, line) if line else texts, number, raw[0], bad)
        return [None if v == "" else v for v in values]


class _Feed:
    """The lines as text, with a count of those that were read."""

    def __init__(self, lines: list[bytes]) -> None:
        self._lines, self.read = lines, 0

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        if self.read == len(self._lines):
            raise StopIteration
        line = self._lines[self.read]
        self.read += 1
        return line.rstrip(b"\r").decode("utf-8", "surrogateescape") + "\n"


def _quoting_error(error: str) -> str:
    """The error of Python's reader in plain words."""
    if "end of data" in error:
        return "a quote is opened and never closed"
    return "it holds a carriage return" if "new-line character" in error else f"wrong quoting ({error})"


def _is_utf8(line: bytes) -> bool:
    try:
        line.decode()
    except UnicodeDecodeError:
        return False
    return True


def padded(chunk: bytes, separator: bytes) -> bool:
    """Whether a field may begin or end with blanks."""
    blanks = [blank for blank in (b" ", b"\t") if blank != separator and blank in chunk]
    edges = [edge for blank in blanks for edge in (blank + separator, separator + blank, blank + b"\n", b"\n" + blank)]
    return chunk.startswith(tuple(blanks)) or any(edge in chunk for edge in edges)


def _quoted_plainly(chunk: bytes, separator: bytes) -> bool:
    """Whether every quote begins or ends a field, so that none is doubled or inside a field."""
    opening = chunk.count(b"\n" + b'"') + chunk.count(separator + b'"') + chunk.startswith(b'"')
    closing = chunk.count(b'"' + b"\n") + chunk.count(b'"' + separator)
    return opening == closing and opening + closing == chunk.count(b'"')


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
