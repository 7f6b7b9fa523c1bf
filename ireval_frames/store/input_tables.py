"""The evaluated tables themselves, stored under their digests."""

from __future__ import annotations

import shutil
from collections.abc import Iterable
from pathlib import Path

import polars as pl

from ireval_frames.engines.digests import digested
from ireval_frames.engines.inputs.polars_errors import FAILURES
from ireval_frames.errors import FileError, UnknownName, listed, nearest
from ireval_frames.evaluation.evaluation import Evaluation
from ireval_frames.evaluation.systems import tables_of
from ireval_frames.io.storage.atomic import replacing
from ireval_frames.store.folder import parquet
from ireval_frames.store.folder.marks import DAMAGED, unreadable

FOLDER = "tables"


def add_tables(root: Path, evaluation: Evaluation, only: Iterable[str]) -> pl.DataFrame:
    """Write tables of an evaluation, each under its digest: name, run_id, n_rows, digest, digest_kind.

    Raises:
        DataError: the tables are at fault.
        UnknownName: it has no such table.
        FileError: the disk refuses.
    """
    engine, parts, tables = evaluation.engine, [], tables_of(evaluation)
    for name in only:
        if name not in tables:
            raise UnknownName(f"The evaluation has no table {name!r}.", nearest(name, tables))
    for name, frame in tables.items():
        if only and name not in only:
            continue
        by = [c for c in ("run_id",) if c in frame.columns]
        with engine.errors():
            rows, digests = engine.collect(frame.lazy()), digested(engine, frame, by)
        for row in digests.to_dicts():
            part = rows.filter(pl.col(c) == row[c] for c in by).drop(by) if by else rows
            _write(root, str(row["digest"]), part)
        run = pl.col("run_id").cast(pl.String) if by else pl.lit(None, dtype=pl.String).alias("run_id")
        parts.append(digests.select(pl.lit(name).alias("name"), run, "n_rows", "digest", "digest_kind"))
    return pl.concat(parts).sort("name", "run_id")


def _write(root: Path, digest: str, rows: pl.DataFrame) -> None:
    path = root / FOLDER / f"{digest[:32]}.parquet"
    if path.exists() and not parquet.is_damaged(path):
        return
    _create(path.parent)
    with replacing(path, durable=True) as stream:
        rows.write_parquet(stream, compression="zstd", metadata={parquet.KEY: parquet.BLANK})
        parquet.write_checksum(stream)


def _create(folder: Path) -> None:
    try:
        folder.mkdir(exist_ok=True)
    except OSError as error:
        raise FileError(f"{folder} cannot be created: {error.strerror}.") from error


def copy_tables(root: Path, other: Path) -> None:
    """Copy the tables of another store that this one lacks.

    Raises:
        FileError: the disk refuses.
    """
    for path in sorted((other / FOLDER).glob("*.parquet")):
        target = root / FOLDER / path.name
        if not target.exists():
            _create(target.parent)
            with path.open("rb") as original, replacing(target, durable=True) as stream:
                shutil.copyfileobj(original, stream)


def damaged(root: Path) -> dict[Path, str]:
    """Tables that cannot be read completely, with the reason."""
    problems = {}
    for path in sorted((root / FOLDER).glob("*.parquet")):
        try:
            problem = DAMAGED if parquet.is_damaged(path) else ""
            pl.scan_parquet(path, glob=False).select(pl.all().hash().sum()).collect(engine="streaming")
        except FAILURES as error:
            problem = unreadable(error)
        if problem:
            problems[path] = problem
    return problems


def find_table(root: Path, digest: str) -> pl.LazyFrame:
    """The table of a digest.

    Raises:
        UnknownName: it is not in the store.
        FileError: it is damaged.
    """
    digests = sorted(p.stem for p in (root / FOLDER).glob("*.parquet"))
    if not isinstance(digest, str) or digest[:32] not in digests:
        raise UnknownName(
            f"The store has no table with the digest {digest!r} (it has: {listed(digests, 5) or 'none'}).",
            "Keep it first: store.keep(qrels, runs)",
        )
    path = root / FOLDER / f"{digest[:32]}.parquet"
    try:
        if not parquet.is_damaged(path):
            rows = pl.scan_parquet(path, glob=False)
            rows.collect_schema()
            return rows
        problem = DAMAGED
    except FAILURES as error:
        problem = unreadable(error)
    raise FileError(f"{path} cannot be read: {problem}.", "Keep it again: store.keep(qrels, runs)")
