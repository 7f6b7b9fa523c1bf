"""Polars: the distinct values of a column from the largest down, with the counts at and above each.

Few distinct values are found by a group-by, many by one sort: a group per row would cost twice the sort, and the groups
would have to be sorted as well.
"""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from ireval_frames.engines.base import Aggregate
from ireval_frames.engines.polars.aggregates import groups
from ireval_frames.expr import col

# The size of the sample that tells few distinct values from many, and the share of distinct ones from which a sort is
# cheaper: with 20,000 rows 99 % mean about a million distinct values.
SAMPLE = 20_000
DISTINCT = 0.99


def cumulative_counts(rows: pl.DataFrame, keys: Sequence[str], by: str, flag: str, weight: str | None) -> pl.LazyFrame:
    """[keys] by positives negatives cum_positives cum_negatives; only the columns that are read are computed.

    Args:
        rows: the keys, `by`, `flag` (true or false) and `weight`, if there is one.
        keys: the groups within which values are distinct.
        by: the column of values.
        flag: which rows are positives.
        weight: the weight of a row; None means 1.
    """
    one = pl.lit(1.0) if weight is None else pl.col(weight)
    yes, no = (pl.when(f).then(one).otherwise(0.0) for f in (pl.col(flag), ~pl.col(flag)))
    if mostly_distinct(rows, [*keys, by]):
        return _sorted(rows.select(*keys, by, flag, *([weight] if weight else [])), keys, by, yes, no)
    if weight is None:
        # Counting is cheaper than adding ones.
        yes, no = pl.col(flag).sum().cast(pl.Float64), (~pl.col(flag)).sum().cast(pl.Float64)
        counts = rows.lazy().group_by(*keys, by, maintain_order=False).agg(positives=yes, negatives=no)
    else:
        terms = rows.lazy().select(*keys, by, positives=yes, negatives=no)
        counts = groups(terms, [*keys, by], [Aggregate(c, "sum", col(c)) for c in ("positives", "negatives")])
    descending_rows = counts.sort(*keys, by, descending=[*(False for _ in keys), True])
    return (
        descending_rows.collect()
        .lazy()
        .with_columns(
            cum_positives=_cumulated(pl.col("positives"), keys), cum_negatives=_cumulated(pl.col("negatives"), keys)
        )
    )


def _cumulated(column: pl.Expr, keys: Sequence[str]) -> pl.Expr:
    return column.cum_sum().over(*keys) if keys else column.cum_sum()


def mostly_distinct(rows: pl.DataFrame, columns: Sequence[str]) -> bool:
    """Whether nearly all rows have distinct values, by a sample of evenly spaced rows."""
    sample = rows.select(columns).gather_every(max(1, rows.height // SAMPLE))
    return sample.n_unique() >= DISTINCT * sample.height


def _sorted(rows: pl.DataFrame, keys: Sequence[str], by: str, yes: pl.Expr, no: pl.Expr) -> pl.LazyFrame:
    """By sorting; the last row of every run of equal values has the counts of all of the run."""
    if keys:
        # Small groups are sorted in the processor's cache; a sort by keys and value compares rows of bytes.
        inner = [c for c in rows.columns if c not in keys]
        groups = (
            rows.lazy()
            .group_by(*keys, maintain_order=True)
            .agg(pl.col(inner).sort_by(by, descending=True))
            .with_row_index("_group")
        )
        descending_rows = groups.explode(inner).collect()
    else:
        # The lazy sort carries the other columns along; the eager one gathers them afterwards, at twice the cost.
        descending_rows = rows.lazy().sort(by, descending=True).collect()
    within = ["_group"] if keys else []
    new = pl.any_horizontal(pl.col(c) != pl.col(c).shift(1) for c in (*within, by)).fill_null(value=True)
    so_far = {"cum_positives": _cumulated(yes, within), "cum_negatives": _cumulated(no, within)}
    if descending_rows.select(new.all()).item():
        return descending_rows.lazy().select(*keys, by, positives=yes, negatives=no, **so_far)
    ends = new.shift(-1).fill_null(value=True)
    runs = descending_rows.lazy().select(*keys, by, *within, **so_far, _ends=ends).filter("_ends").collect().lazy()
    before = {
        n: pl.col(f"cum_{n}").shift(1).over(*within) if keys else pl.col(f"cum_{n}").shift(1)
        for n in ("positives", "negatives")
    }
    return runs.select(
        *keys,
        by,
        "cum_positives",
        "cum_negatives",
        **{n: pl.col(f"cum_{n}") - e.fill_null(0.0) for n, e in before.items()},
    )
