"""Checks of a split: values in several folds, empty folds, uneven classes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import polars as pl

from ireval_frames.columns.user_names import columns_named
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
    frame: Any, *, disjoint: str | Sequence[str] = (), label: str | None = None, column: str = "fold", con: Any = None
) -> pl.DataFrame:
    """Look for leaks and uneven folds.

    Args:
        frame: a table with a fold (or split) column, or the name of one with `con`.
        disjoint: columns whose values must not occur in two folds: ids, groups, texts that may be duplicates.
        label: the column of classes whose shares are shown.
        column: the fold column.
        con: a DuckDB connection or a Spark session.

    Returns:
        check column fold value n share ok.  `rows`: the number of rows of a fold, `ok` if there are any (numbers below
        the largest that no row has are listed, too).  `leak`: the number of values of a column that occur in several
        folds, `ok` if there are none; `value` is one of them.  `class`: the number of rows of a class in a fold and
        their share of the fold, `ok` if there are any.

    Example:
        >>> import polars as pl, ireval_frames as ir
        >>> frame = pl.DataFrame({"user": ["a", "a", "b"], "fold": [0, 1, 1]})
        >>> failed = ir.splits.check_split(frame, disjoint="user").filter(~pl.col("ok"))
        >>> failed.select("check", "column", "value", "n").row(0)
        ('leak', 'user', 'a', 1)
    """
    columns = columns_named(disjoint, "disjoint")
    split = Split(frame, [column, *columns, *([label] if label else [])], [], con)
    rows = split.frame.with_columns(fold=col(split.key(column)))
    sizes = split.collect(rows.count_by("fold")).sort("fold")
    parts = [_rows(sizes)]
    parts += [_leaks(split, rows, one) for one in columns]
    if label:
        parts.append(_classes(split, rows, sizes, label))
    return pl.concat(parts)


def _rows(sizes: pl.DataFrame) -> pl.DataFrame:
    folds = sizes
    if folds.schema["fold"].is_integer():
        last = max((f for f in folds["fold"] if f is not None), default=-1)
        numbers = pl.DataFrame({"fold": range(last + 1)}, schema={"fold": folds.schema["fold"]})
        folds = numbers.join(folds, on="fold", how="full", coalesce=True).sort("fold")
    total = sizes["n"].sum()
    n = pl.col("n").fill_null(0).cast(pl.Int64)
    return _with_schema(folds.select(fold="fold", n=n, share=n / total, ok=n > 0), "rows")


def _leaks(split: Split, rows: Frame, column: str) -> pl.DataFrame:
    values = rows.select("fold", value=col(split.key(column))).unique()
    leaks = split.collect(values.count_by("value").filter(col("n") > 1)).sort("value")
    value = str(leaks["value"][0]) if leaks.height else None
    return _with_schema(
        pl.DataFrame({"column": [column], "value": [value], "n": [leaks.height], "ok": [leaks.height == 0]}), "leak"
    )


def _classes(split: Split, rows: Frame, sizes: pl.DataFrame, label: str) -> pl.DataFrame:
    counts = split.collect(rows.select("fold", value=col(split.key(label))).count_by("fold", "value"))
    cells = sizes.select("fold").join(counts.select("value").unique(), how="cross")
    classes = (
        cells.join(counts, on=["fold", "value"], how="left", nulls_equal=True)
        .with_columns(pl.col("n").fill_null(0).cast(pl.Int64))
        .sort("fold", "value")
    )
    share = pl.col("n") / pl.col("n").sum().over("fold")
    return _with_schema(classes.with_columns(column=pl.lit(label), share=share, ok=pl.col("n") > 0), "class")


def _with_schema(frame: pl.DataFrame, check: str) -> pl.DataFrame:
    rows = frame.with_columns(check=pl.lit(check))
    return rows.select((pl.col(c) if c in rows.columns else pl.lit(None)).cast(t).alias(c) for c, t in SCHEMA.items())
