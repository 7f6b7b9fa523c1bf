"""Local folders of Parquet files, and the columns that folders name: `run_id=bm25/part-0.parquet`."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

import polars as pl

from ireval_frames.engines.inputs.parquet_files import ParquetFiles
from ireval_frames.errors import FileError, WrongType, listed
from ireval_frames.io.storage.failures import READ_ERRORS, cause

ENDINGS = (".parquet", ".pq")


def files_of(folder: Path, name: str) -> list[str]:
    """The Parquet files of a folder and its subfolders, without hidden ones.

    Raises:
        FileError: there is none, or there are other files.
    """
    files = sorted(_walk(folder))
    parquet = [f for f in files if f.lower().endswith(ENDINGS)]
    if parquet and len(parquet) == len(files):
        return parquet
    if parquet:
        other = next(f for f in files if f not in set(parquet))
        raise FileError(
            f"{name} holds Parquet files and others, such as {os.path.relpath(other, folder)}.",
            f'Name those to read: "{name.rstrip("/")}/**/*.parquet"',
        )
    if not files:
        raise FileError(f"{name} is a directory without files.", "Check that the program that writes it has run.")
    others = listed((os.path.relpath(f, folder) for f in files), 3)
    raise FileError(
        f"{name} is a directory without Parquet files; it has {others}.",
        f'Name its files: "{name.rstrip("/")}/*"',
    )


def _walk(folder: Path) -> Iterator[str]:
    """The files of all subfolders, except hidden ones."""
    for path in folder.iterdir():
        if is_hidden_name(path.name):
            continue
        if path.is_dir():
            if path.is_symlink() and path.resolve() in (folder.resolve(), *folder.resolve().parents):
                raise FileError(f"{path} is a link to a folder that contains it.", "Remove the link.")
            yield from _walk(path)
        elif path.is_symlink() and not path.exists():
            raise FileError(f"{path} is a link to {path.readlink()}, which does not exist.", "Remove or repair it.")
        else:
            yield str(path)


def is_hidden(path: str) -> bool:
    """Whether it is a hidden Parquet file, or one in a hidden folder such as `_temporary`."""
    return path.lower().endswith(ENDINGS) and any(
        part.startswith("_") and is_hidden_name(part) for part in Path(path).parts
    )


def is_hidden_name(name: str) -> bool:
    """Whether other tools hide such a name: it begins with a dot, or an underscore (unless it names a column)."""
    return name.startswith(".") or (name.startswith("_") and "=" not in name)


def as_table(files: Sequence[str], name: str, folder: str = "") -> ParquetFiles:
    """The files as one table; the schema of each is read first, so that no error comes halfway.

    Args:
        files: their paths.
        name: the user's name for them.
        folder: the folder, if the user named one.

    Raises:
        FileError: one is damaged, or its folders name other columns.
        WrongType: one has other columns than the first.
    """
    keys, base = columns_in(files[0])
    for file in files[1:]:
        same_folders(name, files[0], keys, file, columns_in(file)[0])
    schemas = [_schema(file) for file in files]
    for key in keys:
        # One column to DuckDB, two to Polars.
        if other := next((c for c in schemas[0] if c != key and c.lower() == key.lower()), ""):
            raise FileError(
                f"{files[0]} has a column {other!r}, and its folder names {key!r}: not all engines distinguish them.",
                f"Spell them the same: the folder {other}=…",
            )
    for file, schema in zip(files[1:], schemas[1:], strict=True):
        if schema != schemas[0]:
            raise _changed(files[0], schemas[0], file, schema)
    return ParquetFiles(tuple(files), keys, base or folder)


def same_folders(name: str, first: str, keys: Sequence[str], file: str, other_keys: Sequence[str]) -> None:
    """Refuse a file whose folders name other columns than those of the first.

    Raises:
        FileError: they do.
    """
    if tuple(other_keys) != tuple(keys):
        raise FileError(
            f"{name}: the folders of {file} name {_named(other_keys)}, those of {first} {_named(keys)}.",
            "Read them one by one, or use the same folders for all files: run_id=bm25/part-0.parquet",
        )


def columns_in(path: str) -> tuple[tuple[str, ...], str]:
    """The columns that a path's folders name, and the path before the first of these folders."""
    parts = Path(path).parent.parts
    named = [i for i, part in enumerate(parts) if "=" in part[1:]]
    return names_in(parts, path), str(Path(*parts[: named[0]])) if named else ""


def names_in(parts: Sequence[str], path: str) -> tuple[str, ...]:
    """The columns that folders name.

    Raises:
        FileError: engines disagree on one of them, or two have the same name.
    """
    named = [part.partition("=") for part in parts if "=" in part[1:]]
    for name, _, value in named:
        if "=" in value:
            raise FileError(
                f"{path}: the folder '{name}={value}' has a second '='.",
                f"Within a value write %3D: {name}={value.replace('=', '%3D')}",
            )
    names = tuple(name for name, _, _ in named)
    lower = [name.lower() for name in names]
    if twice := next((name for i, name in enumerate(names) if name.lower() in lower[:i]), ""):
        raise FileError(f"{path}: two of its folders name the column {twice}.", "Rename one of them.")
    return names


def _schema(file: str) -> dict[str, pl.DataType]:
    try:
        # Brackets in a name are no pattern here, and columns that folders name are not in the file.
        return dict(pl.scan_parquet(file, glob=False, hive_partitioning=False).collect_schema())
    except READ_ERRORS as error:
        raise FileError(
            f"{file} is a damaged parquet file: {cause(error)}.",
            "It was truncated while it was written, or is no Parquet file: write it again, or remove it.",
        ) from error


def _changed(first: str, expected: dict[str, pl.DataType], file: str, schema: dict[str, pl.DataType]) -> WrongType:
    """The error for a file of a table that has other columns than the first."""
    if lacking := [c for c in expected if c not in schema]:
        return WrongType(
            f"{file} has no column {lacking[0]!r}, which {first} has.", "Write it again with the columns of the others."
        )
    if more := [c for c in schema if c not in expected]:
        return WrongType(
            f"{file} has a column {more[0]!r}, which {first} does not have.",
            "Write it again with the columns of the others.",
        )
    column = next(c for c in expected if expected[c] != schema[c])
    dtype = expected[column]
    return WrongType(
        f"{file}: column {column!r} is {schema[column]}, and {dtype} in {first}.",
        f'Give it the type of the others: pl.read_parquet(path).cast({{"{column}": pl.{dtype}}}).write_parquet(path)',
    )


def _named(keys: Sequence[str]) -> str:
    return f"the columns {listed(keys)}" if len(keys) > 1 else f"the column {keys[0]}" if keys else "no column"
