"""The files of a store: atomic writing, and listing without foreign and damaged files.

A file is named after the evaluation that it belongs to, or has the rows of many (`pack-…`).  Rows are visible once the
file of the evaluation itself exists, which is written last.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

import polars as pl

from ireval_frames.engines.inputs.polars_errors import FAILURES, engine_error
from ireval_frames.errors import FileError, StoreWarning, warn
from ireval_frames.io.storage.atomic import replacing
from ireval_frames.store.folder import parquet
from ireval_frames.store.folder.marks import (
    DAMAGED,
    HOLDS,
    MARK,
    PACK,
    REPLACES,
    DuckDBReader,
    holds,
    mark_damaged,
    owner,
    problem,
    replaced_names,
    unreadable,
)
from ireval_frames.store.tables import FORMAT, TABLES

ATTEMPTS = 50
# Tables of which an evaluation has several files.
SEVERAL = ("occasions", "tags")
Result = TypeVar("Result")


@dataclass(frozen=True)
class Listing:
    """The files of a store at one moment.

    Attributes:
        root: the folder.
        files: those of each table, whose rows are visible.
        problems: the problems of other files, by their paths.
        ids: the evaluations in the store.
        hidden: by pack, the evaluations whose rows in it are not visible: they do not exist, or are in other files too.
        doubled: tables of which several packs have the same rows, since several processes packed at once.
    """

    root: Path
    files: Mapping[str, Sequence[Path]]
    problems: Mapping[Path, str]
    ids: frozenset[str]
    hidden: Mapping[Path, frozenset[str]] = field(default_factory=dict)
    doubled: frozenset[str] = frozenset()
    _cached: dict[str, pl.DataFrame] = field(default_factory=dict, init=False, compare=False, repr=False)

    def rows(self, name: str) -> pl.LazyFrame:
        """The rows of a small table, read once: many small files take longer to open than to read."""
        if name not in self._cached:
            self._cached[name] = self.scan(name).collect()
        return self._cached[name].lazy()

    def scan(self, name: str) -> pl.LazyFrame:
        """The rows of a table."""
        paths = self.files[name]
        parts = [self.only(name, [p for p in paths if p not in self.hidden])]
        parts += [
            self.only(name, [path]).filter(~pl.col("evaluation_id").is_in(sorted(self.hidden[path])))
            for path in paths
            if path in self.hidden
        ]
        rows = parts[0] if len(parts) == 1 else pl.concat(parts)
        return rows.unique(TABLES[name].key, maintain_order=True) if name in self.doubled else rows

    def only(self, name: str, paths: Sequence[Path]) -> pl.LazyFrame:
        """The rows of a table in these files."""
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
    root: Path,
    name: str,
    stem: str,
    rows: pl.LazyFrame | pl.DataFrame,
    *,
    replaces: Sequence[Path] = (),
    holds: Iterable[str] = (),
) -> Path:
    """Write a file of a table; if there is one of that name, it is the same and stays.

    Args:
        root: the folder of the store.
        name: the table.
        stem: the name of the file: begins with the evaluation's id, or is that of a pack.
        rows: its rows, with the table's columns.
        replaces: files of the table with these rows, which are no longer visible.
        holds: the names of the files whose rows a pack has, as they were before any was packed.

    Raises:
        FileError: the disk refuses, or a foreign file has the name.
        FileNotFoundError: a file to read does not exist any more.
    """
    table = TABLES[name]
    path = root / name / f"{stem}.parquet"
    if path.exists() or path.is_symlink():
        if reason := problem(path, table):
            raise FileError(f"{path} is no file of this store: {reason}.", f"Move it away: mv '{path}' /tmp")
        # It may be left over from an unfinished change, and is needed again.
        os.utime(path)
        return path
    metadata = {MARK: f"{FORMAT} {name}", parquet.KEY: parquet.BLANK}
    if replaces:
        metadata[REPLACES] = json.dumps([p.name for p in replaces])
    if stems := sorted(holds):
        metadata[HOLDS] = json.dumps(stems)
    lazy = rows.lazy().select(pl.col(c).cast(t) for c, t in table.schema.items())
    try:
        path.parent.mkdir(exist_ok=True)
        with replacing(path, durable=True) as stream:
            parquet.write_rows(lazy, stream, metadata)
            parquet.write_checksum(stream)
            # Another process may have packed or removed them.
            for replaced in replaces:
                replaced.stat()
    except FileError as error:
        if isinstance(error.__cause__, FileNotFoundError):
            raise error.__cause__ from None
        raise
    except FAILURES as error:
        reason = getattr(error, "strerror", None) or (str(error).splitlines() or ["it failed"])[0]
        raise FileError(f"{path} cannot be written: {reason}.") from error
    return path


def listing(root: Path) -> Listing:
    """The present files; damaged and foreign ones are named and left out."""
    # Packs may replace files while they are listed.
    return retry(lambda: _list(root))


def run(root: Path, action: Callable[[Listing], Result]) -> Result:
    """Run an action on the present files, again if another process packs one of them meanwhile."""

    def attempt() -> Result:
        files = _list_with_warnings(root)
        try:
            return action(files)
        except FileNotFoundError:
            raise
        except FAILURES as error:
            # Files of older releases have no checksum, so that damage is found when they are read.
            if not damaged(files):
                raise engine_error(error) from error
        return action(_list_with_warnings(root))

    return retry(attempt)


def check_files(listing: Listing) -> None:
    """Check that the files still exist.

    Raises:
        FileNotFoundError: one of them does not.
    """
    for paths in listing.files.values():
        for path in paths:
            path.stat()


def retry(action: Callable[[], Result]) -> Result:
    """Run an action, again while files disappear that it is about to read."""
    for attempt in range(ATTEMPTS):
        with suppress(FileNotFoundError):
            return action()
        time.sleep(0.003 * attempt)
    return action()


def _list_with_warnings(root: Path) -> Listing:
    files = listing(root)
    for path, reason in files.problems.items():
        warn(f"{path} is left out: {reason}. See: store.check()", StoreWarning)
    return files


def _list(root: Path) -> Listing:
    problems: dict[Path, str] = {}
    valid = {name: _valid_files(root, name, problems) for name in TABLES}
    ids: set[str] = set()
    for path in valid["evaluations"]:
        ids |= {owner(stem) for stem in holds(path)}
    hidden: dict[Path, frozenset[str]] = {}
    doubled = set()
    for name, table in TABLES.items():
        if table.owner:
            valid[name] = [p for p in valid[name] if p.name.startswith(PACK) or owner(p.stem) in ids]
            hidden |= _hidden(valid[name], ids, several=name in SEVERAL)
        if (name in SEVERAL or not table.owner) and _overlap(valid[name]):
            doubled.add(name)
    # An evaluation that was removed meanwhile may have lost its rows already.
    for path in valid["evaluations"]:
        path.stat()
    return Listing(root, valid, problems, frozenset(ids), hidden, frozenset(doubled))


def _hidden(paths: Sequence[Path], ids: set[str], *, several: bool) -> dict[Path, frozenset[str]]:
    """The hidden evaluations of each pack: an evaluation's rows come from one file, its own if it has one."""
    packs = [p for p in paths if p.name.startswith(PACK)]
    elsewhere = set() if several else {p.stem for p in paths}
    hidden = {}
    for path in packs:
        owners = {owner(stem) for stem in holds(path)}
        if unseen := (owners - ids) | (owners & elsewhere):
            hidden[path] = frozenset(unseen)
        elsewhere |= set() if several else owners
    return hidden


