"""Quantiles of variants: the interval lies between neighbouring quantiles, units clustered where rows are many."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import polars as pl
from scipy import special

from ireval_frames.engines.base import Aggregate, Engine
from ireval_frames.engines.frame import Frame
from ireval_frames.errors import InvalidValue, rows_to_fix
from ireval_frames.experiments.metrics import Metric, Quantile
from ireval_frames.experiments.moments import Cells, Moments
from ireval_frames.experiments.options import AnalysisOptions
from ireval_frames.experiments.pairs import compared, table
from ireval_frames.experiments.units import UNIT, VARIANT
from ireval_frames.expr import col, lit, when
from ireval_frames.stats.sample import Array

if TYPE_CHECKING:
    from ireval_frames.experiments.data import ExperimentData

# The distance, in standard errors of their share, of the quantiles that give the standard error.
AWAY = float(special.ndtri(0.975))
# Up to this number of levels the engine computes quantiles; more are looked up by rank.
FEW_LEVELS = 16


def quantile_rows(
    experiment: ExperimentData, metrics: Sequence[Metric], groups: Sequence[str], options: AnalysisOptions
) -> pl.DataFrame:
    """The rows of quantiles.

    A quantile q̂ of n units has the standard error (Q(p + z s) − Q(p − z s)) / 2z, s = √(p (1 − p) / n); of rows s is
    that of the share of rows at or below q̂, a ratio of sums over units.

    Source: Deng et al., KDD 2018, section 4; Woodruff, JASA 1952.
    """
    return pl.concat([_rows(experiment, m, groups, options) for m in metrics if isinstance(m, Quantile)])


def _rows(
    experiment: ExperimentData, metric: Quantile, groups: Sequence[str], options: AnalysisOptions
) -> pl.DataFrame:
    source = experiment.rows
    names = [*(f"g{i}" for i in range(len(groups))), VARIANT]
    clustered = metric.of == "rows" and not source.one_row
    with source.engine.errors():
        if clustered:
            keys = {f"g{i}": source.key(g) for i, g in enumerate(groups)} | {VARIANT: source.shown}
            frame = source.frame.select(
                **keys, **{UNIT: source.key(str(source.unit)), "c0": source.value(metric.terms[0])}
            )
        else:
            frame = source.by_unit(metric.terms, groups)
        frame = frame.filter(~col("c0").is_null())
        first = source.engine.collect(
            source.engine.group(
                frame,
                names,
                [
                    Aggregate("n", "count", lit(1.0)),
                    Aggregate("value", "quantile", col("c0"), at=metric.q),
                    Aggregate("total", "plain_sum", col("c0")),
                ],
            )
        ).sort(names)
    if not np.isfinite(first["total"].to_numpy()).all():
        raise InvalidValue(
            f"Column {metric.column!r} holds NaN or infinite values.",
            rows_to_fix("frame", metric.column, ".is_nan()", ".is_infinite()"),
        )
    n, spread = _share(source.engine, frame, names, first) if clustered else _simple(first, metric)
    variance = _variance(source.engine, frame, names, first, metric, spread)
    return _table(first, names, n, variance, experiment, metric, groups, options)


def _simple(first: pl.DataFrame, metric: Quantile) -> tuple[Array, Array]:
    n = first["n"].to_numpy()
    return n, np.sqrt(metric.q * (1.0 - metric.q) / n)


def _share(engine: Engine, frame: Frame, names: Sequence[str], first: pl.DataFrame) -> tuple[Array, Array]:
    """The units, and the standard error of the share of rows at or below the quantile, units clustered."""
    cut = engine.from_polars(first.select(*names, "value"))
    below = when(col("c0") <= col("value")).then(1.0).otherwise(0.0)
    rows = engine.join(frame, cut, names, "inner").with_columns(below=below)
    aggregates = [Aggregate("y", "plain_sum", col("below")), Aggregate("x", "count", lit(1.0))]
    units = engine.group(rows, [*names, UNIT], aggregates)
    y, x = col("y"), col("x")
    sums = {"s_y": y, "s_x": x, "p_yy": y * y, "p_yx": y * x, "p_xx": x * x}
    with engine.errors():
        rows_of_sums = engine.collect(
            engine.group(
                units,
                names,
                [Aggregate("n", "count", lit(1.0)), *(Aggregate(s, "plain_sum", e) for s, e in sums.items())],
            )
        ).sort(names)
    n, s_y, s_x, yy, yx, xx = (rows_of_sums[c].to_numpy() for c in ("n", *sums))
    ratio = s_y / s_x
    squares = yy - 2.0 * ratio * yx + ratio**2 * xx
    with np.errstate(invalid="ignore", divide="ignore"):
        return n, np.sqrt(np.maximum(squares, 0.0) * n / (n - 1.0)) / s_x


def _variance(
    engine: Engine, frame: Frame, names: Sequence[str], first: pl.DataFrame, metric: Quantile, spread: Array
) -> Array:
    """The variance of each cell's quantile, from the quantiles around it."""
    low = np.clip(metric.q - AWAY * spread, 0.0, 1.0)
    high = np.clip(metric.q + AWAY * spread, 0.0, 1.0)
    out = np.full(first.height, np.nan)
    defined = np.isfinite(spread) & (high > low)
    if not defined.any():
        return out
    ends = _quantiles(engine, frame, names, first, np.stack([low, high], axis=1))
    # Where an end is cut off at 0 or 1, the interval is shorter by that.
    reach = (high - low)[defined] / (2.0 * spread[defined])
    out[defined] = np.square((ends[defined, 1] - ends[defined, 0]) / (2.0 * reach))
    return out


