"""Digests of tables, independent of the order of rows, computed where the rows are."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence

import polars as pl

from ireval_frames.engines.base import Engine
from ireval_frames.engines.frame import Frame
from ireval_frames.engines.polars.engine import PolarsEngine
from ireval_frames.engines.polars.hashes import SUM, HashSums

PORTABLE = "sorted-sha256"
# From this number of rows on sorting costs more than hashing.
FEW = 20_000
_POLARS = f"polars-{'.'.join(pl.__version__.split('.')[:2])}-products"


def digested(
    engine: Engine,
    frame: Frame,
    by: Sequence[str] = (),
    *,
    portable: bool = False,
    sums: Callable[[Sequence[str], Sequence[str]], pl.DataFrame | None] = lambda *_: None,
) -> pl.DataFrame:
    """A row per group: [by …] n_rows digest digest_kind.

    For few rows, or on request, the digest is the SHA-256 of the sorted rows, the same on every engine.  For many it is
    a sum of the engine's own hashes, whose kind names the engine and its version.

    Args:
        engine: where the rows are.
        frame: the rows.
        by: columns whose groups get a digest each; they are in no digest.
        portable: use the SHA-256 for any number of rows.
        sums: for columns and groups, the sums of the hashes of the rows, if something that reads the rows anyway can
            compute them; else None.
    """
    native, columns = frame.lazy(), [c for c in sorted(frame.columns) if c not in by]
    if not portable and isinstance(engine, PolarsEngine):
        read = sums(frame.columns, by)
        if read is not None and read["n_rows"].sum() > FEW:
            return _of_sums(read, columns)
        rows = native.select(*by, *columns).to_native()
        few = rows.head(FEW + 1).collect()
        return _sorted(few, by, columns) if few.height <= FEW else _summed(rows, by, columns)
    if not portable and (hashed := engine.hash_sums(native, by, columns)) is not None:
        kind, totals = hashed
        if totals["n_rows"].sum() > FEW:
            return _of_totals(totals, columns, f"{kind}-rows")
    return _sorted(engine.collect(native.select(*by, *columns)), by, columns)


def _named(columns: Sequence[str]) -> str:
    return hashlib.sha256("\x1f".join(columns).encode()).hexdigest()[:4]


def _of_sums(sums: pl.DataFrame, columns: Sequence[str]) -> pl.DataFrame:
    """Digests of the sums of hashes of rows on Polars."""
    named = _named(columns)
    digests = [f"{named}{value:016x}" for value in sums[SUM].to_list()]
    return sums.drop(SUM).with_columns(digest=pl.Series(digests, dtype=pl.String), digest_kind=pl.lit(_POLARS))


def _summed(rows: pl.LazyFrame, by: Sequence[str], columns: Sequence[str]) -> pl.DataFrame:
    # Streamed, so only batches are in memory.
    return _of_sums(HashSums(tuple(columns), tuple(by)).of_rows(rows).collect(engine="streaming"), columns)


def _of_totals(totals: pl.DataFrame, columns: Sequence[str], kind: str) -> pl.DataFrame:
    """Digests of the sums of an engine's hashes."""
    named = _named(columns)
    digests = [f"{named}{int(value) % 2**64:016x}" for value in totals["total"].to_list()]
    return totals.drop("total").with_columns(digest=pl.Series(digests, dtype=pl.String), digest_kind=pl.lit(kind))


def _sorted(rows: pl.DataFrame, by: Sequence[str], columns: Sequence[str]) -> pl.DataFrame:
    """The SHA-256 of the columns of the sorted rows, as unambiguous bytes."""
    parts = rows.partition_by(by, as_dict=True) if by else {(): rows}
    digests = []
    for key, part in parts.items():
        digest = hashlib.sha256()
        one_type = part.select(_plain(name, part.schema[name]) for name in columns)
        for column in one_type.sort(columns).get_columns():
            digest.update(f"{column.name}\x1f{column.dtype}\x1f{column.len()}\x1f".encode())
            digest.update(column.is_null().to_numpy().tobytes())
            if column.dtype == pl.String:
                text = column.fill_null("")
                digest.update(text.str.len_bytes().cast(pl.UInt32).to_numpy().tobytes())
                digest.update(text.str.join("").item().encode())
            else:
                digest.update(column.fill_null(0).to_numpy().tobytes())
        digests.append({**dict(zip(by, key, strict=True)), "n_rows": part.height, "digest": digest.hexdigest()})
    schema = {name: rows.schema[name] for name in by} | {"n_rows": pl.Int64, "digest": pl.String}
    return pl.DataFrame(digests, schema=schema).with_columns(digest_kind=pl.lit(PORTABLE))


def _plain(name: str, dtype: pl.DataType) -> pl.Expr:
    """A column as text, 64-bit integers or floats, which engines and files agree on."""
    column = pl.col(name)
    if dtype.is_float() or dtype.is_decimal():
        # Adding zero makes -0.0 equal to 0.0.
        return column.cast(pl.Float64) + 0.0
    if dtype == pl.Boolean or (dtype.is_integer() and dtype not in (pl.UInt64, pl.Int128)):
        return column.cast(pl.Int64)
    if dtype.is_nested():
        frame_text = column.map_elements(lambda value: repr(list(value)), return_dtype=pl.String)
        return frame_text if dtype == pl.List else column.cast(pl.String)
    return column.cast(pl.String)
