"""The files of a source: a path, a folder, a pattern, several of these, or standard input."""

from __future__ import annotations

import difflib
import os
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from glob import glob, has_magic
from pathlib import Path
from typing import IO

import polars as pl

from ireval_frames.engines.inputs.parquet_files import ParquetFiles
from ireval_frames.errors import Code, FileError, Hint, InvalidParameter
from ireval_frames.io.storage import delta, folders, remote
from ireval_frames.io.storage.compression import SUFFIXES
from ireval_frames.io.storage.copies import Copy, copied
from ireval_frames.io.storage.failures import cause
from ireval_frames.io.storage.places import (
    TABLES,
    Located,
    Options,
    as_text,
    ending,
    is_remote,
    is_text,
    local,
    located,
    store,
)

# Endings of paths in stores that are folders.
FOLDERS = ("", ".delta")
DATASET_PREFIXES = ("ir_datasets:", "irds:")
# Copies of standard input and of pipes live as long as the process.
_copies: list[Copy] = []


@dataclass(frozen=True)
class Stored:
    """A table that Polars reads itself, other than one local file.

    Args:
        format: "parquet" or "arrow".
        scan: reads it.
        parquet: the files, if they are local and make up the table.
    """

    format: str
    scan: Callable[[], pl.LazyFrame]
    parquet: ParquetFiles | None = None


@dataclass(frozen=True)
class File:
    """A file to read.

    Args:
        path: where it is; not used if it is `stored`.
        name: its name in messages.
        stem: the name of the run in it.
        stored: how it is read if it is not one local file.
        owner: a temporary copy that lives as long as the path is used.
    """

    path: Path
    name: str
    stem: str
    stored: Stored | None = None
    owner: Copy | None = field(default=None, compare=False, repr=False)

    def __post_init__(self) -> None:
        for called in ("name", "stem"):
            object.__setattr__(self, called, as_text(getattr(self, called)))


Source = str | os.PathLike[str] | Iterable[str | os.PathLike[str]] | File


def files(source: Source, storage_options: Options | None = None) -> list[File]:
    """The files and folders a source names, patterns resolved and sorted by name.

    Raises:
        FileError: a file is missing, a folder holds no Parquet files, or nothing matches.
    """
    source = located(source, storage_options)
    if isinstance(source, str | os.PathLike | File):
        return _one(source)
    if not isinstance(source, Iterable):
        raise InvalidParameter(
            f"A source is a path, a pattern, a list of these or '-', not {type(source).__name__}.",
            "Pass tables in memory to ir.evaluate directly.",
        )
    out = [file for item in source for file in _one(item)]
    if not out:
        raise InvalidParameter(
            "The list of files is empty.", 'Name at least one: ir.io.scan_run(["bm25.run", "dense.run"])'
        )
    return out


def stem(path: Path) -> str:
    """A file's name without compression suffix and one more: `bm25.run.gz` is `bm25`."""
    name = path.name
    for suffix in SUFFIXES:
        if name.lower().endswith(suffix):
            name = name[: -len(suffix)]
            break
    return as_text(Path(name).stem or name)


def _one(item: str | os.PathLike[str] | File) -> list[File]:
    if isinstance(item, File):
        return [item]
    if not isinstance(item, str | os.PathLike):
        raise InvalidParameter(f"A source is a path, a pattern, a list of these or '-', not {type(item).__name__}.")
    if is_remote(item):
        return [_remote(os.fspath(item), item.options if isinstance(item, Located) else None)]
    if str(item) == "-":
        return [_standard_input()]
    path = local(item)
    if path.is_dir():
        return [folder(path, str(item))]
    # An existing file is no pattern, even if its name has brackets.
    if path.exists():
        return [_file(path, str(item)) if path.is_file() else _copied_stream(path, str(item))]
    if has_magic(str(path)):
        return _matching(path, str(item))
    raise FileError(f"{item} does not exist.", _near(path))


def _file(path: Path, name: str) -> File:
    """A file; Parquet files also have the columns that their folders name.  One without a valid name is copied."""
    if not is_text(path):
        return _copied_stream(path, name)
    if path.suffix.lower() in folders.ENDINGS and folders.columns_in(str(path))[0]:
        return _parquet([str(path)], name, path, single=True)
    return File(path, name, stem(path))


def folder(path: Path, name: str) -> File:
    """A folder of Parquet files, or a Delta table, as one table.

    Raises:
        FileError, WrongType: it has no Parquet files, or others as well.
    """
    if not is_text(path):
        raise FileError(f"{as_text(name)}: the name of the folder is not valid UTF-8.", "Rename it, or name its files.")
    if delta.is_delta(str(path)):
        return File(path, name, _stem_of(path), Stored("parquet", lambda: delta.scan_delta(str(path))))
    return _parquet(folders.files_of(path, name), name, path, folder=True)


def _parquet(paths: list[str], name: str, path: Path, *, folder: bool = False, single: bool = False) -> File:
    table = folders.as_table(paths, name, str(path) if folder else "")
    # Without a run_id column, a run has the name of the folder that was named, or of the common one.
    named = path if folder or single or not table.keys else Path(table.base)
    return File(path, name, _stem_of(named), Stored("parquet", table.scan, table))


