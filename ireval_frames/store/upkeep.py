"""Upkeep of a store: packing its files, taking over another store's, removing, checking."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from pathlib import Path

import polars as pl

from ireval_frames.errors import UnknownName, listed
from ireval_frames.store import files
from ireval_frames.store.evaluations import short
from ireval_frames.store.files import PACK, Listing, write
from ireval_frames.store.tables import TABLES

# Files that were begun and never finished are left over after a day.
_DAY = 86_400


def found(listing: Listing, given: str) -> str:
    """The id that is given, that begins so, or that a tag of that name has.

    Raises:
        UnknownName: there is none, or several begin so.
    """
    tags = listing.scan("tags").filter(pl.col("name") == given).sort("made_at").collect()
    if tags.height:
        return str(tags["evaluation_id"][-1])
    begun = sorted(one for one in listing.ids if len(given) >= 4 and one.startswith(given))
    if len(begun) > 1:
        raise UnknownName(f"{len(begun)} evaluations begin with {given!r}: {listed(begun, 5)}.", "Write more of it.")
    if not begun:
        raise UnknownName(f"The store has no evaluation {given!r}.", "See: store.evaluations()")
    return begun[0]


def compact(listing: Listing) -> int:
    """Put the files of each table into one; how many there are less."""
    less = 0
    for name, paths in listing.files.items():
        if len(paths) > 1:
            packed(listing, name, paths, listing.scan(name))
            less += len(paths) - 1
    return less


def packed(listing: Listing, name: str, paths: Sequence[Path], rows: pl.LazyFrame, says: str = "") -> None:
    """Write rows into a pack that takes the place of files, and delete these."""
    replaced = files.with_replaced(paths)
    stem = f"{PACK}{short([sorted(p.name for p in replaced), says])}"
    write(listing.root, name, stem, rows, replaces=replaced)
    for path in replaced:
        path.unlink(missing_ok=True)


def remove(listing: Listing, evaluation_id: str) -> None:
    """Remove an evaluation: first what makes it seen."""
    for name in ("evaluations", *(n for n, t in TABLES.items() if t.owner and n != "evaluations")):
        for path in listing.files[name]:
            if not path.name.startswith(PACK):
                if files.owner(path) == evaluation_id:
                    path.unlink(missing_ok=True)
                continue
            rows = listing.only(name, [path])
            if rows.filter(pl.col("evaluation_id") == evaluation_id).head(1).collect().height:
                packed(listing, name, [path], rows.filter(pl.col("evaluation_id") != evaluation_id), evaluation_id)


def merge(here: Listing, there: Listing) -> int:
    """Take over the evaluations of another store that are not here, and what stands beside them."""
    new = sorted(there.ids - here.ids)
    for name, table in TABLES.items():
        if name == "evaluations":
            continue
        rows = there.scan(name)
        if table.owner and name not in ("occasions", "tags"):
            rows = rows.filter(pl.col("evaluation_id").is_in(new))
        else:
            rows = rows.join(here.scan(name), on=list(table.key), how="anti", nulls_equal=True)
        _taken(here, name, rows, new)
    _taken(here, "evaluations", there.scan("evaluations").filter(pl.col("evaluation_id").is_in(new)), new)
    return len(new)


def _taken(here: Listing, name: str, rows: pl.LazyFrame, ids: Iterable[str]) -> None:
    keys = rows.select(TABLES[name].key[:3]).collect() if name not in ("values", "units") else None
    if keys is not None and keys.is_empty():
        return
    if keys is None and not ids:
        return
    write(here.root, name, f"{PACK}{short([name, *ids, [] if keys is None else keys.rows()])}", rows)


def check(listing: Listing) -> pl.DataFrame:
    """Everything that is wrong with the files, each read whole."""
    problems = dict(listing.problems) | files.damaged(listing)
    for name in TABLES:
        folder = listing.root / name
        if not folder.is_dir():
            continue
        seen = {*listing.files[name], *problems}
        for path in sorted(folder.iterdir()):
            if path in seen:
                continue
            if path.name.startswith(".") and path.name.endswith(".tmp"):
                if time.time() - path.stat().st_mtime > _DAY:
                    problems[path] = "it was begun and never finished"
            elif path.suffix != ".parquet":
                problems[path] = "it is no file of a store"
            elif path not in files.replaced_in(listing, name):
                problems[path] = "its evaluation is not there: adding it was not finished"
    whole = Listing(
        listing.root, {n: [p for p in ps if p not in problems] for n, ps in listing.files.items()}, {}, listing.ids
    )
    problems = _incomplete(whole) | problems
    rows = [{"path": str(path), "problem": said} for path, said in sorted(problems.items())]
    return pl.DataFrame(rows, schema={"path": pl.String, "problem": pl.String})


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
