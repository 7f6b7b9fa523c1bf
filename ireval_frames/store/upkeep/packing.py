"""Upkeep of a store: packing its files, taking over another store's, removing, checking."""

from __future__ import annotations

import time
from collections.abc import Collection, Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import polars as pl

from ireval_frames.errors import UnknownName, listed
from ireval_frames.store import keeping
from ireval_frames.store.adding import stem
from ireval_frames.store.evaluations import short
from ireval_frames.store.folder import files
from ireval_frames.store.folder.files import Listing, write
from ireval_frames.store.folder.marks import PACK, holds, owner
from ireval_frames.store.tables import TABLES, Table

# Files that were begun and never finished are left over after a day.
_DAY = 86_400


def found(listing: Listing, given: str) -> str:
    """The id that is given, that begins so, or that a tag of that name has.

    Raises:
        UnknownName: there is none, or several begin so.
    """
    if not isinstance(given, str):
        raise UnknownName(f"The evaluation is {given!r}; it must be text.", "See: store.evaluations()")
    if (named := tags(listing).get(given)) is not None:
        return named
    begun = sorted(one for one in listing.ids if len(given) >= 4 and one.startswith(given))
    if len(begun) > 1:
        raise UnknownName(f"{len(begun)} evaluations begin with {given!r}: {listed(begun, 5)}.", "Write more of it.")
    if not begun:
        raise UnknownName(f"The store has no evaluation {given!r}.", "See: store.evaluations()")
    return begun[0]


def tags(listing: Listing) -> dict[str, str]:
    """The evaluation that each name is of now."""
    rows = listing.scan("tags").sort("made_at", "evaluation_id").select("name", "evaluation_id").collect()
    return dict(rows.iter_rows())


def compact(listing: Listing) -> int:
    """Put the files of each table into one; how many there are less.

    What was begun and never finished is deleted after a day.
    """
    less = 0
    # The evaluations last: what is removed meanwhile is not seen again without its rows.
    for name in sorted(listing.files, key=lambda name: name == "evaluations"):
        paths = [path for path in listing.files[name] if not _being_written(listing, path)]
        if len(paths) > 1 or any(path in listing.hidden for path in paths):
            fewer = replace(listing, files={**listing.files, name: paths})
            held = {one for path in paths for one in holds(path) if not _hides(listing, path, one)}
            packed(listing, name, paths, fewer.scan(name), held)
            less += len(paths) - 1
    for path in _unfinished(listing):
        with suppress(FileNotFoundError):
            if _left_over(listing, path):
                path.unlink()
    return less


def _hides(listing: Listing, path: Path, one: str) -> bool:
    return owner(one) in listing.hidden.get(path, ())


def _being_written(listing: Listing, path: Path) -> bool:
    """Whether a pack has evaluations that are not there yet, since others are merging them."""
    absent = listing.hidden.get(path, frozenset()) - listing.ids
    return bool(absent) and not _left_over(listing, path)


def _left_over(listing: Listing, path: Path) -> bool:
    """Whether nobody will finish a file; rows of an evaluation whose own file is damaged are not left over."""
    damaged = any(bad.parent.name == "evaluations" for bad in listing.problems)
    return time.time() - path.stat().st_mtime > _DAY and (_begun(path) or not damaged)


def packed(
    listing: Listing, name: str, paths: Sequence[Path], rows: pl.LazyFrame, held: Iterable[str], says: str = ""
) -> None:
    """Write rows into a pack that takes the place of files, and delete these."""
    replaced = files.with_replaced(paths)
    pack = f"{PACK}{short([sorted(p.name for p in replaced), says])}"
    write(listing.root, name, pack, rows, replaces=replaced, holds=held)
    for path in replaced:
        path.unlink(missing_ok=True)


def remove(listing: Listing, evaluation_id: str) -> bool:
    """Remove an evaluation: first what makes it seen; whether it was there."""
    for name in ("evaluations", *(n for n, t in TABLES.items() if t.owner and n != "evaluations")):
        for path in listing.files[name]:
            held = holds(path)
            kept = {one for one in held if owner(one) != evaluation_id}
            if kept and kept != held:
                rows = listing.only(name, [path]).filter(pl.col("evaluation_id") != evaluation_id)
                packed(listing, name, [path], rows, kept, evaluation_id)
            elif not kept:
                for old in reversed(files.with_replaced([path])):
                    old.unlink(missing_ok=True)
    return evaluation_id in listing.ids


