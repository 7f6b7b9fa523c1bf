"""Training, validation and test rows, marked in a column."""

from __future__ import annotations

import itertools
import math
from typing import Any

import polars as pl

from ireval_frames.errors import InvalidParameter
from ireval_frames.expr import Expr, col, lit, when
from ireval_frames.splits.frames import FOLD, HASH, PLACE, Split
from ireval_frames.splits.options import SIZE, HoldoutOptions

# Sums such as 0.1 + 0.2 are not exact; a row on the boundary belongs to the lower part.
EPSILON = 1e-9
MAX_FOLDS = 1_000_000


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

    The mark is computed from a portable hash of the id (or the group) and the seed: it is the same on every engine and
    in every order of the rows, and rows that are added later do not change the marks of the others.

    Args:
        frame: any table, or the name of one with `con`.
        test: the share of test rows.
        valid: the share of validation rows.
        item: the column of ids.
        stratify: a column of classes: every class has these shares, that of test rows to within one row, and with
            `valid` those of validation and training rows to within two.
        group: a column of groups: rows of one group stay together.
        exact: these shares of all rows, to within one or two rows as above; such marks change when rows are added.
            Stratified ones always are exact.
        seed: what the hash starts from.
        into: the new column.
        con: a DuckDB connection or a Spark session.

    Raises:
        MissingColumn, InvalidParameter: a column does not exist, or a value is not allowed.
        DuplicateRows: ids are not unique, which exact shares need.

    Example:
        >>> import polars as pl, ireval_frames as ir
        >>> ir.splits.holdout(pl.DataFrame({"item_id": range(4)}), 0.25, exact=True)["split"].to_list()
        ['train', 'train', 'train', 'test']
    """
    options = HoldoutOptions(
        test=test, valid=valid, item=item, stratify=stratify, group=group, exact=exact, seed=seed, into=into
    )
    test, valid = options.test, options.valid
    split = Split(frame, [c for c in (item if group is None else group, stratify) if c], [into], con)
    if exact or stratify:
        place = col(PLACE).cast(pl.Float64)
        rows = split.placed(item, stratify, options.seed).with_columns(
            tested=_in_share(place, test), rest=place - (place * test + EPSILON).floor()
        )
        validated = ~col("tested") & _in_share(col("rest"), valid / (1.0 - test))
        rows = rows.with_columns(_named(col("tested"), validated).alias(FOLD))
    else:
        at = col(HASH).cast(pl.Float64) / 2.0**63
        rows = split.hashed(split.key(group or item), options.seed).with_columns(
            _named(at < test, (at >= test) & (at < test + valid)).alias(FOLD)
        )
    return split.back(rows, **{FOLD: into})


def _in_share(place: Expr, share: float) -> Expr:
    """Whether a row of this place belongs to the share, so that all runs of places hold it, to within one row."""
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
    split = Split(frame, [item], [], con)
    if item.lower() == "fold":
        raise InvalidParameter(f"The column of ids is called {item!r}, as that of folds is.", "Rename it first.")
    split.needs_unique(item)
    ids = split.collect(split.ids(item)).to_series()
    n = math.comb(ids.len(), SIZE.check("p", p))
    if not 0 < n <= MAX_FOLDS:
        raise InvalidParameter(
            f"Leaving {p} of {ids.len()} rows out gives {n:,} folds.", "Take k folds: ir.splits.kfold(frame, 10)"
        )
    combinations = itertools.chain.from_iterable(itertools.combinations(range(ids.len()), p))
    rows = pl.Series(list(combinations), dtype=pl.UInt32)
    folds = pl.select(fold=pl.int_range(n, dtype=pl.Int64).repeat_by(p).explode()).to_series()
    return pl.DataFrame({"fold": folds, item: ids.gather(rows)})
