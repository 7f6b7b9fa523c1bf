"""What may be wrong with a split: rows or groups on both sides, empty folds, classes spread unevenly."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import polars as pl

from ireval_frames.engines.frame import Frame
from ireval_frames.expr import col
from ireval_frames.splits.frames import Split

SCHEMA = {
    "check": pl.String,
    "column": pl.String,
    "fold": pl.String,
    "value": pl.String,
    "n": pl.Int64,
    "share": pl.Float64,
    "ok": pl.Boolean,
}


def check_split(
    frame: Any, *, apart: str | Sequence[str] = (), label: str | None = None, column: str = "fold", con: Any = None
) -> pl.DataFrame:
    """Look for leaks and uneven folds.

    Args:
        frame: a table with a fold (or split) column, or the name of one with `con`.
        apart: columns whose values must not stand in two folds: ids, groups, texts that may be duplicates.
        label: the column of classes whose shares are shown.
        column: the fold column.
        con: a DuckDB connection or a Spark session.

    Returns:
        check column fold value n share ok.  `rows`: how many rows a fold has, `ok` if any (numbers that no row has are
        shown too).  `leak`: how many values of a column stand in two or more folds, `ok` if none; `value` is one of
        them. `class`: how many rows of a class a fold has, and their share of the fold, `ok` if any.

    Example:
        >>> import polars as pl, ireval_frames as ir
        >>> frame = pl.DataFrame({"user": ["a", "a", "b"], "fold": [0, 1, 1]})
        >>> failed = ir.splits.check_split(frame, apart="user").filter(~pl.col("ok"))
        >>> failed.select("check", "column", "value", "n").row(0)
        ('leak', 'user', 'a', 1)
    """
    columns = [apart] if isinstance(apart, str) else list(apart)
    split = Split(frame, [column, *columns, *([label] if label else [])], [], con)
    rows = split.frame.with_columns(fold=col(split.key(column)))
    sizes = split.collect(rows.count_by("fold")).sort("fold")
    parts = [_rows(sizes)]
    parts += [_leaks(split, rows, one) for one in columns]
    if label:
        parts.append(_classes(split, rows, sizes, label))
    return pl.concat(parts)


def _rows(sizes: pl.DataFrame) -> pl.DataFrame:
    found = sizes
    if found.schema["fold"].is_integer():
        last = max((f for f in found["fold"] if f is not None), default=-1)
        every = pl.DataFrame({"fold": range(last + 1)}, schema={"fold": found.schema["fold"]})
        found = every.join(found, on="fold", how="full", coalesce=True).sort("fold")
    total = sizes["n"].sum()
    n = pl.col("n").fill_null(0).cast(pl.Int64)
    return _shaped(found.select(fold="fold", n=n, share=n / total, ok=n > 0), "rows")


def _leaks(split: Split, rows: Frame, column: str) -> pl.DataFrame:
    of = rows.select("fold", value=col(split.key(column))).unique()
    found = split.collect(of.count_by("value").filter(col("n") > 1)).sort("value")
    value = str(found["value"][0]) if found.height else None
    return _shaped(
        pl.DataFrame({"column": [column], "value": [value], "n": [found.height], "ok": [found.height == 0]}), "leak"
    )


def _classes(split: Split, rows: Frame, sizes: pl.DataFrame, label: str) -> pl.DataFrame:
    counted = split.collect(rows.select("fold", value=col(split.key(label))).count_by("fold", "value"))
    every = sizes.select("fold").join(counted.select("value").unique(), how="cross")
    found = (
        every.join(counted, on=["fold", "value"], how="left", nulls_equal=True)
        .with_columns(pl.col("n").fill_null(0).cast(pl.Int64))
        .sort("fold", "value")
    )
    share = pl.col("n") / pl.col("n").sum().over("fold")
    return _shaped(found.with_columns(column=pl.lit(label), share=share, ok=pl.col("n") > 0), "class")


def _shaped(frame: pl.DataFrame, check: str) -> pl.DataFrame:
    given = frame.with_columns(check=pl.lit(check))
    return given.select((pl.col(c) if c in given.columns else pl.lit(None)).cast(t).alias(c) for c, t in SCHEMA.items())
