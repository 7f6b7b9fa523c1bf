"""Systems by their moments alone, which one GROUP BY of the engine gives: for values of millions of units."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import polars as pl

from ireval_frames.comparison.values.grids import Grid, measures_of, sorted_parts
from ireval_frames.comparison.values.sources import LARGEST, MEASURE, SYSTEM, VALUE, PerUnitValues, refuse_endless
from ireval_frames.engines.base import Aggregate
from ireval_frames.errors import InvalidValue, rows_to_fix
from ireval_frames.expr import Expr, col, lit
from ireval_frames.stats.sample import Moments

_MOMENTS = (
    Aggregate("n", "count", lit(1.0)),
    Aggregate("sum", "sum", col(VALUE)),
    Aggregate("variance", "variance", col(VALUE)),
)
_ENDS = (Aggregate("low", "min", col(VALUE)), Aggregate("high", "max", col(VALUE)))
# Values whose relative spread is below this may be equal but for rounding.
MIN_RELATIVE_SPREAD = 1e-6
# Below it variances lose digits.
MIN_VARIANCE = 1e-280


def moment_grids(values: PerUnitValues) -> Iterator[Grid]:
    """A grid without units per measure and group, which knows the moments of each system.

    Raises:
        InvalidValue: values are infinite, too large or too small to be squared; or measures or systems are null.
    """
    # Values are hardly ever NaN: the sums show whether some are, and only then are they searched.
    bad = col(VALUE).is_null()
    rows = _grouped(values, bad, _MOMENTS)
    if rows["sum"].is_nan().any():
        bad = bad | col(VALUE).is_nan()
        rows = _grouped(values, bad, _MOMENTS)
    rows = _with_largest(values, rows, bad)
    refuse_endless(values, rows.group_by(MEASURE, maintain_order=True).agg(pl.col("largest").max()))
    for alias in (MEASURE, SYSTEM):
        if rows[alias].null_count():
            name = values.called(alias)
            raise InvalidValue(
                f"Column {name!r} holds nulls; every value needs its measure and system.",
                rows_to_fix("table", name, ".is_null()"),
            )
    measures = measures_of(values, rows)
    place = pl.col(MEASURE).replace_strict({m: i for i, m in enumerate(measures)}, return_dtype=pl.Int64)
    for key, part in sorted_parts(rows.with_columns(_place=place), ["_place", *values.groups]):
        of = part.sort(SYSTEM)
        variance = of["variance"].fill_null(np.nan).to_numpy()
        moments = Moments(of["n"].to_numpy(), (of["sum"] / of["n"]).to_numpy(), variance, of["largest"].to_numpy())
        measure = measures[key[0]]
        empty = np.empty((0, of.height))
        types = tuple(part.select(values.groups).dtypes)
        lower_is_better = measure in values.lower_is_better
        yield Grid(measure, key[1:], lower_is_better, of[SYSTEM], pl.DataFrame(), empty, moments=moments, types=types)


def _with_largest(values: PerUnitValues, rows: pl.DataFrame, bad: Expr) -> pl.DataFrame:
    """With the largest absolute value of each system: a bound of it, |mean| + √(n · variance), where that will do.

    It determines the rounding, and whether values can be squared; it is computed only where it could decide.
    """
    mean = pl.col("sum") / pl.col("n")
    variance = pl.col("variance").fill_null(0.0)
    narrow = (variance > 0) & (variance <= (MIN_RELATIVE_SPREAD * mean) ** 2)
    bound = mean.abs() + (pl.col("n") * variance).sqrt()
    doubtful = (
        narrow
        | (bound > LARGEST)
        | ~mean.is_finite()
        | ~variance.is_finite()
        | ((variance > 0) & (variance < MIN_VARIANCE))
    )
    if not rows.select(doubtful.any()).item():
        return rows.with_columns(largest=bound)
    keys = [c for c in rows.columns if c not in ("n", "sum", "variance")]
    ends = _grouped(values, bad, _ENDS).with_columns(
        largest=pl.max_horizontal(pl.col("low").abs(), pl.col("high").abs())
    )
    return rows.join(ends.select(*keys, "largest"), on=keys, how="left", nulls_equal=True)


def _grouped(values: PerUnitValues, bad: Expr, aggregates: Sequence[Aggregate]) -> pl.DataFrame:
    keys = [*values.groups, *([] if values.only else [MEASURE]), SYSTEM]
    with values.engine.errors():
        defined = values.frame.select(*keys, VALUE).filter(~bad)
        rows = values.engine.collect(values.engine.group(defined, keys, aggregates))
    return rows.with_columns(pl.lit(values.only).alias(MEASURE)) if values.only else rows