def _quantiles(engine: Engine, frame: Frame, names: Sequence[str], first: pl.DataFrame, levels: Array) -> Array:
    """Quantiles of each cell at levels of its own, cells × levels."""
    known = np.where(np.isfinite(levels), levels, 0.5)
    distinct = np.unique(known)
    if len(distinct) <= FEW_LEVELS:
        aggregates = [Aggregate(f"q{i}", "quantile", col("c0"), at=float(at)) for i, at in enumerate(distinct)]
        with engine.errors():
            quantiles = engine.collect(engine.group(frame, names, aggregates)).sort(names)
        values = quantiles.select(f"q{i}" for i in range(len(distinct))).to_numpy()
        return np.asarray(np.take_along_axis(values, np.searchsorted(distinct, known), axis=1))
    # Every level in every cell would be cells² quantiles: the values at the ranks beside each are looked up instead.
    place = (first["n"].to_numpy() - 1.0)[:, None] * known
    ranks = np.concatenate([np.floor(place), np.ceil(place)], axis=1) + 1.0
    cuts = engine.from_polars(first.select(names).with_columns(*(pl.Series(f"k{i}", k) for i, k in enumerate(ranks.T))))
    counts = engine.group(frame, [*names, "c0"], [Aggregate("n", "count", lit(1.0))])
    running = engine.shared(counts.with_columns(upto=col("n").cum_sum().over(*names, order_by="c0")))
    rows = engine.join(running, cuts, names, "inner")
    reached = [
        Aggregate(f"v{i}", "min", when(col("upto") >= col(f"k{i}")).then(col("c0"))) for i in range(ranks.shape[1])
    ]
    with engine.errors():
        at_ranks = engine.collect(engine.group(rows, names, reached)).sort(names)
    below, above = np.split(at_ranks.select(a.name for a in reached).to_numpy(), 2, axis=1)
    return np.asarray(below + (place - np.floor(place)) * (above - below))


def _table(
    first: pl.DataFrame,
    names: Sequence[str],
    n: Array,
    variance: Array,
    experiment: ExperimentData,
    metric: Quantile,
    groups: Sequence[str],
    options: AnalysisOptions,
) -> pl.DataFrame:
    keys = first.select(names).rename(
        {f"g{i}": g for i, g in enumerate(groups)} | {VARIANT: experiment.variant or VARIANT}
    )
    # A mean of n units with this value and this variance stands for the quantile.
    products = (variance * n * (n - 1.0))[:, None, None]
    moments = Moments(n, first["value"].to_numpy()[:, None], np.where(np.isnan(products), 0.0, products))
    cells = Cells(keys, experiment.variant or VARIANT, n, {metric: moments})
    rows = table(list(compared(cells, [metric], groups, options)), cells, groups, options)
    return rows.with_columns(pl.lit("quantile").alias(name) for name in ("interval", "test"))
