"""Differences by day, and their trend: units come back, so days are not independent of each other."""

from __future__ import annotations

import copy
import datetime as dt
from collections.abc import Sequence
from typing import Any

import numpy as np
import polars as pl

from ireval_frames.engines.base import Aggregate
from ireval_frames.engines.frame import Frame
from ireval_frames.errors import Argument, Hint, NotDefined, WrongType
from ireval_frames.experiments.analysis import Analysis
from ireval_frames.experiments.data import ExperimentData
from ireval_frames.experiments.metrics import Capped, Metric, Quantile, Ratio
from ireval_frames.experiments.options import AnalysisOptions
from ireval_frames.experiments.units import NAME, UNIT, VARIANT, Rows
from ireval_frames.expr import col, lit
from ireval_frames.stats.distributions.tails import p_of_z, z_interval
from ireval_frames.stats.sample import Array


def daily(of: ExperimentData) -> tuple[ExperimentData, str]:
    """The same experiment, whose units count on each of their days; and the column of days.

    Raises:
        NotDefined: there is none.
    """
    if of.time is None:
        raise NotDefined(
            "The experiment has no column of days.", Hint("Name it: ", Argument("time", "day", "ir.Experiment(…, {})"))
        )
    rows = copy.copy(of.rows)
    rows.time = None
    return ExperimentData(rows, of.variant, of.unit, baseline=of.baseline), of.time


def by_day(of: ExperimentData, metrics: Sequence[Metric], options: AnalysisOptions) -> pl.DataFrame:
    """The table of `Experiment.over_time`."""
    days, time = daily(of)
    return Analysis(days, tuple(metrics), (time,), options).table()


def trend(of: ExperimentData, metrics: Sequence[Metric], options: AnalysisOptions) -> pl.DataFrame:
    """The table of `Experiment.trend`."""
    days, time = daily(of)
    rows = []
    for metric in metrics:
        if isinstance(metric, Quantile | Capped) or metric.adjusted:
            raise NotDefined(
                f"There is no trend of {metric}.", "Take Mean(column), Proportion(column) or Ratio(clicks, pages)."
            )
        table = by_day(of, [metric], options)
        for (baseline, variant), part in table.group_by("baseline", "variant", maintain_order=True):
            slope = _slope(days, time, metric, part, (baseline, variant), options)
            rows.append({"metric": metric.label, "baseline": baseline, "variant": variant, **slope})
    return pl.DataFrame(rows, infer_schema_length=None).with_columns(pl.selectors.float().fill_nan(None))


def _slope(
    of: ExperimentData,
    time: str,
    metric: Metric,
    days: pl.DataFrame,
    variants: tuple[Any, Any],
    options: AnalysisOptions,
) -> dict[str, Any]:
    """The slope of the differences over the days, weighted by 1 / se², and its standard error over units."""
    tested = days.filter((pl.col("se") > 0) & pl.col(time).is_not_null()).select(time, "difference", "se")
    at = days_of(tested[time])
    nothing = dict.fromkeys(("slope", "se", "ci_low", "ci_high", "statistic", "p_value"), float("nan"))
    if len(at) < 2:
        return {"n_days": len(at), **nothing, "status": "too_few"}
    weight = 1.0 / tested["se"].to_numpy() ** 2
    off = at - np.average(at, weights=weight)
    parts = weight * off / (weight * off**2).sum()
    slope = float(parts @ tested["difference"].to_numpy())
    variance = sum(
        _variance(of, metric, tested.select(time).with_columns(c=pl.Series(parts)), side) for side in variants
    )
    se = float(np.sqrt(variance))
    if not se > 0:
        return {"n_days": len(at), **nothing, "slope": slope, "status": "constant_shift"}
    low, high = z_interval(np.array([slope]), np.array([se]), options.tests)
    z = slope / se
    return {
        "n_days": len(at),
        "slope": slope,
        "se": se,
        "ci_low": float(low[0]),
        "ci_high": float(high[0]),
        "statistic": z,
        "p_value": float(p_of_z(np.array([z]), "two-sided")[0]),
        "status": "ok",
    }


def _variance(of: ExperimentData, metric: Metric, parts: pl.DataFrame, side: Any) -> float:
    """The variance of Σ c_d R_d of a variant: over its units, that of Σ_d c_d (y − R_d x) / Σ x_d."""
    source = of.rows
    frame, engine = _unit_days(source, metric, parts.columns[0]), source.engine
    frame = frame.filter(col(VARIANT) == side)
    y, x = col("c0"), col("c1")
    with engine.errors():
        sums = engine.collect(
            engine.group(frame, ["g0"], [Aggregate("y", "plain_sum", y), Aggregate("x", "plain_sum", x)])
        )
        ratios = sums.join(parts.rename({parts.columns[0]: "g0"}), on="g0").with_columns(
            ratio=pl.col("y") / pl.col("x")
        )
        days = engine.from_polars(ratios.select("g0", "c", "ratio", total="x"))
        rows = engine.join(frame, days, ["g0"], "inner")
        deviations = rows.select(UNIT, deviation=col("c") * (y - col("ratio") * x) / col("total"))
        units = engine.group(deviations, [UNIT], [Aggregate("deviation", "plain_sum", col("deviation"))])
        squares = engine.numbers(
            engine.group(
                units,
                (),
                [
                    Aggregate("n", "count", lit(1.0)),
                    Aggregate("s", "plain_sum", col("deviation") * col("deviation")),
                ],
            )
        )
    n = float(squares["n"])
    return float(squares["s"]) * n / (n - 1.0) if n > 1 else float("nan")


def _unit_days(source: Rows, metric: Metric, time: str) -> Frame:
    """A row per unit and day: numerator and denominator, which is 1 for a mean."""
    if source.unit is None:
        raise NotDefined(
            "A trend needs the ids of units that come back.", Hint("Name them: ", Argument("unit", "user_id"))
        )
    terms = list(metric.terms[:2]) if isinstance(metric, Ratio) else list(metric.terms[:1])
    frame = source.by_unit(terms, [time], unit=True)
    frame = frame.filter(~col("c0").is_null())
    return frame if len(terms) == 2 else frame.with_columns(c1=lit(1.0))


def days_of(times: pl.Series) -> Array:
    """Days since the first one: of dates and times, or of numbers as they are; text may be either, as in files.

    Raises:
        WrongType: they are neither.
    """
    if times.dtype == pl.String:
        dates = times.str.slice(0, 10).str.to_date("%Y-%m-%d", strict=False)
        for parsed in (times.cast(pl.Float64, strict=False), dates):
            if not parsed.null_count():
                return days_of(parsed)
    if times.dtype.is_numeric():
        numbers = times.cast(pl.Float64).to_numpy()
    elif times.dtype in (pl.Date, pl.Datetime):
        numbers = (times.cast(pl.Datetime("us")).to_physical() / dt.timedelta(days=1).total_seconds() / 1e6).to_numpy()
    else:
        raise WrongType(
            f"Column {times.name!r} of the {NAME} table is {times.dtype}; days are dates, times or numbers.",
            f'Convert it: frame.with_columns(pl.col("{times.name}").str.to_date())',
        )
    return numbers - numbers.min() if len(numbers) else numbers
