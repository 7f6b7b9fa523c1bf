"""Tables of JSON lines, or arrays of records, of any columns; errors are reported by line."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from ireval_frames.engines.polars.batches import batches
from ireval_frames.errors import MalformedFile
from ireval_frames.io.json.document import document
from ireval_frames.io.lazy import lazy
from ireval_frames.io.storage.compression import Stream
from ireval_frames.io.storage.failures import READ_ERRORS, cause
from ireval_frames.io.storage.other_kinds import HEAD, refuse_other
from ireval_frames.io.storage.source import File
from ireval_frames.io.text.bad_lines import BadLines
from ireval_frames.io.text.chunks import at_line_end, chunks
from ireval_frames.io.text.grammar import Wrong
from ireval_frames.io.text.json_lines import count_key, record, refuse_halves
from ireval_frames.io.text.stream import BOM, empty, numbered

# Polars changes halves of surrogate pairs, and reads integers of more than 64 bits as floats.
_ESCAPES = (b"\\ud", b"\\uD")
_INT64 = range(-(2**63), 2**63)


def scan_json_table(source_file: File) -> pl.LazyFrame:
    """A file of JSON lines, or an array of records, with all its columns, in the types of their values.

    Raises:
        FileError: the file cannot be read, or is empty.
        MalformedFile: lines are not JSON objects, or have values that no column can have, or of different types.
    """
    file, name = source_file.path, source_file.name
    with Stream(file, name) as stream:
        refuse_other(stream.read(HEAD), name)
    head = next(chunks(file, name, at_line_end), b"")
    if not head.strip():
        raise empty(name)
    array = head.removeprefix(BOM).lstrip().startswith(b"[")
    lines = _Array(file, name) if array else _Lines(file, name)
    _check_lines(lines, _ESCAPES)
    # Polars reads neither a byte-order mark nor arrays.
    in_memory = array or head.startswith(BOM)
    source = io.BytesIO(b"".join(line + b"\n" for _, line in lines.numbered())) if in_memory else file
    with _our_errors(lines):
        schema = pl.scan_ndjson(source, infer_schema_length=None).collect_schema()
    if not schema:
        raise MalformedFile(f"{name}: its objects are empty.", 'Each names its values: {"label": "a"}')
    _refuse_repeated_keys(lines, schema.names())

    def produce(columns: list[str]) -> Iterator[pl.DataFrame]:
        with _our_errors(lines):
            for frame in batches(pl.scan_ndjson(source, schema=schema).select(columns)):
                if any((frame[c].abs() >= 2.0**63).any() for c, t in frame.schema.items() if t.is_float()):
                    _check_lines(lines)
                yield frame

    return lazy(schema, produce, file.name)


@dataclass(frozen=True)
class _Lines:
    """The lines of a file."""

    file: Path
    name: str

    def pieces(self) -> Iterator[bytes]:
        """Lines, several at a time."""
        return chunks(self.file, self.name, at_line_end)

    def numbered(self) -> Iterator[tuple[int, bytes]]:
        """Each with its number."""
        return numbered(self.file, self.name)


class _Array(_Lines):
    """The records of an array, each with the line in which it begins."""

    def pieces(self) -> Iterator[bytes]:
        yield b"".join(line + b"\n" for _, line in self.numbered())

    def numbered(self) -> Iterator[tuple[int, bytes]]:
        return iter(document(self.file, self.name, records=True).records())


@contextmanager
def _our_errors(lines: _Lines) -> Iterator[None]:
    """Errors of Polars name the bad lines."""
    try:
        yield
    except READ_ERRORS as error:
        _check_lines(lines)
        raise MalformedFile(
            f"{lines.name}: a column has values of different types ({cause(error)}).", "Give all its values one type."
        ) from error


def _check_lines(lines: _Lines, holding: Sequence[bytes] = (b"",)) -> None:
    """Check the lines that contain one of some bytes.

    Raises:
        MalformedFile: some are invalid.
    """
    if not any(part in piece for piece in lines.pieces() for part in holding):
        return
    bad = BadLines(lines.name)
    for at, line in lines.numbered():
        try:
            if line.strip() and any(part in line for part in holding):
                _check_line(line)
        except Wrong as error:
            bad.add(at, line, str(error))
    if bad.count:
        raise bad.error()


def _refuse_repeated_keys(lines: _Lines, keys: Sequence[str]) -> None:
    """Refuse objects with a repeated key; lines are checked if a key occurs more often than there are lines.

    Raises:
        MalformedFile: some have one.
    """
    for piece in lines.pieces():
        n = piece.count(b"\n")
        if b"\\u00" in piece or any(count_key(piece, key) > n for key in keys):
            _check_lines(lines)
            return


def _check_line(line: bytes) -> None:
    """Refuse a line that is not a JSON object, or has values that Polars would change.

    Raises:
        Wrong: with the reason.
    """
    if line.lstrip().startswith(b"["):
        raise Wrong("it begins like a JSON array; JSON lines have one object per line")
    refuse_halves(record(line))
    json.loads(line, parse_int=_integer)


def _integer(digits: str) -> int:
    number = int(digits) if len(digits) <= 20 else 2**64
    if number not in _INT64:
        raise Wrong(f"{digits[:40]} is too large for a 64-bit integer; write it as text")
    return number
