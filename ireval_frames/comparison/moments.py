"""Systems by their moments alone, which one GROUP BY of the engine gives: for values of millions of units."""

from __future__ import annotations

from collections.abc import Iterator

import narwhals.stable.v2 as nw
import numpy as np
import polars as pl

from ireval_frames.comparison.grids import Grid, measures_of, sorted_parts
from ireval_frames.comparison.values import MEASURE, SYSTEM, VALUE, Values, refuse_endless
from ireval_frames.engines.base import Aggregate
from ireval_frames.errors import InvalidValue, rows_to_fix
from ireval_frames.stats.sample import Moments

_AGGREGATES = (
    Aggregate("n", "count", nw.lit(1.0)),
    Aggregate("sum", "sum", nw.col(VALUE)),
    Aggregate("variance", "variance", nw.col(VALUE)),
    Aggregate("low", "min", nw.col(VALUE)),
    Aggregate("high", "max", nw.col(VALUE)),
)


def moment_grids(values: Values) -> Iterator[Grid]:
    """A grid without units per measure and group, which knows the moments of each system.

    Raises:
        InvalidValue: values are infinite, too large or too small to be squared; or measures or systems are null.
    """
    # Values are hardly ever NaN: that they are not is seen in the means, and only then are they looked for.
    rows = _grouped(values, nw.col(VALUE).is_null())
    if rows["sum"].is_nan().any() or rows["high"].is_nan().any():
        rows = _grouped(values, nw.col(VALUE).is_null() | nw.col(VALUE).is_nan())
    largest = pl.max_horizontal(pl.col("low").abs(), pl.col("high").abs()).max()
    refuse_endless(values, rows.group_by(MEASURE).agg(largest.alias("largest")))
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
        largest = np.maximum(of["low"].abs().to_numpy(), of["high"].abs().to_numpy())
        variance = of["variance"].fill_null(np.nan).to_numpy()
        moments = Moments(of["n"].to_numpy(), (of["sum"] / of["n"]).to_numpy(), variance, largest)
        measure = measures[key[0]]
        empty = np.empty((0, of.height))
        types = tuple(part.select(values.groups).dtypes)
        falling = measure in values.falling
        yield Grid(measure, key[1:], falling, of[SYSTEM], pl.DataFrame(), empty, moments=moments, types=types)


def _grouped(values: Values, bad: nw.Expr) -> pl.DataFrame:
    keys = [*values.groups, *([] if values.only else [MEASURE]), SYSTEM]
    with values.engine.errors():
        kept = values.frame.select(*keys, VALUE).filter(~bad)
        rows = values.engine.collect(values.engine.group(kept, keys, _AGGREGATES))
    return rows.with_columns(pl.lit(values.only).alias(MEASURE)) if values.only else rows
