"""Folds for cross-validation: a column that says in which fold a row is tested."""

from __future__ import annotations

from typing import Any

import narwhals.stable.v2 as nw
import polars as pl

from ireval_frames.engines.base import lazy
from ireval_frames.errors import InvalidParameter
from ireval_frames.splits.balance import lightest, most_alike
from ireval_frames.splits.frames import HASH, Split, whole


def kfold(
    frame: Any,
    k: int = 5,
    *,
    id: str = "item_id",
    stratify: str | None = None,
    group: str | None = None,
    exact: bool = False,
    repeats: int = 1,
    seed: int = 0,
    name: str = "fold",
    con: Any = None,
) -> Any:
    """Give every row the number of the fold in which it is tested, 0 to k−1.

    The fold follows from a portable hash of the id and the seed (MD5 of `seed:id`), so it is the same on every engine
    and in every order of the rows, and rows that come later do not move those that are there.  Rows whose id, or group,
    is null are one group.

    Args:
        frame: any table, or the name of one with `con`.
        k: the number of folds.
        id: the column of ids.
        stratify: a column of classes: every fold gets as many of each as can be, to within one.
        group: a column of groups: rows of one group stay together.
        exact: folds of equal size, to within one row (or as equal as groups allow); such folds do move when rows are
            added.  Stratified folds always are exact.
        repeats: how many times over, with the seeds seed, seed + 1 …; adds a column `repeat`.
        seed: what the hash starts from.
        name: the new column.
        con: a DuckDB connection.

    Returns:
        The frame with the new column, in its own kind: eager frames stay eager, lazy frames and relations stay lazy
        (but exact folds of groups count the groups at once).

    Raises:
        MissingColumn, InvalidParameter: a column or value that is not there or not allowed.
        DuplicateRows: ids stand twice where exact folds need them to tell rows apart.

    Example:
        >>> import polars as pl, ireval_frames as ir
        >>> ir.splits.kfold(pl.DataFrame({"item_id": range(6)}), 3, exact=True)["fold"].to_list()
        [2, 1, 0, 2, 1, 0]
    """
    whole(k, "k", 2)
    if whole(repeats, "repeats", 1) == 1:
        return _once(frame, k, id, stratify, group, seed, name, con, exact=exact)
    parts = [_once(frame, k, id, stratify, group, seed + i, name, con, exact=exact, repeat=i) for i in range(repeats)]
    return (
        pl.concat(parts)
        if isinstance(parts[0], (pl.DataFrame, pl.LazyFrame))
        else nw.concat([nw.from_native(p) for p in parts]).to_native()
    )


def _once(
    frame: Any,
    k: int,
    id: str,
    stratify: str | None,
    group: str | None,
    seed: int,
    name: str,
    con: Any,
    *,
    exact: bool,
    repeat: int | None = None,
) -> Any:
    wanted = [c for c in ((id if group is None or stratify else None), stratify, group) if c]
    split = Split(frame, wanted, [name, *(["repeat"] if repeat is not None else [])], con)
    if group is not None and (exact or stratify):
        rows = _balanced(split, k, group, stratify, seed, name)
    elif group is not None or not (exact or stratify):
        rows = split.hashed(group or id, seed).with_columns((nw.col(HASH) % k).alias(name)).drop(HASH)
    else:
        split.needs_unique(id)
        order = [*([stratify] if stratify else []), HASH, id]
        # One count through the classes in turn: every class, and the whole, is dealt out evenly.
        place = split.hashed(id, seed).with_row_index("ireval_place", order_by=order)
        rows = place.with_columns((nw.col("ireval_place").cast(nw.Int64) % k).alias(name)).drop(HASH, "ireval_place")
    if repeat is not None:
        rows = rows.with_columns(nw.lit(repeat).cast(nw.Int64).alias("repeat"))
    return split.back(rows, *(["repeat"] if repeat is not None else []), name)


def _balanced(split: Split, k: int, group: str, stratify: str | None, seed: int, name: str) -> nw.LazyFrame:
    """Whole groups dealt out by size, or by class: the groups are counted, and a loop over them decides."""
    keys = [group, *([stratify] if stratify else [])]
    counted = split.hashed(group, seed).group_by(*keys, HASH).agg(n=nw.len())
    groups = split.collect(counted)
    n = groups[group].n_unique()
    if 0 < n < k:
        raise InvalidParameter(
            f"k is {k}, but there are only {n} groups.", f"Write k={n}." if n > 1 else "Leave group= out."
        )
    folds = most_alike(groups, group, stratify, k) if stratify else lightest(groups, group, k)
    table = folds.rename({"fold": name}).with_columns(pl.col(name).cast(pl.Int64))
    return split.engine.join(split.frame, lazy(split.engine.from_polars(table)), [group], "left")


def leave_one_out(frame: Any, *, id: str = "item_id", name: str = "fold", con: Any = None) -> Any:
    """Give every row a fold of its own, numbered in the order of the ids.

    Args:
        frame: any table, or the name of one with `con`.
        id: the column of ids.
        name: the new column.
        con: a DuckDB connection.

    Example:
        >>> import polars as pl, ireval_frames as ir
        >>> ir.splits.leave_one_out(pl.DataFrame({"item_id": ["b", "a"]}))["fold"].to_list()
        [1, 0]
    """
    split = Split(frame, [id], [name], con)
    split.needs_unique(id)
    rows = split.frame.with_row_index(name, order_by=[id]).with_columns(nw.col(name).cast(nw.Int64))
    return split.back(rows, name)


def leave_one_group_out(frame: Any, group: str, *, name: str = "fold", con: Any = None) -> Any:
    """Give all rows of a group one fold, numbered in the order of the groups.

    Args:
        frame: any table, or the name of one with `con`.
        group: the column of groups.
        name: the new column.
        con: a DuckDB connection.

    Example:
        >>> import polars as pl, ireval_frames as ir
        >>> ir.splits.leave_one_group_out(pl.DataFrame({"user": ["b", "a", "b"]}), "user")["fold"].to_list()
        [1, 0, 1]
    """
    split = Split(frame, [group], [name], con)
    numbers = (
        split.frame.select(group)
        .unique()
        .with_row_index(name, order_by=[group])
        .with_columns(nw.col(name).cast(nw.Int64))
    )
    return split.back(split.engine.join(split.frame, numbers, [group], "left"), name)


def by_query(frame: Any, k: int = 5, *, exact: bool = False, seed: int = 0, name: str = "fold", con: Any = None) -> Any:
    """Folds of whole queries, for judgments, runs and all that has a query_id.

    Args:
        frame: any table with a query_id, or the name of one with `con`.
        k: the number of folds.
        exact: deal the queries out by their number of rows; by default their hashes decide.
        seed: what the hash starts from.
        name: the new column.
        con: a DuckDB connection.

    Example:
        >>> import ireval_frames as ir
        >>> ir.splits.by_query(ir.examples.ranking()[0], 3)["fold"].n_unique()
        1
    """
    return kfold(frame, k, group="query_id", exact=exact, seed=seed, name=name, con=con)
