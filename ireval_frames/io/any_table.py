"""Tables of any columns: nothing is renamed, and text stays text."""

from __future__ import annotations

import os
import reprlib
from collections.abc import Iterator
from glob import has_magic
from pathlib import PurePosixPath

import polars as pl

from ireval_frames.errors import FileError, WrongType, listed
from ireval_frames.io.json.table import scan_json_table
from ireval_frames.io.lazy import lazy
from ireval_frames.io.storage.compression import Stream
from ireval_frames.io.storage.folders import ENDINGS, as_table
from ireval_frames.io.storage.other_kinds import HEAD, refuse_other
from ireval_frames.io.storage.places import JSON, TABLES, Options, ending, is_remote, local, located
from ireval_frames.io.storage.source import File, Stored, files, folder
from ireval_frames.io.tables import scan_native
from ireval_frames.io.text.chunks import at_line_end, chunks
from ireval_frames.io.text.delimited import EXCEL, Delimited, header_of
from ireval_frames.io.text.grammar import Field
from ireval_frames.io.text.stream import BOM, frames, sound_header


def scan_table(path: str | os.PathLike[str], storage_options: Options | None = None) -> pl.LazyFrame:
    """A CSV, TSV, JSON lines, Parquet or Arrow file with all its columns; those of CSV and TSV are text.

    The separator, a comma, a tab, a semicolon or `|`, is detected in the header.
    A folder or a pattern of Parquet files is one table, as a Delta table is.

    Raises:
        FileError: the file cannot be read, is empty, or is not text.
        MalformedFile: lines have other numbers of fields than the header, or wrong quotes;
            raised when the frame is collected.
    """
    file = table_file(path, storage_options)
    if file.stored is not None:
        return file.stored.scan()
    name = PurePosixPath(file.name.partition("?")[0] if is_remote(file.name) else file.name)
    kind = TABLES.get(name.suffix.lower())
    if kind:
        return scan_native(file.path, file.path.name, kind)
    if any(s.lower() in JSON for s in name.suffixes):
        return scan_json_table(file)
    return _delimited(file)


def table_file(path: str | os.PathLike[str], storage_options: Options | None = None) -> File:
    """The one table that a path names.

    Raises:
        FileError: it names none, or several.
        WrongType: it is a list.
    """
    if not isinstance(path, str | os.PathLike):
        raise WrongType(
            f"{reprlib.repr(path)} is a list of texts, which is no table.",
            'Make it a frame, such as pl.DataFrame({"label": y_true, "prediction": y_pred}), or name one file.',
        )
    source = located(path, storage_options)
    if is_remote(source):
        return files(source)[0]
    file = local(source)
    if file.is_dir():
        return folder(file, str(source))
    if not file.exists() and has_magic(str(file)):
        matches = files(source)
        paths = [path for match in matches for path in _parquet_files(match)]
        if len(matches) > 1 and all(map(_parquet_files, matches)):
            located_path = as_table(paths, str(source))
            return File(file, str(source), "", Stored("parquet", located_path.scan, located_path))
        if len(matches) > 1:
            raise FileError(
                f"{source} matches {len(matches)} files, and only those of Parquet are one table.", "Name one."
            )
        return matches[0]
    return files(source)[0]


def _parquet_files(file: File) -> tuple[str, ...]:
    if file.stored is not None:
        return file.stored.parquet.files if file.stored.parquet else ()
    return (str(file.path),) if file.path.suffix.lower() in ENDINGS else ()


def is_text_table(source: object) -> bool:
    """Whether it is the path of a table whose columns are all text, as those of CSV and TSV are."""
    if not isinstance(source, str | os.PathLike):
        return False
    if is_remote(source):
        end = ending(os.fspath(source))
        return end not in ("", ".delta", *TABLES, *JSON)
    file = local(source)
    return file.is_file() and not (set(map(str.lower, file.suffixes)) & {*TABLES, *JSON})


def separated(file: File) -> tuple[str, str, list[str], int]:
    """The header of a text file, its separator, its names, and the number of lines up to its end.

    Raises:
        FileError: the file is empty or not text, or the header names a column twice.
    """
    line, skip = _header(file)
    name = PurePosixPath(file.name.partition("?")[0] if is_remote(file.name) else file.name)
    usual = "\t" if any(s.lower() == ".tsv" for s in name.suffixes) else ","
    separator, names = header_of(line, usual)
    if not names:
        raise FileError(f"{file.name} is empty.", "Its first line names the columns.")
    twice = sorted({n for n in names if names.count(n) > 1})
    if twice:
        raise FileError(
            f"{file.name}: the header names {listed(map(repr, twice))} twice.", "Rename one of the columns."
        )
    return line, separator, names, skip


def _delimited(file: File) -> pl.LazyFrame:
    """Every line is checked against the header as it is read."""
    line, separator, names, skip = separated(file)
    parser = Delimited(tuple(Field(name, "any") for name in names), separator)

    def produce(columns: list[str]) -> Iterator[pl.DataFrame]:
        for frame in frames(file.path, file.name, parser, skip, line):
            yield frame.select(columns)

    return lazy(dict.fromkeys(names, pl.String), produce, file.path.name)


def _header(file: File) -> tuple[str, int]:
    with Stream(file.path, file.name) as stream:
        refuse_other(stream.read(HEAD), file.name)
    head = next(chunks(file.path, file.name, at_line_end), b"")
    lines = head.removeprefix(BOM).split(b"\n", 2)
    skip = 1 + (len(lines) > 1 and EXCEL.fullmatch(lines[0].decode(errors="replace").strip()) is not None)
    return sound_header(lines[skip - 1], file.name), skip
