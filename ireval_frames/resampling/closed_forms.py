"""Intervals in closed form: Wilson's of shares of items, DeLong's of areas under ROC curves."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import polars as pl

from ireval_frames.errors import Argument, Hint, NotDefined
from ireval_frames.resampling.deleting import positions
from ireval_frames.resampling.draws import Counts, ranges
from ireval_frames.resampling.items import Items
from ireval_frames.resampling.population import Population, numbered

# Areas that differ by less are equal.
ROUNDING = 1e-9


def delong(population: Population, values: Counts) -> Counts:
    """The standard errors of areas under ROC curves, groups × measures; NaN if a value is no such area.

    se² = s²(V₁₀)/m + s²(V₀₁)/n: V₁₀ of a positive item is the share of the n negative ones with a lower score, V₀₁ of a
    negative one the share of the m positive ones with a higher score, equal scores as ½.  Items of one score have one
    placement, so only the curve's thresholds are read.

    Args:
        population: of items that are drawn one by one.
        values: the measures' values.

    Raises:
        NotDefined: items have no scores, or have weights, or are drawn in clusters, within strata or inside units.

    Source: DeLong, DeLong and Clarke-Pearson, Biometrics 44, 1988.
    """
    if not isinstance(population, Items) or not population.plain or population.request.unit:
        raise NotDefined(
            "DeLong's standard error is for items that are drawn one by one, without weights.",
            Hint("Write ", Argument("method", "percentile"), "."),
        )
    subject = population.request.subject
    if not hasattr(subject, "curve"):
        raise NotDefined("DeLong's standard error is for items with scores.", "Resample ir.Labels with a score column.")
    by = [c for c in population.by if c != "run_id"]
    curve = subject.curve("thresholds", by=by, policy=population.request.policy).sort("threshold", descending=True)
    out = np.full_like(values, np.nan)
    if "class_id" in curve.columns:
        return out
    group = numbered(curve, population.by, population.groups)
    for g in range(population.n_groups):
        area, se = _area(curve.filter(pl.Series(group == g)))
        out[g] = np.where(np.abs(values[g] - area) <= ROUNDING, se, np.nan)
    return out


def _area(curve: pl.DataFrame) -> tuple[float, float]:
    """The area and its standard error, of the rows of one curve from the highest threshold down."""
    tp, fp = (curve[c].to_numpy() for c in ("tp", "fp"))
    m, n = tp[-1], fp[-1]
    if m < 2 or n < 2:
        return np.nan, np.nan
    positives, negatives = np.diff(tp, prepend=0.0), np.diff(fp, prepend=0.0)
    below, above = (n - fp + negatives / 2) / n, (tp - positives / 2) / m
    area = float((positives * below).sum() / m)
    variance = sum(
        (n_items * (placement - area) ** 2).sum() / (size - 1) / size
        for n_items, placement, size in ((positives, below, m), (negatives, above, n))
    )
    return area, float(np.sqrt(variance))


def shares(population: Population, values: Counts) -> tuple[Counts, Counts]:
    """The numerators and denominators of shares of items, groups × measures; NaN if a measure is no share of items.

    The value of a share of items for a single item is 1, 0 or undefined, and its value for all items is the mean of
    these.

    Args:
        population: of items that are drawn one by one.
        values: the measures' values.
    """
    if not isinstance(population, Items) or not population.plain:
        raise NotDefined(
            "Wilson's interval is for items that are drawn one by one, without weights.",
            Hint("Write ", Argument("method", "delta"), "."),
        )
    population = population.bare()
    position, n = positions(population)
    total, rows = population.members.total, np.arange(len(position))

    def counts() -> Iterator[Counts]:
        for first, last in ranges(n, population.n_at_once):
            at = rows[(position >= first) & (position < last)]
            some = np.zeros((last - first, len(position)))
            some[position[at] - first, at] = 1.0
            yield some

    single = population.values(counts())[position, population.group_of_row]
    binary = np.isnan(single) | (single == 0) | (single == 1)
    hits, of = np.zeros_like(values), np.zeros_like(values)
    for group in range(population.n_groups):
        at = population.group_of_row == group
        hits[group] = (np.nan_to_num(single[at]) * total[at][:, None]).sum(axis=0)
        of[group] = (~np.isnan(single[at]) * total[at][:, None]).sum(axis=0)
        no_share = ~binary[at].all(axis=0) | (of[group] == 0)
        no_share |= np.abs(hits[group] - values[group] * of[group]) > 1e-9 * np.maximum(of[group], 1)
        hits[group, no_share] = np.nan
    return hits, of
