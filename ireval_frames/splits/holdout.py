"""Training and test rows: a column that says for what a row is."""

from __future__ import annotations

import math
from typing import Any

import polars as pl

from ireval_frames.errors import InvalidParameter
from ireval_frames.expr import Expr, col, lit, when
from ireval_frames.splits.frames import FOLD, HASH, PLACE, Split, whole

# Shares such as 0.1 + 0.2 are not exact; a row on the border belongs to the lower side.
EPSILON = 1e-9
LARGEST = 1_000_000


def holdout(
    frame: Any,
    test: float = 0.2,
    *,
    valid: float = 0.0,
    item: str = "item_id",
    stratify: str | None = None,
    group: str | None = None,
    exact: bool = False,
    seed: int = 0,
    into: str = "split",
    con: Any = None,
) -> Any:
    """Mark every row as `train`, `test` or `valid`.

    The mark follows from a portable hash of the id (or the group) and the seed: the same on every engine and in every
    order of the rows, and rows that come later do not move those that are there.

    Args:
        frame: any table, or the name of one with `con`.
        test: the share of test rows.
        valid: the share of validation rows.
        item: the column of ids.
        stratify: a column of classes: every class has these shares: that of the test rows to within one row, and where
            `valid` is given those of validation and training rows to within two.
        group: a column of groups: rows of one group stay together.
        exact: these shares of the whole, as near as those of classes; such marks do move when rows are added.
            Stratified ones always are exact.
        seed: what the hash starts from.
        into: the new column.
        con: a DuckDB connection or a Spark session.

    Raises:
        MissingColumn, InvalidParameter: a column or value that is not there or not allowed.
        DuplicateRows: ids stand twice where exact shares need them to tell rows apart.

    Example:
        >>> import polars as pl, ireval_frames as ir
        >>> ir.splits.holdout(pl.DataFrame({"item_id": range(4)}), 0.25, exact=True)["split"].to_list()
        ['train', 'train', 'train', 'test']
    """
    for share, what in ((test, "test"), (valid, "valid")):
        if isinstance(share, bool) or not isinstance(share, int | float) or not 0 <= share < 1:
            raise InvalidParameter(
                f"{what} is {share!r}; it must be a share of at least 0 and below 1.", f"Write {what}=0.2."
            )
    if test + valid >= 1:
        raise InvalidParameter(
            f"test and valid are {test + valid:g} together; nothing is left to train on.", "Write test=0.2, valid=0.1."
        )
    if group is not None and (exact or stratify):
        raise InvalidParameter(
            "Whole groups cannot have exact shares.",
            "Deal the groups out as folds: ir.splits.kfold(frame, 5, …, exact=True)",
        )
    split = Split(frame, [c for c in (item if group is None else group, stratify) if c], [into], con)
    if exact or stratify:
        place = split.placed(item, stratify, seed)
        at = col(PLACE).cast(pl.Float64)
        rows = place.with_columns(tested=_dealt(at, test), rest=at - (at * test + EPSILON).floor())
        rest, tested = col("rest"), col("tested")
        rows = rows.with_columns(_named(tested, ~tested & _dealt(rest, valid / (1.0 - test))).alias(FOLD))
    else:
        at = col(HASH).cast(pl.Float64) / 2.0**63
        rows = split.hashed(split.key(group or item), seed).with_columns(
            _named(at < test, (at >= test) & (at < test + valid)).alias(FOLD)
        )
    return split.back(rows, **{FOLD: into})


def _dealt(place: Expr, share: float) -> Expr:
    """Whether a place of an even deal falls to the share: that many of every run of places, to within one."""
    return ((place + 1.0) * share + EPSILON).floor() > (place * share + EPSILON).floor()


def _named(test: Expr, valid: Expr) -> Expr:
    return when(test).then(lit("test")).otherwise(when(valid).then(lit("valid")).otherwise(lit("train")))


def leave_p_out(frame: Any, p: int = 2, *, item: str = "item_id", con: Any = None) -> pl.DataFrame:
    """Every choice of p rows as the test rows of a fold.

    Args:
        frame: any table, or the name of one with `con`.
        p: how many rows a fold tests.
        item: the column of ids.
        con: a DuckDB connection or a Spark session.

    Returns:
        [fold, the ids]: p rows per fold, in the order of the ids; join it with the frame.

    Raises:
        InvalidParameter: there would be more than a million folds.

    Example:
        >>> import polars as pl, ireval_frames as ir
        >>> ir.splits.leave_p_out(pl.DataFrame({"item_id": [1, 2, 3]}), 2).rows()
        [(0, 1), (0, 2), (1, 1), (1, 3), (2, 2), (2, 3)]
    """
    import itertools

    split = Split(frame, [item], [], con)
    if item.lower() == "fold":
        raise InvalidParameter(f"The ids are a column {item!r}, and so are the folds.", "Rename it first.")
    split.needs_unique(item)
    ids = split.collect(split.ids(item)).to_series()
    n = math.comb(ids.len(), whole(p, "p", 1))
    if not 0 < n <= LARGEST:
        raise InvalidParameter(
            f"Leaving {p} of {ids.len()} rows out gives {n:,} folds.", "Take k folds: ir.splits.kfold(frame, 10)"
        )
    chosen = pl.Series(
        "at", list(itertools.chain.from_iterable(itertools.combinations(range(ids.len()), p))), dtype=pl.UInt32
    )
    folds = pl.select(fold=pl.int_range(n, dtype=pl.Int64).repeat_by(p).explode()).to_series()
    return pl.DataFrame({"fold": folds, item: ids.gather(chosen)})