def merge(here: Listing, there: Listing) -> int:
    """Take over the evaluations of another store that are not here, and what stands beside them."""
    new = there.ids - here.ids
    for name in sorted(TABLES, key=lambda name: name == "evaluations"):
        rows, key = there.scan(name), list(TABLES[name].key)
        if name in files.SEVERAL or not TABLES[name].owner:
            rows = rows.join(here.scan(name), on=key, how="anti", nulls_equal=True)
            _taken(here, name, rows, _stems(rows, TABLES[name]))
        else:
            _taken(here, name, rows.filter(pl.col("evaluation_id").is_in(sorted(new))), new)
    return len(new)


def _stems(rows: pl.LazyFrame, table: Table) -> set[str]:
    """Names of files, such as rows that were not merged would have."""
    if not table.owner:
        return {*rows.select(pl.col(table.key[0]).unique()).collect()[table.key[0]]}
    return {stem(row) for row in rows.select({table.owner, *table.key}).collect().to_dicts()}


def _taken(here: Listing, name: str, rows: pl.LazyFrame, held: Collection[str]) -> None:
    if held:
        write(here.root, name, f"{PACK}{short([name, *sorted(held)])}", rows, holds=held)


def check(listing: Listing) -> pl.DataFrame:
    """Everything that is wrong with the files, each read whole."""
    problems = dict(listing.problems) | files.damaged(listing) | keeping.damaged(listing.root)
    bad = {*problems}
    for path, hidden in listing.hidden.items():
        if absent := len(hidden - listing.ids):
            problems[path] = f"it has rows of {absent} evaluations that are not there: merging them was not finished"
    for path, said in _unfinished(listing).items():
        if not path.name.endswith(".tmp") or time.time() - path.stat().st_mtime > _DAY:
            problems[path] = said
    for name in TABLES:
        folder = listing.root / name
        for path in sorted(folder.iterdir()) if folder.is_dir() else ():
            if path.suffix != ".parquet" and not _begun(path):
                problems[path] = "it is no file of a store"
    kept = {n: [p for p in ps if p not in bad] for n, ps in listing.files.items()}
    problems = _incomplete(replace(listing, files=kept)) | problems
    rows = [{"path": str(path), "problem": said} for path, said in sorted(problems.items())]
    return pl.DataFrame(rows, schema={"path": pl.String, "problem": pl.String})


def _begun(path: Path) -> bool:
    return path.name.startswith(".") and path.suffix == ".tmp"


def _unfinished(listing: Listing) -> dict[Path, str]:
    """Files that an addition or a removal has left, or is about to use."""
    out = {}
    for name in TABLES:
        folder = listing.root / name
        seen = {*listing.files[name], *listing.problems, *files.replaced_in(listing, name)}
        for path in sorted(folder.iterdir()) if folder.is_dir() else ():
            if _begun(path):
                out[path] = "it was begun and never finished"
            elif path.suffix == ".parquet" and path not in seen:
                out[path] = "its evaluation is not there: adding or removing it was not finished"
    return out


def _incomplete(listing: Listing) -> dict[Path, str]:
    """Evaluations that have other numbers of rows than they say."""
    out = {}
    said = listing.scan("evaluations").select("evaluation_id", "n_values", "n_units")
    for name in ("values", "units"):
        counted = listing.scan(name).group_by("evaluation_id").agg(n=pl.len().cast(pl.Int64))
        both = said.join(counted, on="evaluation_id", how="left").with_columns(pl.col("n").fill_null(0))
        for of, wanted, n in both.select("evaluation_id", f"n_{name}", "n").collect(engine="streaming").rows():
            if wanted != n:
                out[listing.root / name / f"{of}.parquet"] = f"{n} rows, and its evaluation says {wanted}"
    return out
