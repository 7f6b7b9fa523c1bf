"""JSON lines: one object per line."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, NoReturn

import polars as pl

from ireval_frames.columns.exact_numbers import EXACT
from ireval_frames.io.storage.failures import ENGINE_ERRORS
from ireval_frames.io.text.bad_lines import BadLines
from ireval_frames.io.text.chunks import at_line_end
from ireval_frames.io.text.grammar import Field, Value, Wrong, check_exact, frame, integer, is_valid

_UNREADABLE: tuple[type[BaseException], ...] = (ValueError, KeyError, TypeError, RecursionError, *ENGINE_ERRORS)


@dataclass(frozen=True)
class JsonLines:
    """The parser: the fields to take from each object."""

    fields: tuple[Field, ...]

    def cut(self, block: bytes) -> int:
        """The end of the last complete line."""
        return at_line_end(block)

    def quick(self, chunk: bytes) -> tuple[pl.DataFrame, int] | None:
        """The frame of a chunk by Polars' reader, and its number of lines; None unless all lines are surely valid."""
        rows = self._fast(chunk)
        return None if rows is None else (rows, chunk.count(b"\n"))

    def _fast(self, chunk: bytes) -> pl.DataFrame | None:
        # Polars turns lone surrogates (\ud800) into other text.
        if b"\\ud" in chunk or b"\\uD" in chunk or not _plain_keys(chunk):
            return None
        try:
            sample = json.loads(chunk[: chunk.index(b"\n")])
            integer_ids = {f.name for f in self.fields if f.kind == "id" and type(sample[f.name]) is int}
            schema = {f.name: pl.Int64 if f.name in integer_ids else f.dtype for f in self.fields}
            read = pl.read_ndjson(chunk, schema=schema)
        except _UNREADABLE:
            return None
        if not is_valid(read, self.fields, missing=False):
            return None
        # Readers differ on a key that occurs twice in an object.
        if b'" :' in chunk or any(chunk.count(_key(f.name) + b":") != read.height for f in self.fields):
            return None
        for field in self.fields:
            if field.name in integer_ids:
                read = read.with_columns(pl.col(field.name).cast(pl.String))
            elif field.kind == "id" and not self._all_text(chunk, field.name, read):
                return None
        return read

    def _all_text(self, chunk: bytes, name: str, read: pl.DataFrame) -> bool:
        """Whether the ids are strings in every line: Polars reads 1.50 or true as text too."""
        key = _key(name)
        strings = chunk.count(key + b':"') + chunk.count(key + b': "')
        return strings == read.height and not (read[name] == "").any()

    def exact(self, chunk: bytes, first: int, bad: BadLines) -> pl.DataFrame:
        """The frame of a chunk, line by line; `first` is the number of its first line."""
        return self.rows(enumerate(chunk.split(b"\n")[:-1], first), bad)

    def rows(self, lines: Iterable[tuple[int, bytes]], bad: BadLines) -> pl.DataFrame:
        """The frame of lines with their numbers."""
        columns: list[list[Value]] = [[] for _ in self.fields]
        for number, line in lines:
            if line.strip():
                for column, item in zip(columns, self._line(number, line, bad), strict=False):
                    column.append(item)
        return frame(self.fields, columns)

    def _line(self, number: int, line: bytes, bad: BadLines) -> list[Value]:
        values: list[Value] = []
        hint = ""
        try:
            row = record(line)
            for field in self.fields:
                hint = field.hint
                values.append(_value(field, row))
        except Wrong as error:
            bad.add(number, line, str(error), hint)
            return []
        return values


def count_key(chunk: bytes, name: str) -> int:
    """The number of occurrences of a key in lines without escaped keys, including those in text."""
    return chunk.count(_key(name) + b":") + chunk.count(_key(name) + b" :")


def _key(name: str) -> bytes:
    return json.dumps(name, ensure_ascii=False).encode()


def _plain_keys(chunk: bytes) -> bool:
    """Whether no key can have an escaped letter."""
    return b"\\u00" not in chunk or not any(b"\\u00%d" % place in chunk for place in range(2, 8))


def record(line: bytes) -> dict[str, Any]:
    """The object of a line.

    Raises:
        Wrong: the line is not one JSON object, or an object in it has a key twice.
    """
    try:
        row = json.loads(line.decode(), parse_constant=constant, object_pairs_hook=unique_keys)
    except UnicodeDecodeError:
        raise Wrong("it is not valid UTF-8") from None
    except Wrong:
        raise
    except (ValueError, RecursionError) as error:
        raise Wrong(f"it is not JSON ({error})") from None
    if not isinstance(row, dict):
        raise Wrong("it is not a JSON object")
    return row


def unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object of JSON.

    Raises:
        Wrong: it has a key twice.
    """
    out = dict(pairs)
    if len(out) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise Wrong(f"it has the key {twice[:40]!r} twice")
    return out


def refuse_halves(row: dict[str, Any]) -> None:
    """Refuse a row with text that is not valid Unicode.

    Raises:
        Wrong: it has half of a surrogate pair.
    """
    try:
        json.dumps(row, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        raise Wrong("it holds half of a surrogate pair, which is no character") from None


def constant(text: str) -> NoReturn:
    """Refuse NaN and infinities, which are not JSON.

    Raises:
        Wrong: always.
    """
    raise Wrong(f"it holds {text}, which is not a finite number")


def _value(field: Field, row: dict[str, Any]) -> Value:
    if row.get(field.name) is None:
        raise Wrong(f"{field.name!r} is missing" if field.name not in row else f"{field.name!r} is null")
    item = row[field.name]
    if field.kind in ("id", "any"):
        if not isinstance(item, (str, int)) or isinstance(item, bool):
            raise Wrong(f"{field.name} {str(item)[:40]!r} is neither text nor an integer")
        text = str(item)
        if not text:
            raise Wrong(f"{field.name} is empty")
        if any("\ud800" <= c <= "\udfff" for c in text):
            raise Wrong(f"{field.name} is not valid Unicode")
        return text
    if isinstance(item, bool) or not isinstance(item, (int, float)):
        raise Wrong(f"{field.name} {json.dumps(item)[:40]} is not a number")
    if field.kind == "integer":
        # 1.0 and 1 are one number of JSON.
        whole = isinstance(item, float) and item.is_integer() and abs(item) <= EXACT
        return integer(field.name, str(int(item) if whole else item))
    try:
        number = float(item)
    except OverflowError:
        number = float("inf")
    if abs(number) == float("inf"):
        raise Wrong(f"{field.name} is too large for a 64-bit float")
    if field.kind == "score":
        check_exact(field.name, item)
    return number
