"""Folders of Parquet files on this machine, and what their names say: `run_id=bm25/part-0.parquet`."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

import polars as pl

from ireval_frames.engines.inputs.parquet_files import ParquetFiles
from ireval_frames.errors import FileError, WrongType, listed
from ireval_frames.io.storage.failures import READ_ERRORS, cause

ENDINGS = (".parquet", ".pq")


def files_of(folder: Path, given: str) -> list[str]:
    """The Parquet files of a folder and of those in it; what other tools hide is left out.

    Raises:
        FileError: there is none, or there are others.
    """
    found = sorted(_walked(folder))
    parquet = [f for f in found if f.lower().endswith(ENDINGS)]
    if parquet and len(parquet) == len(found):
        return parquet
    if parquet:
        other = next(f for f in found if f not in set(parquet))
        raise FileError(
            f"{given} holds Parquet files and others, such as {os.path.relpath(other, folder)}.",
            f'Name those to read: "{given.rstrip("/")}/**/*.parquet"',
        )
    if not found:
        raise FileError(f"{given} is a directory without files.", "Check that the program that writes it has run.")
    others = listed((os.path.relpath(f, folder) for f in found), 3)
    raise FileError(
        f"{given} is a directory without Parquet files; it has {others}.",
        f'Name its files: "{given.rstrip("/")}/*"',
    )


def _walked(folder: Path) -> Iterator[str]:
    """Files in all folders; names that begin with a dot or an underscore are other tools' own, but for columns."""
    for path in folder.iterdir():
        if is_others(path.name):
            continue
        if path.is_dir():
            if path.is_symlink() and path.resolve() in (folder.resolve(), *folder.resolve().parents):
                raise FileError(f"{path} leads back to a folder that it lies in.", "Take the link out.")
            yield from _walked(path)
        elif path.is_symlink() and not path.exists():
            raise FileError(f"{path} is a link to {path.readlink()}, which is not there.", "Take it out, or mend it.")
        else:
            yield str(path)


def is_hidden(path: str) -> bool:
    """Whether it is a Parquet file in a folder that other tools hide, such as `_temporary`, or such a file."""
    return path.lower().endswith(ENDINGS) and any(part.startswith("_") and is_others(part) for part in Path(path).parts)


def is_others(name: str) -> bool:
    """Whether a name is one that other tools hide."""
    return name.startswith(".") or (name.startswith("_") and "=" not in name)


def together(files: Sequence[str], given: str, folder: str = "") -> ParquetFiles:
    """The files as one table; the beginning of every one is looked at, so that none is found wrong halfway.

    Args:
        files: their paths.
        given: what the user called them.
        folder: the folder that was named, if it was one.

    Raises:
        FileError: one is damaged, or its folders name other columns.
        WrongType: one has other columns than the first.
    """
    keys, base = columns_in(files[0])
    for file in files[1:]:
        same_folders(given, files[0], keys, file, columns_in(file)[0])
    schemas = [_schema(file) for file in files]
    for key in keys:
        # DuckDB would take both for one column, and Polars for two.
        if other := next((c for c in schemas[0] if c != key and c.lower() == key.lower()), ""):
            raise FileError(
                f"{files[0]} has a column {other!r}, and its folder names {key!r}, which not every engine tells apart.",
                f"Write one of them as the other: the folder {other}=…",
            )
    for file, schema in zip(files[1:], schemas[1:], strict=True):
        if schema != schemas[0]:
            raise _changed(files[0], schemas[0], file, schema)
    return ParquetFiles(tuple(files), keys, base or folder)


def same_folders(given: str, first: str, keys: Sequence[str], file: str, found: Sequence[str]) -> None:
    """Refuse a file whose folders name other columns than those of the first.

    Raises:
        FileError: it is such.
    """
    if tuple(found) != tuple(keys):
        raise FileError(
            f"{given}: the folders of {file} name {_named(found)}, those of {first} {_named(keys)}.",
            "Read them one by one, or give all files the same folders: run_id=bm25/part-0.parquet",
        )


def columns_in(path: str) -> tuple[tuple[str, ...], str]:
    """The columns that a path's folders name, and what stands before the first of them."""
    parts = Path(path).parent.parts
    named = [i for i, part in enumerate(parts) if "=" in part[1:]]
    return names_in(parts, path), str(Path(*parts[: named[0]])) if named else ""


def names_in(parts: Sequence[str], path: str) -> tuple[str, ...]:
    """The columns that folders name.

    Raises:
        FileError: engines would read one of them otherwise, or two have one name.
    """
    named = [part.partition("=") for part in parts if "=" in part[1:]]
    for name, _, value in named:
        if "=" in value:
            raise FileError(
                f"{path}: the folder '{name}={value}' has a second '='.",
                f"In a value it is written %3D: {name}={value.replace('=', '%3D')}",
            )
    names = tuple(name for name, _, _ in named)
    lower = [name.lower() for name in names]
    if twice := next((name for i, name in enumerate(names) if name.lower() in lower[:i]), ""):
        raise FileError(f"{path}: two of its folders name the column {twice}.", "Rename one of them.")
    return names


def _schema(file: str) -> dict[str, pl.DataType]:
    try:
        # Brackets in a name are no pattern here, and what the folders name is no column of the file.
        return dict(pl.scan_parquet(file, glob=False, hive_partitioning=False).collect_schema())
    except READ_ERRORS as error:
        raise FileError(
            f"{file} is a damaged parquet file: {cause(error)}.",
            "It was cut off while it was written, or is none: write it again, or take it out of the folder.",
        ) from error


def _changed(first: str, wanted: dict[str, pl.DataType], file: str, found: dict[str, pl.DataType]) -> WrongType:
    """The error that a file of a table has other columns than the first."""
    if lacking := [c for c in wanted if c not in found]:
        return WrongType(
            f"{file} has no column {lacking[0]!r}, which {first} has.", "Write it again with the columns of the others."
        )
    if more := [c for c in found if c not in wanted]:
        return WrongType(
            f"{file} has a column {more[0]!r}, which {first} has not.", "Write it again with the columns of the others."
        )
    column = next(c for c in wanted if wanted[c] != found[c])
    dtype = wanted[column]
    return WrongType(
        f"{file}: column {column!r} is {found[column]}, and {dtype} in {first}.",
        f'Give it the type of the others: pl.read_parquet(path).cast({{"{column}": pl.{dtype}}}).write_parquet(path)',
    )


def _named(keys: Sequence[str]) -> str:
    return f"the columns {listed(keys)}" if len(keys) > 1 else f"the column {keys[0]}" if keys else "no column"
