"""Which fold each whole group goes to, when folds are to be alike in size or in their classes."""

from __future__ import annotations

import heapq

import polars as pl


def lightest(groups: pl.DataFrame, k: int) -> pl.DataFrame:
    """[group, fold]: the largest group first, each to the fold that has fewest rows.

    Args:
        groups: a row per `group` with its rows `n` and its `hash`, which breaks ties of size.
        k: the number of folds.
    """
    order = groups.sort(["n", "hash"], descending=[True, False])
    folds = [(0, fold) for fold in range(k)]
    chosen = []
    for n in order["n"]:
        size, fold = heapq.heappop(folds)
        chosen.append(fold)
        heapq.heappush(folds, (size + n, fold))
    return order.select("group").with_columns(fold=pl.Series(chosen, dtype=pl.Int64))


def most_alike(groups: pl.DataFrame, k: int) -> pl.DataFrame:
    """[group, fold]: groups of the most uneven classes first, each to the fold where classes' shares stay most alike.

    Args:
        groups: a row per `group` and class `label` with its rows `n` and the group's `hash`.
        k: the number of folds.
    """
    if groups.is_empty():
        return groups.select("group").with_columns(fold=pl.lit(0, pl.Int64))
    # Text, so that null is a class too, and none has the name of another column; sorted, so that the order of the rows
    # changes no sum.
    named = groups.with_columns(label=pl.lit("class ") + pl.col("label").cast(pl.String).fill_null(""))
    columns = named["label"].unique().sort().to_list()
    wide = named.pivot(on="label", on_columns=columns, index=["group", "hash"], values="n", aggregate_function="sum")
    # A group may be null, too, and is not a number.
    wide = wide.with_columns(pl.col(columns).fill_null(0))
    spread = wide.with_columns(spread=pl.concat_list(columns).list.std()).sort(
        ["spread", "hash"], descending=[True, False]
    )
    totals = [float(v) for v in spread.select(pl.col(columns).sum()).row(0)]
    held = [[0.0] * len(columns) for _ in range(k)]
    # Running sums and sums of squares per class give each trial's deviation without looking at the other folds.
    sums, squares = [0.0] * len(columns), [0.0] * len(columns)
    chosen = []
    for counts in spread.select(columns).iter_rows():
        shares: list[float] = [c / t for c, t in zip(counts, totals, strict=True)]
        fold = min(range(k), key=lambda f: (_deviation(held[f], shares, sums, squares, k), _size(held[f], totals), f))
        for i, share in enumerate(shares):
            squares[i] += (held[fold][i] + share) ** 2 - held[fold][i] ** 2
            sums[i] += share
            held[fold][i] += share
        chosen.append(fold)
    return spread.select("group").with_columns(fold=pl.Series(chosen, dtype=pl.Int64))


def _deviation(held: list[float], shares: list[float], sums: list[float], squares: list[float], k: int) -> float:
    """The mean over classes of the folds' variance of shares, if this fold got the group.

    Rounded, so that equal ones tie.
    """
    total = 0.0
    for have, share, first, second in zip(held, shares, sums, squares, strict=True):
        after = second + (have + share) ** 2 - have**2
        mean = (first + share) / k
        total += max(after / k - mean * mean, 0.0)
    return round(total, 12)


def _size(held: list[float], totals: list[float]) -> float:
    """How many rows the fold has."""
    return sum(share * total for share, total in zip(held, totals, strict=True))
