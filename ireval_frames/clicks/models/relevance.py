"""Judgments from a click model: relevance with counts and intervals, as numbers or grades."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import polars as pl

from ireval_frames.clicks.models.counts.keys import Keys
from ireval_frames.clicks.models.declared import Array, ClickModel, Estimate, Estimates
from ireval_frames.errors import Argument, Hint, InvalidParameter, NotDefined
from ireval_frames.parameters import number


def relevance_table(
    model: ClickModel[Any],
    keys: Keys,
    estimates: Estimates,
    prior: tuple[float, float],
    confidence: float,
    bounds: tuple[Array, Array] | None,
) -> pl.DataFrame:
    """[by …] query_id doc_id relevance n low high.

    Args:
        model: the model.
        keys: the pairs.
        estimates: the parameters.
        prior: of the fit.
        confidence: of the intervals.
        bounds: the interval, where it was resampled.

    Raises:
        NotDefined: the model has no relevance.
    """
    if not model.relevant:
        raise NotDefined(
            f"{model.name} has no parameter of documents apart from positions, so it has no relevance.",
            "Fit a model that has: DCTR, CM, DCM, SDBN, PBM, UBM, DBN or CCM.",
        )
    parts = [estimates[name] for name in model.relevant]
    value = np.prod([p.value for p in parts], axis=0)
    # The interval of a product whose factors were estimated together needs resamples or their covariance.
    unknown = not model.closed and len(parts) > 1
    if bounds is None:
        bounds = (_none(parts), _none(parts)) if unknown else _bounds(parts, prior, confidence)
    low, high = bounds
    return keys.pairs.with_columns(
        relevance=pl.Series(value).fill_nan(None),
        n=pl.Series(parts[0].n),
        low=pl.Series(low).fill_nan(None),
        high=pl.Series(high).fill_nan(None),
    )


def _none(parts: Sequence[Estimate]) -> Array:
    return np.full(parts[0].value.shape, np.nan)


def _bounds(parts: Sequence[Estimate], prior: tuple[float, float], confidence: float) -> tuple[Array, Array]:
    """The interval of one parameter; of the product of two that of the Beta distribution of its mean and variance."""
    ends = [(p.low, p.high) for p in parts if p.low is not None and p.high is not None]
    if len(ends) < len(parts):
        return _none(parts), _none(parts)
    if len(ends) == 1:
        return ends[0]
    from scipy import special

    a, b = prior if prior != (0.0, 0.0) else (0.5, 0.5)
    mean, square = np.array(1.0), np.array(1.0)
    for part in parts:
        hits, trials = part.hits + a, part.n + a + b
        mean = mean * hits / trials
        square = square * hits * (hits + 1.0) / (trials * (trials + 1.0))
    with np.errstate(invalid="ignore", divide="ignore"):
        size = mean * (1.0 - mean) / (square - mean * mean) - 1.0
        tail = (1.0 - confidence) / 2.0
        low = special.betaincinv(mean * size, (1.0 - mean) * size, tail)
        high = special.betaincinv(mean * size, (1.0 - mean) * size, 1.0 - tail)
    value = np.prod([p.value for p in parts], axis=0)
    known = ~np.isnan(value)
    return np.where(known, np.minimum(low, value), np.nan), np.where(known, np.maximum(high, value), np.nan)


def judgment_table(
    rows: pl.DataFrame, by: Sequence[str], grades: int | Sequence[float] | None, min_n: float
) -> pl.DataFrame:
    """[by …] query_id doc_id relevance n low high: what `ir.evaluate` takes for judgments.

    Args:
        rows: what `relevance_table` gives.
        by: the columns of groups.
        grades: None for relevance as it is; a number k for the grades 0 … k − 1 by quantiles of all values; or
            ascending thresholds t_1 …, whose number that a relevance reaches is its grade.
        min_n: documents with fewer impressions get no judgment.

    Raises:
        InvalidParameter: the grades or the number is not allowed.
    """
    number(5, low=0.0).check("min_n", min_n)
    known = rows.filter(pl.col("relevance").is_not_null() & (pl.col("n") >= min_n))
    if grades is None:
        return known
    thresholds = _thresholds(known["relevance"], grades)
    graded = sum(((pl.col("relevance") >= t).cast(pl.Int64) for t in thresholds), pl.lit(0, dtype=pl.Int64))
    columns = [*by, "query_id", "doc_id", "relevance", "n", "low", "high"]
    return known.with_columns(graded.alias("relevance")).select(columns)


def _thresholds(values: pl.Series, grades: Any) -> list[float]:
    if isinstance(grades, int) and not isinstance(grades, bool) and grades >= 2:
        if values.is_empty():
            return []
        # Equal thresholds would leave grades empty.
        cuts = [values.quantile(i / grades, interpolation="lower") for i in range(1, grades)]
        return sorted({float(c) for c in cuts if c is not None})
    valid = isinstance(grades, list | tuple) and all(
        isinstance(t, int | float) and not isinstance(t, bool) and not math.isnan(t) for t in grades
    )
    if not valid or not grades or any(a >= b for a, b in itertools.pairwise(grades)):
        raise InvalidParameter(
            f"grades is {grades!r}; allowed: a number of grades from 2 on, or ascending thresholds.",
            Hint("Write ", Argument("grades", 4), ", or ", Argument("grades", [0.1, 0.3, 0.5]), "."),
        )
    return [float(t) for t in grades]
