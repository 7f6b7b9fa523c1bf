"""Intervals of measures of ratings without replicates: from the influence of each item, or of clusters of items."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import polars as pl

from ireval_frames.crowds.answers import Whole
from ireval_frames.declaration import Measure
from ireval_frames.errors import Argument, Hint, InvalidValue, NotDefined
from ireval_frames.ratings.coded import Coded, numbered
from ireval_frames.ratings.distances import circular, matrix
from ireval_frames.ratings.inputs import RatingInputs
from ireval_frames.ratings.intervals.influences import INFLUENCES
from ireval_frames.ratings.intervals.variances import Found, icc, limits

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
    """What is known of a value: a row of `SCHEMA` but for the measure and the method.

    Args:
        of: the ratings of a group.
        measure: what the value is of.
        value: NaN where it is undefined.
        inputs: the level of the ratings, and their scale.
        cluster: of each item, which items are one together; else each is alone.
        confidence: of the interval.

    Raises:
        NotDefined: the measure has no interval of this kind.
    """
    given = measure.arguments()
    n = int(of.weight[of.m > 0].sum()) if cluster is None else len(np.unique(cluster[of.m > 0]))
    told: dict[str, Any] = {"value": value, "n_resampled": n}
    if measure.name not in INFLUENCES and measure.name != "ICC" and not measure.name.startswith("BlandAltman"):
        raise NotDefined(
            f"{measure} has no analytic interval.",
            Hint("Resample: ", Argument("method", "percentile", "intervals({})")),
        )
    if np.isnan(value) or n < 2:
        return told | {"status": "undefined" if np.isnan(value) else "one_unit"}
    if measure.name in INFLUENCES:
        if measure.name == "KrippendorffAlpha":
            given["level"] = given["level"] or inputs.level
            if given["distance"] == "own" and inputs.distances is not None:
                given["far"] = matrix(inputs.distances, of.categories)
            elif given["distance"] == "circular":
                given["far"] = matrix(circular(of.categories.to_list(), inputs.dtype), of.categories)
        with np.errstate(invalid="ignore", divide="ignore"):
            found = _around(value, INFLUENCES[measure.name](of, **given), of.weight, n, cluster, confidence)
        low, high = measure.range
        found = Found(max(low, found.low), min(high, found.high), found.se, found.df, found.p_value)
    elif cluster is not None:
        raise NotDefined(
            f"{measure} has no analytic interval by clusters of items.",
            Hint("Resample them: ", Argument("method", "percentile", "intervals({})")),
        )
    elif measure.name == "ICC":
        found = icc(of, given["form"], confidence)
    else:
        side = {"BlandAltmanBias": 0.0, "BlandAltmanLower": -1.0, "BlandAltmanUpper": 1.0}[measure.name]
        found = limits(of, side * given.get("z", 1.0), confidence)
    status = "undefined" if np.isnan(found.low) else "degenerate" if found.se <= ROUNDING else "ok"
    names = ("low", "high", "se", "df", "p_value")
    made = {f"ci_{k}" if k in ("low", "high") else k: getattr(found, k) for k in names}
    return told | made | {"status": status}


def _around(
    value: float,
    influence: np.ndarray[Any, Any],
    weight: np.ndarray[Any, Any],
    n: int,
    cluster: Whole | None,
    level: float,
) -> Found:
    """Student's interval: se² = n/(n − 1)·Σ(U − Ū)², U the influence of an item or the sum of those of a cluster."""
    from scipy.special import stdtr, stdtrit

    if cluster is None:
        total = weight.sum()
        squares = (weight * (influence - (weight * influence).sum() / total) ** 2).sum()
    else:
        summed = np.bincount(cluster, weights=weight * influence)
        here = np.bincount(cluster) > 0
        squares = ((summed[here] - summed[here].mean()) ** 2).sum()
    se, df = float(np.sqrt(squares * n / (n - 1))), n - 1.0
    if np.isnan(se) or se <= ROUNDING:
        return Found(value, value, se, df) if se <= ROUNDING else Found()
    away = float(stdtrit(df, 1 - (1 - level) / 2)) * se
    return Found(value - away, value + away, se, df, 2 * float(stdtr(df, -abs(value) / se)))


def clusters(rows: pl.DataFrame, columns: Sequence[str], of: Coded, names: Mapping[str, str]) -> Whole:
    """Of each item, which cluster it is in.

    Raises:
        InvalidValue: an item is in several.
    """
    found = rows.select("item_id", *columns).unique()
    if found.height > len(of.items):
        item = found.filter(found["item_id"].is_duplicated())["item_id"][0]
        told = ", ".join(names.get(c, c) for c in columns)
        raise InvalidValue(
            f"The ratings of the item {item!r} have different values of {told}; they are drawn together.",
            "Name a column with one value per item.",
        )
    ordered = found.sort("item_id").select(columns)
    return numbered(ordered.select(pl.struct(columns).rank("dense").alias("place"))["place"])[1]
