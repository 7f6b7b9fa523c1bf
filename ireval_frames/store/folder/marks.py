"""What a file of a store says of itself: whether it is one, whose rows it holds, and which files it replaces."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import polars as pl

from ireval_frames.store.folder import seals
from ireval_frames.store.tables import Table

PACK = "pack-"
MARK, REPLACES, HOLDS = "ireval.store", "ireval.replaces", "ireval.holds"
DAMAGED = "it is damaged (its checksum is another one)"
_MAGIC = b"PAR1"


def owner(stem: str) -> str:
    """The evaluation that a file of such a name belongs to."""
    return stem.partition("-")[0]


def holds(path: Path) -> frozenset[str]:
    """The names of the files whose rows a file holds: its own, or those that went into a pack."""
    if not path.name.startswith(PACK):
        return frozenset([path.stem])
    return _remembered(path, "holds", lambda: json.loads(_metadata(path).get(HOLDS, "[]")) or _first_column(path))


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
    try:
        told = path.stat()
    except FileNotFoundError:
        if path.is_symlink():
            return "it is a link that leads nowhere"
        raise
    except OSError as error:
        return f"it cannot be read ({error.strerror})"
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
    at = footer.find(MARK.encode())
    if at < 0:
        return "it was not written by ireval-frames"
    if f" {table.name}".encode() not in footer[at : at + 80]:
        return f"it is no file of the table {table.name}"
    return DAMAGED if size <= seals.SHORT and seals.broken(path) else ""


def replaced_names(path: Path) -> frozenset[str]:
    """The names of the files whose place a pack takes."""
    return _remembered(path, "replaces", lambda: json.loads(_metadata(path).get(REPLACES, "[]")))


def _first_column(path: Path) -> list[str]:
    (name, *_) = pl.read_parquet_schema(path)
    return pl.scan_parquet(path, glob=False).select(pl.col(name).unique()).collect()[name].to_list()


def _remembered(path: Path, what: str, make: Callable[[], Iterable[str]]) -> frozenset[str]:
    known = _seen[path]
    if what not in known.more:
        known.more[what] = frozenset(make())
    return known.more[what]


def _metadata(path: Path) -> Mapping[str, str]:
    return pl.read_parquet_metadata(path)


def unreadable(error: BaseException) -> str:
    """What is wrong with a file that cannot be read to its end."""
    return f"it is damaged ({(str(error).splitlines() or ['unreadable'])[0]})"


def unreadable_in_duckdb(path: Path) -> str:
    """What DuckDB finds wrong with a file; nothing where it can be read."""
    import duckdb

    try:
        with duckdb.connect() as con:
            con.execute("SELECT sum(hash(rows)) FROM read_parquet(?) AS rows", [str(path)]).fetchall()
    except duckdb.Error as error:
        return unreadable(error)
    return ""


def spoiled(path: Path, said: str) -> None:
    """Remember that a file cannot be read to its end, as long as it stays the same."""
    if path in _seen:
        _seen[path].said = said
