"""The files of a store: written whole or not at all, listed, and told apart from what does not belong there.

A file is named after the evaluation that it belongs to, or holds the rows of many (`pack-…`).  Rows are seen once the
file of the evaluation itself is there, which is written last.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

import polars as pl

from ireval_frames.engines.inputs.polars_errors import FAILURES, engine_error
from ireval_frames.errors import FileError, StoreWarning, warn
from ireval_frames.io.storage.atomic import replacing
from ireval_frames.store.folder import seals
from ireval_frames.store.folder.marks import (
    DAMAGED,
    HOLDS,
    MARK,
    PACK,
    REPLACES,
    holds,
    owner,
    problem,
    replaced_names,
    spoiled,
    unreadable,
    unreadable_in_duckdb,
)
from ireval_frames.store.folder.parquet import sunk
from ireval_frames.store.tables import FORMAT, TABLES

TRIES = 50
# Tables of which an evaluation has several files.
SEVERAL = ("occasions", "tags")
Result = TypeVar("Result")


@dataclass(frozen=True)
class Listing:
    """The files of a store at one moment.

    Attributes:
        root: the folder.
        files: those of each table, whose rows are seen.
        problems: what is wrong with other files, by their paths.
        ids: the evaluations that are there.
        hidden: evaluations whose rows in a pack are not seen: they are not there, or other files have these rows too.
        doubled: tables of which packs have the same rows, since several packed at once.
    """

    root: Path
    files: Mapping[str, Sequence[Path]]
    problems: Mapping[Path, str]
    ids: frozenset[str]
    hidden: Mapping[Path, frozenset[str]] = field(default_factory=dict)
    doubled: frozenset[str] = frozenset()
    _read: dict[str, pl.DataFrame] = field(default_factory=dict, init=False, compare=False, repr=False)

    def rows(self, name: str) -> pl.LazyFrame:
        """The rows of a table of few rows, read once: many small files take longer to open than to read."""
        if name not in self._read:
            self._read[name] = self.scan(name).collect()
        return self._read[name].lazy()

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
        """All rows of a table that stand in these files."""
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
    """Write a file of a table; one of that name that is there is the same, and stays.

    Args:
        root: the folder of the store.
        name: the table.
        stem: the name of the file: begins with the evaluation's id, or is that of a pack.
        rows: what it holds, in the table's columns.
        replaces: files of the table whose rows it holds, which are not seen from now on.
        holds: the names of the files whose rows a pack holds, as they were before any was packed.

    Raises:
        FileError: the disk refuses, or a foreign file has the name.
        FileNotFoundError: a file that is read is not there any more.
    """
    table = TABLES[name]
    path = root / name / f"{stem}.parquet"
    if path.exists() or path.is_symlink():
        if said := problem(path, table):
            raise FileError(f"{path} is no file of this store: {said}.", f"Move it away: mv '{path}' /tmp")
        # It may be left over from what was not finished, and is wanted again.
        os.utime(path)
        return path
    marks = {MARK: f"{FORMAT} {name}", seals.KEY: seals.BLANK}
    if replaces:
        marks[REPLACES] = json.dumps([p.name for p in replaces])
    if held := sorted(holds):
        marks[HOLDS] = json.dumps(held)
    lazy = rows.lazy().select(pl.col(c).cast(t) for c, t in table.schema.items())
    try:
        path.parent.mkdir(exist_ok=True)
        with replacing(path, durable=True) as stream:
            sunk(lazy, stream, marks)
            seals.seal(stream)
            # Others may have packed or removed them meanwhile.
            for replaced in replaces:
                replaced.stat()
    except FileError as error:
        if isinstance(error.__cause__, FileNotFoundError):
            raise error.__cause__ from None
        raise
    except FAILURES as error:
        said = getattr(error, "strerror", None) or (str(error).splitlines() or ["it failed"])[0]
        raise FileError(f"{path} cannot be written: {said}.") from error
    return path


def listing(root: Path) -> Listing:
    """The files that are there now; damaged and foreign ones are named and left out."""
    # Packs may take the place of files between two looks.
    return persistent(lambda: _listed(root))


def again(root: Path, action: Callable[[Listing], Result]) -> Result:
    """Do something with the files that are there; once more, if one is packed by others meanwhile."""

    def tried() -> Result:
        found = _warned(root)
        try:
            return action(found)
        except FileNotFoundError:
            raise
        except FAILURES as error:
            # Files that older releases wrote do not say what they were.
            if not damaged(found):
                raise engine_error(error) from error
        return action(_warned(root))

    return persistent(tried)


def look(listing: Listing) -> None:
    """See that the files are still there.

    Raises:
        FileNotFoundError: one of them is not.
    """
    for paths in listing.files.values():
        for path in paths:
            path.stat()


def persistent(action: Callable[[], Result]) -> Result:
    """What an action gives; it is tried again while files go that it was about to read."""
    for tried in range(TRIES):
        with suppress(FileNotFoundError):
            return action()
        time.sleep(0.003 * tried)
    return action()


def _warned(root: Path) -> Listing:
    found = listing(root)
    for path, said in found.problems.items():
        warn(f"{path} is left out: {said}. See: store.check()", StoreWarning)
    return found


def _listed(root: Path) -> Listing:
    problems: dict[Path, str] = {}
    good = {name: _good(root, name, problems) for name in TABLES}
    ids: set[str] = set()
    for path in good["evaluations"]:
        ids |= {owner(stem) for stem in holds(path)}
    hidden: dict[Path, frozenset[str]] = {}
    doubled = set()
    for name, table in TABLES.items():
        if table.owner:
            good[name] = [p for p in good[name] if p.name.startswith(PACK) or owner(p.stem) in ids]
            hidden |= _hidden(good[name], ids, several=name in SEVERAL)
        if (name in SEVERAL or not table.owner) and _overlap(good[name]):
            doubled.add(name)
    # What was removed since may have lost its rows already.
    for path in good["evaluations"]:
        path.stat()
    return Listing(root, good, problems, frozenset(ids), hidden, frozenset(doubled))


def _hidden(paths: Sequence[Path], ids: set[str], *, several: bool) -> dict[Path, frozenset[str]]:
    """What is not seen of each pack: an evaluation's rows come from one file, its own if it has one."""
    packs = [p for p in paths if p.name.startswith(PACK)]
    seen = set() if several else {p.stem for p in paths}
    out = {}
    for path in packs:
        held = {owner(stem) for stem in holds(path)}
        if unseen := (held - ids) | (held & seen):
            out[path] = frozenset(unseen)
        seen |= set() if several else held
    return out


