"""The tables themselves, kept beside the evaluations under their digests."""

from __future__ import annotations

import shutil
from collections.abc import Iterable
from pathlib import Path

import polars as pl

from ireval_frames.engines.digests import digested
from ireval_frames.engines.inputs.polars_errors import FAILURES
from ireval_frames.errors import FileError, UnknownName, listed, nearest
from ireval_frames.evaluation.evaluation import Evaluation
from ireval_frames.io.storage.atomic import replacing
from ireval_frames.store.folder import seals
from ireval_frames.store.folder.marks import DAMAGED, unreadable

FOLDER = "tables"


def kept(root: Path, evaluation: Evaluation, only: Iterable[str]) -> pl.DataFrame:
    """Write tables of an evaluation, each under its digest: name, run_id, n_rows, digest, digest_kind.

    Raises:
        DataError: the tables are at fault.
        UnknownName: it has no such table.
        FileError: the disk refuses.
    """
    engine, told, tables = evaluation.engine, [], evaluation.tables()
    for wanted in only:
        if wanted not in tables:
            raise UnknownName(f"The evaluation has no table {wanted!r}.", nearest(wanted, tables))
    for name, frame in tables.items():
        if only and name not in only:
            continue
        by = [c for c in ("run_id",) if c in frame.columns]
        with engine.errors():
            rows, digests = engine.collect(frame.lazy()), digested(engine, frame, by)
        for row in digests.to_dicts():
            part = rows.filter(pl.col(c) == row[c] for c in by).drop(by) if by else rows
            _written(root, str(row["digest"]), part)
        run = pl.col("run_id").cast(pl.String) if by else pl.lit(None, dtype=pl.String).alias("run_id")
        told.append(digests.select(pl.lit(name).alias("name"), run, "n_rows", "digest", "digest_kind"))
    return pl.concat(told).sort("name", "run_id")


def _written(root: Path, digest: str, rows: pl.DataFrame) -> None:
    path = root / FOLDER / f"{digest[:32]}.parquet"
    if path.exists() and not seals.broken(path):
        return
    _made(path.parent)
    with replacing(path, durable=True) as stream:
        rows.write_parquet(stream, compression="zstd", metadata={seals.KEY: seals.BLANK})
        seals.seal(stream)


def _made(folder: Path) -> None:
    try:
        folder.mkdir(exist_ok=True)
    except OSError as error:
        raise FileError(f"{folder} cannot be made: {error.strerror}.") from error


def taken(root: Path, other: Path) -> None:
    """Copy the tables that another store has kept and this one has not.

    Raises:
        FileError: the disk refuses.
    """
    for path in sorted((other / FOLDER).glob("*.parquet")):
        target = root / FOLDER / path.name
        if not target.exists():
            _made(target.parent)
            with path.open("rb") as held, replacing(target, durable=True) as stream:
                shutil.copyfileobj(held, stream)


def damaged(root: Path) -> dict[Path, str]:
    """Kept tables that cannot be read to their end."""
    out = {}
    for path in sorted((root / FOLDER).glob("*.parquet")):
        try:
            said = DAMAGED if seals.broken(path) else ""
            pl.scan_parquet(path, glob=False).select(pl.all().hash().sum()).collect(engine="streaming")
        except FAILURES as error:
            said = unreadable(error)
        if said:
            out[path] = said
    return out


def table_of(root: Path, digest: str) -> pl.LazyFrame:
    """The table of a digest.

    Raises:
        UnknownName: it is not kept.
        FileError: it is damaged.
    """
    there = sorted(p.stem for p in (root / FOLDER).glob("*.parquet"))
    if not isinstance(digest, str) or digest[:32] not in there:
        raise UnknownName(
            f"The store has no table with the digest {digest!r} (it has: {listed(there, 5) or 'none'}).",
            "Keep it first: store.keep(qrels, runs)",
        )
    path = root / FOLDER / f"{digest[:32]}.parquet"
    try:
        if not seals.broken(path):
            rows = pl.scan_parquet(path, glob=False)
            rows.collect_schema()
            return rows
        said = DAMAGED
    except FAILURES as error:
        said = unreadable(error)
    raise FileError(f"{path} cannot be read: {said}.", "Keep it again: store.keep(qrels, runs)")
