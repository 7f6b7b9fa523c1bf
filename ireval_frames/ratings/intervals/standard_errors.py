"""Analytic intervals of measures of ratings, from the influence of each item or of clusters of items."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl

from ireval_frames.crowds.answers import Array, Whole
from ireval_frames.declaration import Measure
from ireval_frames.errors import Argument, Hint, InvalidValue, NotDefined
from ireval_frames.ratings.coded import Coded, numbered
from ireval_frames.ratings.distances import circular, matrix
from ireval_frames.ratings.inputs import RatingInputs
from ireval_frames.ratings.intervals.influences import INFLUENCES
from ireval_frames.ratings.intervals.variances import Estimate, icc, limits

# Standard errors below this are rounding.
ROUNDING = 1e-12
SCHEMA = {
    "measure": pl.String,
    "value": pl.Float64,
    "ci_low": pl.Float64,
    "ci_high": pl.Float64,
    "se": pl.Float64,
    "df": pl.Float64,
    "p_value": pl.Float64,
    "n_resampled": pl.Int64,
    "method": pl.String,
    "status": pl.String,
}


def interval(
    of: Coded, measure: Measure, value: float, inputs: RatingInputs, cluster: Whole | None, confidence: float
) -> dict[str, Any]:
    """A row of `SCHEMA` without the measure and the method.

    Args:
        of: the ratings of a group.
        measure: the measure.
        value: its value, NaN where it is undefined.
        inputs: the level of the ratings, and their scale.
        cluster: the cluster of each item, if items are drawn in clusters.
        confidence: of the interval.

    Raises:
        NotDefined: the measure has no analytic interval.
    """
    arguments = measure.arguments()
    n = int(of.weight[of.m > 0].sum()) if cluster is None else len(np.unique(cluster[of.m > 0]))
    row: dict[str, Any] = {"value": value, "n_resampled": n}
    if measure.name not in INFLUENCES and measure.name != "ICC" and not measure.name.startswith("BlandAltman"):
        raise NotDefined(
            f"{measure} has no analytic interval.",
            Hint("Resample: ", Argument("method", "percentile", "intervals({})")),
        )
    if np.isnan(value) or n < 2:
        return row | {"status": "undefined" if np.isnan(value) else "one_unit"}
    if measure.name in INFLUENCES:
        if measure.name == "KrippendorffAlpha":
            arguments["level"] = arguments["level"] or inputs.level
            if arguments["distance"] == "own" and inputs.distances is not None:
                arguments["far"] = matrix(inputs.distances, of.categories)
            elif arguments["distance"] == "circular":
                arguments["far"] = matrix(circular(of.categories.to_list(), inputs.dtype), of.categories)
        with np.errstate(invalid="ignore", divide="ignore"):
            estimate = _student(value, INFLUENCES[measure.name](of, **arguments), of.weight, n, cluster, confidence)
        low, high = measure.range
        estimate = replace(estimate, low=max(low, estimate.low), high=min(high, estimate.high))
    elif cluster is not None:
        raise NotDefined(
            f"{measure} has no analytic interval by clusters of items.",
            Hint("Resample them: ", Argument("method", "percentile", "intervals({})")),
        )
    elif measure.name == "ICC":
        estimate = icc(of, arguments["form"], confidence)
    else:
        side = {"BlandAltmanBias": 0.0, "BlandAltmanLower": -1.0, "BlandAltmanUpper": 1.0}[measure.name]
        estimate = limits(of, side * arguments.get("z", 1.0), confidence)
    status = "undefined" if np.isnan(estimate.low) else "degenerate" if estimate.se <= ROUNDING else "ok"
    names = {"ci_low": "low", "ci_high": "high", "se": "se", "df": "df", "p_value": "p_value"}
    return row | {column: getattr(estimate, name) for column, name in names.items()} | {"status": status}


def _student(
    value: float,
    influence: Array,
    weight: Array,
    n: int,
    cluster: Whole | None,
    level: float,
) -> Estimate:
    """Student's interval: se² = n/(n − 1)·Σ(U − Ū)², U the influence of an item or the sum of those of a cluster."""
    from scipy.special import stdtr, stdtrit

    if cluster is None:
        total = weight.sum()
        squares = (weight * (influence - (weight * influence).sum() / total) ** 2).sum()
    else:
        summed = np.bincount(cluster, weights=weight * influence)
        summed = summed[np.bincount(cluster) > 0]
        squares = ((summed - summed.mean()) ** 2).sum()
    se, df = float(np.sqrt(squares * n / (n - 1))), n - 1.0
    if np.isnan(se) or se <= ROUNDING:
        return Estimate(value, value, se, df) if se <= ROUNDING else Estimate()
    half = float(stdtrit(df, 1 - (1 - level) / 2)) * se
    return Estimate(value - half, value + half, se, df, 2 * float(stdtr(df, -abs(value) / se)))


def clusters_of_items(rows: pl.DataFrame, columns: Sequence[str], of: Coded, names: Mapping[str, str]) -> Whole:
    """The cluster of each item.

    Raises:
        InvalidValue: an item is in several.
    """
    pairs = rows.select("item_id", *columns).unique()
    if pairs.height > len(of.items):
        item = pairs.filter(pairs["item_id"].is_duplicated())["item_id"][0]
        columns_ = ", ".join(names.get(c, c) for c in columns)
        raise InvalidValue(
            f"The ratings of the item {item!r} have different values of {columns_}; they are drawn together.",
            "Name a column with one value per item.",
        )
    ordered = pairs.sort("item_id").select(columns)
    return numbered(ordered.select(pl.struct(columns).rank("dense").alias("place"))["place"])[1]