def _overlap(paths: Sequence[Path]) -> bool:
    held = [stem for path in paths for stem in holds(path)]
    return len(held) > len({*held})


def _good(root: Path, name: str, problems: dict[Path, str]) -> list[Path]:
    """The files of a table that are whole and not replaced by a pack.

    Raises:
        FileNotFoundError: one went while it was looked at.
    """
    kept, packs = [], {}
    for path in _files(root / name):
        if said := problem(path, TABLES[name]):
            problems[path] = said
            continue
        if path.name.startswith(PACK):
            try:
                packs[path] = replaced_names(path)
                holds(path)
            except FileNotFoundError:
                raise
            except (*FAILURES, ValueError) as error:
                problems[path] = unreadable(error)
                spoiled(path, problems[path])
                continue
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
    more = {p.with_name(name) for p in paths if p.name.startswith(PACK) for name in replaced_names(p)}
    return [*paths, *sorted(p for p in more - {*paths} if p.exists())]


def replaced_in(listing: Listing, name: str) -> set[Path]:
    """Files of a table that packs have replaced."""
    packs = [p for p in listing.files[name] if p.name.startswith(PACK)]
    return {p.with_name(n) for p in packs for n in replaced_names(p)}


def damaged(listing: Listing) -> dict[Path, str]:
    """Files that cannot be read to their end; they are left out from now on."""
    out = {}
    for name, paths in listing.files.items():
        for path in paths:
            try:
                said = DAMAGED if seals.broken(path) else ""
                # Every value is looked at, and only pieces of the file are in memory.
                listing.only(name, [path]).select(pl.all().hash().sum()).collect(engine="streaming")
                # Each of the two readers passes over what the other refuses.
                said = said or unreadable_in_duckdb(path)
            except FileNotFoundError:
                continue
            except FAILURES as error:
                said = unreadable(error)
            if said:
                out[path] = said
                spoiled(path, said)
    return out


def _files(folder: Path) -> list[Path]:
    """The files in a folder; while names are read, a pack may come unseen before the names of what it replaces go."""
    names = _names(folder)
    for _ in range(TRIES):
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