def _stem_of(path: Path) -> str:
    """The stem of a folder or file, which may be written as `.`."""
    return stem(Path(os.path.abspath(path)))  # noqa: PTH100 - links keep their names


def _matching(path: Path, name: str) -> list[File]:
    """The files that match a pattern; those in folders that name columns are one table."""
    matches = sorted(glob(str(path), recursive=True))  # noqa: PTH207
    # Files in hidden folders count only if the pattern names such a folder.
    hidden = not any(part.startswith("_") for part in path.parts)
    paths = [Path(p) for p in matches if not Path(p).is_dir() and not (hidden and folders.is_hidden(p))]
    if not paths:
        inside = [folder(Path(p), p) for p in matches if _has_parquet(Path(p))]
        if inside:
            return inside
        raise FileError(f"No file matches {name!r}.", _near(path))
    partitioned = [p for p in paths if p.suffix.lower() in folders.ENDINGS and folders.columns_in(str(p))[0]]
    if not partitioned:
        return [_file(p, str(p)) for p in paths]
    if any("run_id" not in map(str.lower, folders.columns_in(str(p))[0]) for p in partitioned):
        # Folders without run_id: every file is separate, with the columns that its folders name.
        return [_file(p, str(p)) for p in paths]
    if len(partitioned) < len(paths):
        other = next(p for p in paths if p not in set(partitioned))
        raise FileError(
            f"{name!r} matches files in folders such as run_id=bm25, and others, such as {other}.",
            "Name them separately, in a list of two patterns.",
        )
    return [_parquet([str(p) for p in paths], name, paths[0])]


def _has_parquet(path: Path) -> bool:
    return path.is_dir() and (delta.is_delta(str(path)) or any(path.rglob("*.parquet")))


def _remote(path: str, options: Options | None) -> File:
    """A file, a folder or a pattern in a store."""
    # Stores require lower-case schemes.
    scheme, _, rest = path.partition("://")
    path = f"{scheme.lower()}://{rest}"
    if not rest.strip("/"):
        raise FileError(
            f"{path} names nothing in its store.", f"Write the complete path: {scheme.lower()}://bucket/runs/"
        )
    end, kind = ending(path), store(path)
    # A path without an ending is a folder, except for http.
    if kind != "http" and (path.endswith("/") or end in FOLDERS) and not has_magic(path):
        at = path.rstrip("/") + "/"
        if delta.is_delta(path, options):
            return File(Path(path), path, _stem(at), Stored("parquet", lambda: delta.scan_delta(path, options)))
        return File(Path(path), path, _stem(at), Stored("parquet", lambda: remote.scan_parquet(at, options)))
    if TABLES.get(end) == "parquet":
        return File(Path(path), path, _stem(path), Stored("parquet", lambda: remote.scan_parquet(path, options)))
    if has_magic(path) and kind != "http":
        raise FileError(
            f"{path} is a pattern of files other than Parquet, which stores cannot list.",
            "Name the files in a list.",
        )
    if TABLES.get(end) == "arrow":
        return File(Path(path), path, _stem(path), Stored("arrow", lambda: remote.scan_arrow(path, options)))
    copy = remote.copy_of(path, options)
    return File(copy.path, path, _stem(path), owner=copy)


def _stem(path: str) -> str:
    """The stem of a path; for a pattern, or folders that name columns, that of the folder before them."""
    parts = path.partition("?")[0].rstrip("/").split("/")
    before = parts
    for i, part in enumerate(parts):
        if has_magic(part) or "=" in part[1:]:
            before = parts[:i]
            break
    return stem(Path(before[-1])) if before else path


def _near(path: Path) -> str:
    folder = path.parent
    if not folder.is_dir():
        return f"There is no folder {folder} either." if not has_magic(str(folder)) else ""
    names = [p.name for p in folder.iterdir() if not p.is_dir()]
    # The likeliest mistake is another ending.
    close = [n for n in names if n.startswith(path.name + ".") or stem(Path(n)) == stem(path)]
    close = close or difflib.get_close_matches(path.name, names, n=3, cutoff=0.6)
    if close:
        return f"Did you mean {' or '.join(sorted(close)[:3])}?"
    if path.name == str(path) and path.name.isidentifier():
        return Hint(
            "Name a file; for a table of a database: ", Code("con=connection", f"export it to {path}.parquet"), "."
        )
    return f"Its folder exists: {folder.resolve()}"


def _standard_input() -> File:
    return _copy(sys.stdin.buffer, "standard input", "stdin")


def _copied_stream(path: Path, name: str) -> File:
    """A special file, such as a pipe, which can be read once."""
    try:
        with path.open("rb") as stream:
            return _copy(stream, name, stem(path))
    except OSError as error:
        raise FileError(f"{name} cannot be read: {error.strerror or cause(error)}.") from error


def _copy(stream: IO[bytes], name: str, stem: str) -> File:
    # Copied, because a lazy frame may read its source more than once and at any time.
    copy = copied(stream)
    _copies.append(copy)
    return File(copy.path, name, stem, owner=copy)
