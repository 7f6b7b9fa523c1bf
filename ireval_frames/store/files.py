"""The files of a store: written whole or not at all, listed, and told apart from what does not belong there.

A file is named after the evaluation that it belongs to, or holds the rows of many (`pack-…`).  Rows are seen once the
file of the evaluation itself is there, which is written last.
"""

from __future__ import annotations

import json
import os
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

import polars as pl

from ireval_frames.engines.polars_errors import FAILURES
from ireval_frames.errors import FileError
from ireval_frames.io.atomic import replacing
from ireval_frames.store.parquet import sunk
from ireval_frames.store.tables import FORMAT, TABLES, Table

PACK = "pack-"
_MARK, _REPLACES = "ireval.store", "ireval.replaces"
_MAGIC = b"PAR1"
_TRIES = 5
Result = TypeVar("Result")


class StoreWarning(UserWarning):
    """A file in the folder of a store is damaged or foreign, and is left out."""


@dataclass(frozen=True)
class Listing:
    """The files of a store at one moment.

    Attributes:
        root: the folder.
        files: those of each table, whose rows are seen.
        problems: what is wrong with other files, by their paths.
        ids: the evaluations that are there.
    """

    root: Path
    files: Mapping[str, Sequence[Path]]
    problems: Mapping[Path, str]
    ids: frozenset[str]

    def scan(self, name: str) -> pl.LazyFrame:
        """The rows of a table."""
        return self.only(name, self.files[name])

    def only(self, name: str, paths: Sequence[Path]) -> pl.LazyFrame:
        """The rows of a table that stand in these files."""
        table = TABLES[name]
        if not paths:
            return pl.LazyFrame(schema=table.schema)
        return pl.scan_parquet(
            list(paths),
            schema=table.schema,
            missing_columns="insert",
            extra_columns="ignore",
            glob=False,
            hive_partitioning=False,
        )


def write(
    root: Path, name: str, stem: str, rows: pl.LazyFrame | pl.DataFrame, *, replaces: Iterable[Path] = ()
) -> Path:
    """Write a file of a table; one of that name that is there is the same, and stays.

    Args:
        root: the folder of the store.
        name: the table.
        stem: the name of the file: begins with the evaluation's id, or is that of a pack.
        rows: what it holds, in the table's columns.
        replaces: files of the table whose rows it holds, which are not seen from now on.

    Raises:
        FileError: the disk refuses, or a foreign file has the name.
    """
    table = TABLES[name]
    path = root / name / f"{stem}.parquet"
    if path.exists():
        if said := problem(path, table):
            raise FileError(f"{path} is no file of this store: {said}.", f"Move it away: mv '{path}' /tmp")
        return path
    path.parent.mkdir(exist_ok=True)
    marks = {_MARK: f"{FORMAT} {name}"}
    if replaced := [p.name for p in replaces]:
        marks[_REPLACES] = json.dumps(replaced)
    lazy = rows.lazy().select(pl.col(c).cast(t) for c, t in table.schema.items())
    with replacing(path, durable=True) as stream:
        try:
            sunk(lazy, stream, marks)
        except FAILURES as error:
            raise FileError(f"{path} cannot be written: {(str(error).splitlines() or ['it failed'])[0]}.") from error
    return path


def listing(root: Path) -> Listing:
    """The files that are there now; damaged and foreign ones are named and left out."""
    for _ in range(_TRIES):
        with suppress(FileNotFoundError):
            # Packs may take the place of files between two looks.
            return _listed(root)
    return _listed(root)


def again(root: Path, action: Callable[[Listing], Result]) -> Result:
    """Do something with the files that are there; once more, if one is packed by others meanwhile."""
    for _ in range(_TRIES):
        with suppress(FileNotFoundError):
            return action(_warned(root))
    return action(_warned(root))


def _warned(root: Path) -> Listing:
    found = listing(root)
    for path, said in found.problems.items():
        warnings.warn(f"{path} is left out: {said}. See: store.check()", StoreWarning, stacklevel=5)
    return found


def _listed(root: Path) -> Listing:
    problems: dict[Path, str] = {}
    good = {name: _good(root, name, problems) for name in TABLES}
    ids: set[str] = set()
    for path in good["evaluations"]:
        ids |= _ids_of_pack(path) if path.name.startswith(PACK) else {path.stem}
    for name, table in TABLES.items():
        if table.owner and name != "evaluations":
            good[name] = [p for p in good[name] if p.name.startswith(PACK) or owner(p) in ids]
    return Listing(root, good, problems, frozenset(ids))


