"""Maintenance of a store's files: packing, merging, removing, checking."""

from __future__ import annotations

import time
from collections.abc import Collection, Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import polars as pl

from ireval_frames.errors import UnknownName, listed, nearest
from ireval_frames.store import input_tables
from ireval_frames.store.adding import stem
from ireval_frames.store.evaluations import short
from ireval_frames.store.folder import files
from ireval_frames.store.folder.files import Listing, write
from ireval_frames.store.folder.marks import PACK, holds, owner
from ireval_frames.store.tables import TABLES, Table

# Unfinished files are left over after a day, in seconds.
_DAY = 86_400


def find(listing: Listing, name: str) -> str:
    """The evaluation with this tag, id, or beginning of an id.

    Raises:
        UnknownName: there is none, or several ids begin like this.
    """
    if not isinstance(name, str):
        raise UnknownName(f"The evaluation is {name!r}; it must be text.", "See: store.evaluations()")
    if (tagged := tags(listing).get(name)) is not None:
        return tagged
    matches = sorted(known for known in listing.ids if len(name) >= 4 and known.startswith(name))
    if len(matches) > 1:
        raise UnknownName(f"{len(matches)} evaluations begin with {name!r}: {listed(matches, 5)}.", "Write more of it.")
    if not matches:
        names = sorted(tags(listing))
        near = nearest(name, names)
        known = f" or tag {name!r} (tags: {listed(names)})" if names else f" {name!r}"
        hint = near if near.startswith("Did") else "See: store.evaluations()"
        raise UnknownName(f"The store has no evaluation{known}.", hint)
    return matches[0]


def tags(listing: Listing) -> dict[str, str]:
    """The evaluation of each tag."""
    rows = listing.scan("tags").sort("made_at", "evaluation_id").select("name", "evaluation_id").collect()
    return dict(rows.iter_rows())


def compact(listing: Listing) -> int:
    """Pack the files of each table into one, and return the number of files less.

    Unfinished files are deleted after a day.
    """
    less = 0
    # The evaluations last, so that what is removed meanwhile does not return without its rows.
    for name in sorted(listing.files, key=lambda name: name == "evaluations"):
        paths = [path for path in listing.files[name] if not _is_merging(listing, path)]
        if len(paths) > 1 or any(path in listing.hidden for path in paths):
            subset = replace(listing, files={**listing.files, name: paths})
            stems = {s for path in paths for s in holds(path) if owner(s) not in listing.hidden.get(path, ())}
            _pack(listing, name, paths, subset.scan(name), stems)
            less += len(paths) - 1
    for path in _unfinished(listing):
        with suppress(FileNotFoundError):
            if _left_over(listing, path):
                path.unlink()
    return less


def _is_merging(listing: Listing, path: Path) -> bool:
    """Whether a pack has evaluations that are not there yet, since another process is merging them."""
    absent = listing.hidden.get(path, frozenset()) - listing.ids
    return bool(absent) and not _left_over(listing, path)


def _left_over(listing: Listing, path: Path) -> bool:
    """Whether no process will finish a file; rows of an evaluation whose own file is damaged are not left over."""
    damaged = any(problem.parent.name == "evaluations" for problem in listing.problems)
    return time.time() - path.stat().st_mtime > _DAY and (_is_temporary(path) or not damaged)


def _pack(
    listing: Listing, name: str, paths: Sequence[Path], rows: pl.LazyFrame, stems: Iterable[str], salt: str = ""
) -> None:
    """Write rows into a pack that replaces files, and delete these."""
    replaced = files.with_replaced(paths)
    pack = f"{PACK}{short([sorted(p.name for p in replaced), salt])}"
    write(listing.root, name, pack, rows, replaces=replaced, holds=stems)
    for path in replaced:
        path.unlink(missing_ok=True)


def remove(listing: Listing, evaluation_id: str) -> bool:
    """Remove an evaluation, first the row that makes it visible; return whether it was there."""
    for name in ("evaluations", *(n for n, t in TABLES.items() if t.owner and n != "evaluations")):
        for path in listing.files[name]:
            stems = holds(path)
            others = {stem for stem in stems if owner(stem) != evaluation_id}
            if others and others != stems:
                rows = listing.only(name, [path]).filter(pl.col("evaluation_id") != evaluation_id)
                _pack(listing, name, [path], rows, others, evaluation_id)
            elif not others:
                for old in reversed(files.with_replaced([path])):
                    old.unlink(missing_ok=True)
    return evaluation_id in listing.ids


