"""The metadata of a store's files: whether a file is one, whose rows it has, and which files it replaces."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import polars as pl

from ireval_frames.store.folder import parquet
from ireval_frames.store.tables import Table

if TYPE_CHECKING:
    import duckdb

PACK = "pack-"
MARK, REPLACES, HOLDS = "ireval.store", "ireval.replaces", "ireval.holds"
DAMAGED = "it is damaged (its checksum is another one)"
_MAGIC = b"PAR1"


def owner(stem: str) -> str:
    """The evaluation that a file of such a name belongs to."""
    return stem.partition("-")[0]


def holds(path: Path) -> frozenset[str]:
    """The names of the files whose rows a file has: its own, or those of the packed files."""
    if not path.name.startswith(PACK):
        return frozenset([path.stem])
    return _cached(path, "holds", lambda: json.loads(_metadata(path).get(HOLDS, "[]")) or _first_column(path))


@dataclass
class _Entry:
    """The cached problem and metadata of a file, valid as long as its time and size stay the same."""

    stamp: tuple[int, int]
    problem: str
    names: dict[str, frozenset[str]] = field(default_factory=dict)


_cache: dict[Path, _Entry] = {}


def problem(path: Path, table: Table) -> str:
    """The problem of a file; empty if it is a file of the table.

    Raises:
        FileNotFoundError: it does not exist any more.
    """
    try:
        stat = path.stat()
    except FileNotFoundError:
        if path.is_symlink():
            return "it is a link that leads nowhere"
        raise
    except OSError as error:
        return f"it cannot be read ({error.strerror})"
    stamp = (stat.st_mtime_ns, stat.st_size)
    entry = _cache.get(path)
    if entry is None or entry.stamp != stamp:
        _cache[path] = entry = _Entry(stamp, _inspect(path, stat.st_size, table))
    return entry.problem


def _inspect(path: Path, size: int, table: Table) -> str:
    """The problem of a file by its two ends, where Parquet has its signature and metadata."""
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
    return DAMAGED if size <= parquet.SHORT and parquet.is_damaged(path) else ""


def replaced_names(path: Path) -> frozenset[str]:
    """The names of the files that a pack replaces."""
    return _cached(path, "replaces", lambda: json.loads(_metadata(path).get(REPLACES, "[]")))


def _first_column(path: Path) -> list[str]:
    (name, *_) = pl.read_parquet_schema(path)
    return pl.scan_parquet(path, glob=False).select(pl.col(name).unique()).collect()[name].to_list()


def _cached(path: Path, key: str, read: Callable[[], Iterable[str]]) -> frozenset[str]:
    names = _cache[path].names
    if key not in names:
        names[key] = frozenset(read())
    return names[key]


def _metadata(path: Path) -> Mapping[str, str]:
    return pl.read_parquet_metadata(path)


def unreadable(error: BaseException) -> str:
    """The problem of a file that cannot be read completely."""
    return f"it is damaged ({(str(error).splitlines() or ['unreadable'])[0]})"


class DuckDBReader:
    """Reads files in one DuckDB; an error may leave it unusable, so that the next file is read in another."""

    def __init__(self) -> None:
        self._con: duckdb.DuckDBPyConnection | None = None

    def problem(self, path: Path) -> str:
        """The problem that DuckDB finds in a file; empty if it can read it."""
        import duckdb

        try:
            self._con = self._con or duckdb.connect()
            self._con.execute("SELECT sum(hash(rows)) FROM read_parquet(?) AS rows", [str(path)]).fetchall()
        except duckdb.Error as error:
            self.close()
            return unreadable(error)
        return ""

    def close(self) -> None:
        """Close what is open."""
        if self._con is not None:
            self._con.close()
        self._con = None


def mark_damaged(path: Path, problem: str) -> None:
    """Remember that a file cannot be read completely, as long as it stays the same."""
    if path in _cache:
        _cache[path].problem = problem
