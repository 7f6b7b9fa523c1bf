"""The fold of each group, where folds are balanced by size or by class."""

from __future__ import annotations

import heapq

import polars as pl


def balanced_by_size(groups: pl.DataFrame, k: int) -> pl.DataFrame:
    """[group, fold]: the largest group first, each to the smallest fold.

    Args:
        groups: a row per `group` with its rows `n` and its `hash`, which breaks ties of size.
        k: the number of folds.
    """
    order = groups.sort(["n", "hash"], descending=[True, False])
    folds = [(0, fold) for fold in range(k)]
    assigned = []
    for n in order["n"]:
        size, fold = heapq.heappop(folds)
        assigned.append(fold)
        heapq.heappush(folds, (size + n, fold))
    return order.select("group").with_columns(fold=pl.Series(assigned, dtype=pl.Int64))


def balanced_by_class(groups: pl.DataFrame, k: int) -> pl.DataFrame:
    """[group, fold]: groups of the most uneven classes first, each to the fold that keeps classes most even.

    Args:
        groups: a row per `group` and class `label` with its rows `n` and the group's `hash`.
        k: the number of folds.
    """
    if groups.is_empty():
        return groups.select("group").with_columns(fold=pl.lit(0, pl.Int64))
    # As text null is a class, too, and no class is named like another column; sorted, so that no sum depends on the
    # order of the rows.
    named = groups.with_columns(label=pl.lit("class ") + pl.col("label").cast(pl.String).fill_null(""))
    columns = named["label"].unique().sort().to_list()
    wide = named.pivot(on="label", on_columns=columns, index=["group", "hash"], values="n", aggregate_function="sum")
    # Only the counts: a group may be null, too.
    wide = wide.with_columns(pl.col(columns).fill_null(0))
    spread = wide.with_columns(spread=pl.concat_list(columns).list.std()).sort(
        ["spread", "hash"], descending=[True, False]
    )
    totals = [float(v) for v in spread.select(pl.col(columns).sum()).row(0)]
    folds = [[0.0] * len(columns) for _ in range(k)]
    # From running sums and sums of squares per class the deviation of each choice follows without the other folds.
    sums, squares = [0.0] * len(columns), [0.0] * len(columns)
    assigned = []
    for counts in spread.select(columns).iter_rows():
        shares: list[float] = [c / t for c, t in zip(counts, totals, strict=True)]
        fold = min(range(k), key=lambda f: (_deviation(folds[f], shares, sums, squares, k), _size(folds[f], totals), f))
        for i, share in enumerate(shares):
            squares[i] += (folds[fold][i] + share) ** 2 - folds[fold][i] ** 2
            sums[i] += share
            folds[fold][i] += share
        assigned.append(fold)
    return spread.select("group").with_columns(fold=pl.Series(assigned, dtype=pl.Int64))


def _deviation(fold: list[float], shares: list[float], sums: list[float], squares: list[float], k: int) -> float:
    """The mean over classes of the variance of shares over folds, if this fold gets the group; rounded for ties."""
    total = 0.0
    for own, share, first, second in zip(fold, shares, sums, squares, strict=True):
        after = second + (own + share) ** 2 - own**2
        mean = (first + share) / k
        total += max(after / k - mean * mean, 0.0)
    return round(total, 12)


def _size(fold: list[float], totals: list[float]) -> float:
    """The number of rows of the fold."""
    return sum(share * total for share, total in zip(fold, totals, strict=True))
