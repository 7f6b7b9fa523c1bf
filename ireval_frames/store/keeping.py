"""The tables themselves, kept beside the evaluations under their digests."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl

from ireval_frames.engines.digests import digested
from ireval_frames.errors import FileError, UnknownName, listed
from ireval_frames.io.atomic import replacing

FOLDER = "tables"


def kept(root: Path, qrels: Any, runs: Any) -> pl.DataFrame:
    """Write judgments and runs, each under its digest: name, run_id, n_rows, digest, digest_kind.

    Raises:
        DataError: the tables are at fault.
        FileError: the disk refuses.
    """
    from ireval_frames.ranking import Rankings

    evaluation = Rankings(qrels, runs).evaluate("NumRet")
    engine, told = evaluation.engine, []
    for name, frame in evaluation.tables().items():
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
    if path.exists():
        return
    try:
        path.parent.mkdir(exist_ok=True)
    except OSError as error:
        raise FileError(f"{path} cannot be written: {error.strerror}.") from error
    with replacing(path, durable=True) as stream:
        rows.lazy().sink_parquet(stream, compression="zstd")


def table_of(root: Path, digest: str) -> pl.LazyFrame:
    """The table of a digest.

    Raises:
        UnknownName: it is not kept.
    """
    there = sorted(p.stem for p in (root / FOLDER).glob("*.parquet"))
    if not isinstance(digest, str) or digest[:32] not in there:
        raise UnknownName(
            f"The store has no table with the digest {digest!r} (it has: {listed(there, 5) or 'none'}).",
            "Keep it first: store.keep(qrels, runs)",
        )
    return pl.scan_parquet(root / FOLDER / f"{digest[:32]}.parquet", glob=False)
