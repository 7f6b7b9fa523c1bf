"""Tables whose columns the caller names: nothing is renamed, and text stays text."""

from __future__ import annotations

import csv
import os
from collections.abc import Iterator
from pathlib import Path

import polars as pl

from ireval_frames.errors import FileError, listed
from ireval_frames.io.chunks import at_line_end, chunks
from ireval_frames.io.delimited import Delimited
from ireval_frames.io.grammar import Field
from ireval_frames.io.json_table import scan_json_table
from ireval_frames.io.lazy import lazy
from ireval_frames.io.tables import scan_native
from ireval_frames.io.text import BOM, frames, sound_header

_KINDS = {".parquet": "parquet", ".pq": "parquet", ".arrow": "arrow", ".feather": "arrow", ".ipc": "arrow"}


def scan_table(path: str | os.PathLike[str]) -> pl.LazyFrame:
    """A CSV, TSV, JSON lines, Parquet or Arrow file with all its columns; those of CSV and TSV are text.

    Raises:
        FileError: the file cannot be read, is empty, or is not text.
        MalformedFile: lines have other numbers of fields than the header, or wrong quotes;
            raised when the frame is collected.
    """
    file = Path(path).expanduser()
    if not file.is_file():
        raise FileError(f"{file} cannot be opened: it is not a file.", "Check the path.")
    kind = _KINDS.get(file.suffix.lower())
    if kind:
        return scan_native(file, file.name, kind)
    if any(s.lower() in (".jsonl", ".ndjson", ".json") for s in file.suffixes):
        return scan_json_table(file)
    return _delimited(file, "\t" if any(s.lower() == ".tsv" for s in file.suffixes) else ",")


def is_text_table(given: object) -> bool:
    """Whether it is the path of a table whose columns are all text, as those of CSV and TSV are."""
    if not isinstance(given, str | os.PathLike):
        return False
    file = Path(given).expanduser()
    return file.is_file() and not (set(map(str.lower, file.suffixes)) & {*_KINDS, ".jsonl", ".ndjson"})


def _delimited(file: Path, separator: str) -> pl.LazyFrame:
    """Every line is checked against the header as it is read."""
    names = _header(file, separator)
    twice = sorted({n for n in names if names.count(n) > 1})
    if twice:
        raise FileError(f"{file}: the header names {listed(map(repr, twice))} twice.", "Rename one of the columns.")
    parser = Delimited(tuple(Field(name, "any") for name in names), separator)

    def produce(wanted: list[str]) -> Iterator[pl.DataFrame]:
        for frame in frames(file, str(file), parser, 1):
            yield frame.select(wanted)

    return lazy(dict.fromkeys(names, pl.String), produce, file.name)


def _header(file: Path, separator: str) -> list[str]:
    line = next(chunks(file, str(file), at_line_end), b"").removeprefix(BOM).partition(b"\n")[0]
    names = next(csv.reader([sound_header(line, str(file))], delimiter=separator), [])
    if not names:
        raise FileError(f"{file} is empty.", "Its first line names the columns.")
    return names