def merge(target: Listing, source: Listing) -> int:
    """Copy the evaluations that the target lacks, and the rows of other tables."""
    new = source.ids - target.ids
    for name in sorted(TABLES, key=lambda name: name == "evaluations"):
        rows, key = source.scan(name), list(TABLES[name].key)
        if name in files.SEVERAL or not TABLES[name].owner:
            rows = rows.join(target.scan(name), on=key, how="anti", nulls_equal=True)
            _write_pack(target, name, rows, _stems(rows, TABLES[name]))
        else:
            _write_pack(target, name, rows.filter(pl.col("evaluation_id").is_in(sorted(new))), new)
    return len(new)


def _stems(rows: pl.LazyFrame, table: Table) -> set[str]:
    """The names that the files of rows would have if they had not been merged."""
    if not table.owner:
        return {*rows.select(pl.col(table.key[0]).unique()).collect()[table.key[0]]}
    return {stem(row) for row in rows.select({table.owner, *table.key}).collect().to_dicts()}


def _write_pack(target: Listing, name: str, rows: pl.LazyFrame, stems: Collection[str]) -> None:
    if stems:
        write(target.root, name, f"{PACK}{short([name, *sorted(stems)])}", rows, holds=stems)


def check(listing: Listing) -> pl.DataFrame:
    """The problems of all files, each read completely."""
    problems = dict(listing.problems) | files.damaged(listing) | input_tables.damaged(listing.root)
    damaged = {*problems}
    for path, hidden in listing.hidden.items():
        if absent := len(hidden - listing.ids):
            problems[path] = f"it has rows of {absent} evaluations that are not there: merging them was not finished"
    for path, problem in _unfinished(listing).items():
        if not path.name.endswith(".tmp") or time.time() - path.stat().st_mtime > _DAY:
            problems[path] = problem
    for name in TABLES:
        folder = listing.root / name
        for path in sorted(folder.iterdir()) if folder.is_dir() else ():
            if path.suffix != ".parquet" and not _is_temporary(path):
                problems[path] = "it is no file of a store"
    intact = {n: [p for p in paths if p not in damaged] for n, paths in listing.files.items()}
    problems = _incomplete(replace(listing, files=intact)) | problems
    rows = [{"path": str(path), "problem": problem} for path, problem in sorted(problems.items())]
    return pl.DataFrame(rows, schema={"path": pl.String, "problem": pl.String})


def _is_temporary(path: Path) -> bool:
    return path.name.startswith(".") and path.suffix == ".tmp"


def _unfinished(listing: Listing) -> dict[Path, str]:
    """Files that an addition or a removal has left, or is about to use."""
    problems = {}
    for name in TABLES:
        folder = listing.root / name
        known = {*listing.files[name], *listing.problems, *files.replaced_in(listing, name)}
        for path in sorted(folder.iterdir()) if folder.is_dir() else ():
            if _is_temporary(path):
                problems[path] = "it was begun and never finished"
            elif path.suffix == ".parquet" and path not in known:
                problems[path] = "its evaluation is not there: adding or removing it was not finished"
    return problems


def _incomplete(listing: Listing) -> dict[Path, str]:
    """Evaluations whose numbers of rows differ from those in `evaluations`."""
    problems = {}
    evaluations = listing.scan("evaluations").select("evaluation_id", "n_values", "n_units")
    for name in ("values", "units"):
        counts = listing.scan(name).group_by("evaluation_id", maintain_order=True).agg(n=pl.len().cast(pl.Int64))
        both = evaluations.join(counts, on="evaluation_id", how="left").with_columns(pl.col("n").fill_null(0))
        rows = both.select("evaluation_id", f"n_{name}", "n").collect(engine="streaming").rows()
        for evaluation_id, expected, n in rows:
            if expected != n:
                path = listing.root / name / f"{evaluation_id}.parquet"
                problems[path] = f"{n} rows, and its evaluation says {expected}"
    return problems