def _good(root: Path, name: str, problems: dict[Path, str]) -> list[Path]:
    """The files of a table that are whole and not replaced by a pack."""
    kept, packs = [], {}
    for path in _files(root / name):
        try:
            said = problem(path, TABLES[name])
            if not said and path.name.startswith(PACK):
                packs[path] = _replaces(path)
        except FileNotFoundError:
            continue
        if said:
            problems[path] = said
        else:
            kept.append(path)
    # Of packs that were made at once, the one of more files has what the other one has.
    for one, of in list(packs.items()):
        if of and any(of < other or (of == other and one.name > p.name) for p, other in packs.items() if p != one):
            kept.remove(one)
            del packs[one]
    replaced = set().union(*packs.values())
    return [p for p in kept if p.name not in replaced]


def with_replaced(paths: Sequence[Path]) -> list[Path]:
    """Files, and those that packs among them replace and that are still there."""
    more = {p.with_name(name) for p in paths if p.name.startswith(PACK) for name in _replaces(p)}
    return [*paths, *sorted(p for p in more - {*paths} if p.exists())]


def replaced_in(listing: Listing, name: str) -> set[Path]:
    """Files of a table that packs have replaced."""
    packs = [p for p in listing.files[name] if p.name.startswith(PACK)]
    return {p.with_name(n) for p in packs for n in _replaces(p)}


def damaged(listing: Listing) -> dict[Path, str]:
    """Files that cannot be read to their end; they are left out from now on."""
    out = {}
    for name, paths in listing.files.items():
        for path in paths:
            try:
                # Every value is looked at, and only pieces of the file are in memory.
                listing.only(name, [path]).select(pl.all().hash().sum()).collect(engine="streaming")
            except FileNotFoundError:
                continue
            except FAILURES as error:
                out[path] = f"it is damaged ({(str(error).splitlines() or ['unreadable'])[0]})"
                if path in _seen:
                    _seen[path].said = out[path]
    return out


def owner(path: Path) -> str:
    """The evaluation that a file belongs to."""
    return path.stem.partition("-")[0]


def _files(folder: Path) -> list[Path]:
    try:
        with os.scandir(folder) as entries:
            names = [e.name for e in entries if e.name.endswith(".parquet") and not e.name.startswith((".", "_"))]
    except FileNotFoundError:
        return []
    return [folder / name for name in sorted(names)]


@dataclass
class _Seen:
    """What was found out of a file, as long as it stays the same."""

    stamp: tuple[int, int]
    said: str
    more: dict[str, frozenset[str]] = field(default_factory=dict)


_seen: dict[Path, _Seen] = {}


def problem(path: Path, table: Table) -> str:
    """What is wrong with a file; nothing where it is one of the table.

    Raises:
        FileNotFoundError: it is not there any more.
    """
    told = path.stat()
    stamp = (told.st_mtime_ns, told.st_size)
    known = _seen.get(path)
    if known is None or known.stamp != stamp:
        _seen[path] = known = _Seen(stamp, _looked_at(path, told.st_size, table))
    return known.said


def _looked_at(path: Path, size: int, table: Table) -> str:
    """Look at both ends of a file, where Parquet says what it is."""
    if size < 12:
        return "it is empty" if size == 0 else "it is cut off"
    try:
        with path.open("rb") as stream:
            start = stream.read(4)
            stream.seek(size - 8)
            tail = stream.read(8)
            length = int.from_bytes(tail[:4], "little")
            if tail[4:] != _MAGIC or start != _MAGIC or length > size - 12:
                return "it is cut off or no Parquet file"
            stream.seek(size - 8 - length)
            footer = stream.read(length)
    except FileNotFoundError:
        raise
    except OSError as error:
        return f"it cannot be read ({error.strerror})"
    at = footer.find(_MARK.encode())
    if at < 0:
        return "it was not written by ireval-frames"
    if f" {table.name}".encode() not in footer[at : at + 80]:
        return f"it is no file of the table {table.name}"
    return ""


def _replaces(path: Path) -> frozenset[str]:
    return _remembered(path, "replaces", lambda: json.loads(_metadata(path).get(_REPLACES, "[]")))


def _ids_of_pack(path: Path) -> frozenset[str]:
    return _remembered(path, "ids", lambda: _column(path, "evaluation_id"))


def _column(path: Path, name: str) -> list[str]:
    return pl.read_parquet(path, columns=[name])[name].to_list()


def _remembered(path: Path, what: str, make: Callable[[], Iterable[str]]) -> frozenset[str]:
    known = _seen[path]
    if what not in known.more:
        known.more[what] = frozenset(make())
    return known.more[what]


def _metadata(path: Path) -> Mapping[str, str]:
    return pl.read_parquet_metadata(path)
