"""DeLong's standard error of the area under the ROC curve, from the curve's thresholds."""

from __future__ import annotations

import numpy as np
import polars as pl

from ireval_frames.errors import Argument, Hint, NotDefined
from ireval_frames.resampling.draws import Counts
from ireval_frames.resampling.items import Items
from ireval_frames.resampling.population import Population, numbered

# Areas that differ by less are one.
ROUNDING = 1e-9


def delong(population: Population, values: Counts) -> Counts:
    """The standard errors of areas under ROC curves, groups × measures; NaN where a value is no such area.

    se² = s²(V₁₀)/m + s²(V₀₁)/n: V₁₀ of a positive item is the share of the n negative ones with a lower score, V₀₁ of a
    negative one the share of the m positive ones with a higher score, equal scores as ½.  Items of one score have one
    placement, so that the curve's thresholds are all that is read.

    Args:
        population: items that are drawn one by one.
        values: the measures' values.

    Raises:
        NotDefined: items have no scores, or have weights, or are drawn in clusters, within strata or inside units.

    Source: DeLong, DeLong and Clarke-Pearson, Biometrics 44, 1988.
    """
    if not isinstance(population, Items) or not population.plain or population.request.unit:
        raise NotDefined(
            "DeLong's standard error is for items that are drawn one by one, without weights.",
            Hint("Ask for ", Argument("method", "percentile"), "."),
        )
    subject = population.request.subject
    if not hasattr(subject, "curve"):
        raise NotDefined("DeLong's standard error is for items with scores.", "Evaluate ir.Labels with a score.")
    by = [c for c in population.by if c != "run_id"]
    curve = subject.curve("thresholds", by=by, policy=population.request.policy).sort("threshold", descending=True)
    out = np.full_like(values, np.nan)
    if "class_id" in curve.columns:
        return out
    group = numbered(curve, population.by, population.groups)
    for one in range(population.n_groups):
        area, se = _of_curve(curve.filter(pl.Series(group == one)))
        out[one] = np.where(np.abs(values[one] - area) <= ROUNDING, se, np.nan)
    return out


def _of_curve(curve: pl.DataFrame) -> tuple[float, float]:
    """The area and its standard error, of the rows of one curve from the highest threshold down."""
    tp, fp = (curve[c].to_numpy() for c in ("tp", "fp"))
    m, n = tp[-1], fp[-1]
    if m < 2 or n < 2:
        return np.nan, np.nan
    positives, negatives = np.diff(tp, prepend=0.0), np.diff(fp, prepend=0.0)
    below, above = (n - fp + negatives / 2) / n, (tp - positives / 2) / m
    area = float((positives * below).sum() / m)
    variance = sum(
        (times * (placement - area) ** 2).sum() / (size - 1) / size
        for times, placement, size in ((positives, below, m), (negatives, above, n))
    )
    return area, float(np.sqrt(variance))