def _overlap(paths: Sequence[Path]) -> bool:
    stems = [stem for path in paths for stem in holds(path)]
    return len(stems) > len({*stems})


def _valid_files(root: Path, name: str, problems: dict[Path, str]) -> list[Path]:
    """The files of a table that are intact and not replaced by a pack.

    Raises:
        FileNotFoundError: one disappeared meanwhile.
    """
    valid, packs = [], {}
    for path in _files(root / name):
        if reason := problem(path, TABLES[name]):
            problems[path] = reason
            continue
        if path.name.startswith(PACK):
            try:
                packs[path] = replaced_names(path)
                holds(path)
            except FileNotFoundError:
                raise
            except (*FAILURES, ValueError) as error:
                problems[path] = unreadable(error)
                mark_damaged(path, problems[path])
                continue
        valid.append(path)
    # Of packs that were made at the same time, the one that replaces more files has all rows.
    for path, names in list(packs.items()):
        others = [(p, other) for p, other in packs.items() if p != path]
        if names and any(names < other or (names == other and path.name > p.name) for p, other in others):
            valid.remove(path)
            del packs[path]
    replaced = set().union(*packs.values())
    return [p for p in valid if p.name not in replaced]


def with_replaced(paths: Sequence[Path]) -> list[Path]:
    """Files, and those that packs among them replace and that still exist."""
    more = {p.with_name(name) for p in paths if p.name.startswith(PACK) for name in replaced_names(p)}
    return [*paths, *sorted(p for p in more - {*paths} if p.exists())]


def replaced_in(listing: Listing, name: str) -> set[Path]:
    """Files of a table that packs have replaced."""
    packs = [p for p in listing.files[name] if p.name.startswith(PACK)]
    return {p.with_name(n) for p in packs for n in replaced_names(p)}


def damaged(listing: Listing) -> dict[Path, str]:
    """Files that cannot be read completely; they are left out from now on."""
    problems = {}
    with closing(DuckDBReader()) as reader:
        for name, path in ((name, path) for name, paths in listing.files.items() for path in paths):
            try:
                reason = DAMAGED if parquet.is_damaged(path) else ""
                # Reads every value, with pieces of the file in memory.
                listing.only(name, [path]).select(pl.all().hash().sum()).collect(engine="streaming")
                # Each of the two readers accepts some damage that the other refuses.
                reason = reason or reader.problem(path)
            except FileNotFoundError:
                continue
            except FAILURES as error:
                reason = unreadable(error)
            if reason:
                problems[path] = reason
                mark_damaged(path, reason)
    return problems


def _files(folder: Path) -> list[Path]:
    """The files in a folder, read until they stay the same: a pack may appear while its replaced files are listed."""
    names = _names(folder)
    for _ in range(ATTEMPTS):
        if names == (others := _names(folder)):
            break
        names = others
    return [folder / name for name in sorted(names)]


def _names(folder: Path) -> set[str]:
    try:
        with os.scandir(folder) as entries:
            return {e.name for e in entries if e.name.endswith(".parquet") and not e.name.startswith((".", "_"))}
    except FileNotFoundError:
        return set()
