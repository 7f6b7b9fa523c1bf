"""Folds for cross-validation: a column that says in which fold a row is tested."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import polars as pl

from ireval_frames.engines.frame import Frame
from ireval_frames.errors import InvalidParameter
from ireval_frames.expr import col, lit
from ireval_frames.splits.balance import balanced_by_class, balanced_by_size
from ireval_frames.splits.frames import FOLD, HASH, PLACE, REPEAT, Split
from ireval_frames.splits.options import FoldOptions


def kfold(
    frame: Any,
    k: int = 5,
    *,
    item: str = "item_id",
    stratify: str | None = None,
    group: str | None = None,
    exact: bool = False,
    repeats: int = 1,
    seed: int = 0,
    into: str = "fold",
    con: Any = None,
) -> Any:
    """Assign every row the fold in which it is tested, 0 to k−1.

    The fold is computed from a portable hash of the id and the seed (MD5 of `seed:id`): it is the same on every engine
    and in every order of the rows, and rows that are added later do not change the folds of the others.  Rows whose id,
    or group, is null are one group.

    Args:
        frame: any table, or the name of one with `con`.
        k: the number of folds.
        item: the column of ids.
        stratify: a column of classes: the folds have equal numbers of each class, to within one row.
        group: a column of groups: rows of one group stay together.
        exact: folds of equal size, to within one row (or as equal as groups allow); such folds change when rows are
            added.  Stratified folds always are exact.
        repeats: how often folds are made, with the seeds seed, seed + 1 …; adds a column `repeat`.
        seed: what the hash starts from.
        into: the new column.
        con: a DuckDB connection or a Spark session.

    Returns:
        The frame with the new column: Polars frames stay eager or lazy, and relations lazy (but exact folds of groups
        count the groups at once); frames of other libraries come back as Polars frames.

    Raises:
        MissingColumn, InvalidParameter: a column does not exist, or a value is not allowed.
        DuplicateRows: ids are not unique, which exact folds need.

    Example:
        >>> import polars as pl, ireval_frames as ir
        >>> ir.splits.kfold(pl.DataFrame({"item_id": range(6)}), 3, exact=True)["fold"].to_list()
        [2, 1, 0, 2, 1, 0]
    """
    options = FoldOptions(
        k=k, item=item, stratify=stratify, group=group, exact=exact, repeats=repeats, seed=seed, into=into
    )
    if options.repeats == 1:
        return _folds(frame, options, con)
    parts = [_folds(frame, replace(options, seed=options.seed + i), con, repeat=i) for i in range(options.repeats)]
    if isinstance(parts[0], (pl.DataFrame, pl.LazyFrame)):
        return pl.concat(parts)
    import narwhals.stable.v2 as nw

    return nw.concat([nw.from_native(p) for p in parts]).to_native()


def _folds(frame: Any, options: FoldOptions, con: Any, *, repeat: int | None = None) -> Any:
    """The frame with folds of one seed, and the number of the repetition, if there are several."""
    item, stratify, group, k = options.item, options.stratify, options.group, options.k
    columns = [c for c in ((item if group is None or stratify else None), stratify, group) if c]
    repeats = {} if repeat is None else {REPEAT: "repeat"}
    split = Split(frame, columns, [*repeats.values(), options.into], con)
    if group is not None and (options.exact or stratify):
        rows = _balanced(split, k, group, stratify, options.seed)
    elif group is not None or not (options.exact or stratify):
        rows = split.hashed(split.key(group or item), options.seed).with_columns((col(HASH) % k).alias(FOLD))
    else:
        # Rows are numbered class after class, so that every class, and the total, is dealt out evenly.
        rows = split.placed(item, stratify, options.seed).with_columns((col(PLACE) % k).alias(FOLD))
    if repeat is not None:
        rows = rows.with_columns(lit(repeat).cast(pl.Int64).alias(REPEAT))
    return split.back(rows, **repeats, **{FOLD: options.into})


def _balanced(split: Split, k: int, group: str, stratify: str | None, seed: int) -> Frame:
    """Folds of whole groups, of even sizes or classes: the groups are counted, then assigned one after another.

    Raises:
        InvalidParameter: there are fewer groups than folds.
    """
    key = split.key(group)
    columns = {"group": col(key), **({"label": col(split.key(stratify))} if stratify else {})}
    groups = split.collect(split.hashed(key, seed).select(**columns, hash=col(HASH)).count_by(*columns, "hash"))
    n = groups["group"].n_unique()
    if 0 < n < k:
        raise InvalidParameter(
            f"k is {k}, but there are only {n} groups.", f"Write k={n}." if n > 1 else "Leave group= out."
        )
    folds = balanced_by_class(groups, k) if stratify else balanced_by_size(groups, k)
    table = split.engine.from_polars(folds.rename({"group": key, "fold": FOLD}))
    return split.engine.join(split.frame, table, [key], "left")


def leave_one_out(frame: Any, *, item: str = "item_id", into: str = "fold", con: Any = None) -> Any:
    """Assign every row a fold of its own, numbered in the order of the ids.

    Args:
        frame: any table, or the name of one with `con`.
        item: the column of ids.
        into: the new column.
        con: a DuckDB connection or a Spark session.

    Example:
        >>> import polars as pl, ireval_frames as ir
        >>> ir.splits.leave_one_out(pl.DataFrame({"item_id": ["b", "a"]}))["fold"].to_list()
        [1, 0]
    """
    split = Split(frame, [item], [into], con)
    split.needs_unique(item)
    rows = split.frame.with_row_index(FOLD, order_by=[split.key(item)]).with_columns(col(FOLD).cast(pl.Int64))
    return split.back(rows, **{FOLD: into})


def leave_one_group_out(frame: Any, group: str, *, into: str = "fold", con: Any = None) -> Any:
    """Assign all rows of a group one fold, numbered in the order of the groups.

    Args:
        frame: any table, or the name of one with `con`.
        group: the column of groups.
        into: the new column.
        con: a DuckDB connection or a Spark session.

    Example:
        >>> import polars as pl, ireval_frames as ir
        >>> ir.splits.leave_one_group_out(pl.DataFrame({"user": ["b", "a", "b"]}), "user")["fold"].to_list()
        [1, 0, 1]
    """
    split = Split(frame, [group], [into], con)
    key = split.key(group)
    numbers = (
        split.frame.select(key).unique().with_row_index(FOLD, order_by=[key]).with_columns(col(FOLD).cast(pl.Int64))
    )
    return split.back(split.engine.join(split.frame, numbers, [key], "left"), **{FOLD: into})


def by_query(frame: Any, k: int = 5, *, exact: bool = False, seed: int = 0, into: str = "fold", con: Any = None) -> Any:
    """Folds of whole queries, for judgments, runs and other tables with a query_id.

    Args:
        frame: any table with a query_id, or the name of one with `con`.
        k: the number of folds.
        exact: assign queries by their number of rows; by default by their hashes.
        seed: what the hash starts from.
        into: the new column.
        con: a DuckDB connection or a Spark session.

    Example:
        >>> import ireval_frames as ir
        >>> ir.splits.by_query(ir.examples.ranking()[0], 3)["fold"].n_unique()
        1
    """
    return kfold(frame, k, group="query_id", exact=exact, seed=seed, into=into, con=con)
