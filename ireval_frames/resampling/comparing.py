"""Differences of systems over the same replicates."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np
import polars as pl

from ireval_frames.errors import Argument, Hint, InvalidParameter, NotDefined, UnknownName, nearest
from ireval_frames.resampling.deleting import Deleted, acceleration
from ireval_frames.resampling.draws import Counts
from ireval_frames.resampling.influence import errors_of_differences
from ireval_frames.resampling.intervals import ROUNDING, Method, around, interval, of_infinite, p_of_difference, varies
from ireval_frames.resampling.options import EXTREMES, FEW_CLUSTERS
from ireval_frames.resampling.population import Population

PAIRED: tuple[Method, ...] = ("percentile", "basic", "normal", "bca", "delta")
IDENTICAL = {"ci_low": 0.0, "ci_high": 0.0, "se": 0.0, "p_value": 1.0, "status": "identical"}
DEGENERATE = {"status": "degenerate"}
SCHEMA = {
    "measure": pl.String,
    "n_resampled": pl.Int64,
    "value_baseline": pl.Float64,
    "value": pl.Float64,
    "difference": pl.Float64,
    "ci_low": pl.Float64,
    "ci_high": pl.Float64,
    "se": pl.Float64,
    "bias": pl.Float64,
    "p_value": pl.Float64,
    "method": pl.String,
    "n_resamples": pl.Int64,
    "status": pl.String,
}


def compare_systems(
    population: Population,
    system: str,
    baseline: Any,
    values: Counts,
    draws: Callable[[], Counts],
    method: Method,
    confidence: float,
    without_units: Callable[[], Deleted],
    tried: Callable[[], Counts],
) -> pl.DataFrame:
    """A row per group of systems, measure and pair (`Bootstrap.compare`)."""
    if method not in PAIRED:
        raise InvalidParameter(
            f"method is {method!r}, which is not for differences of systems; allowed: {', '.join(PAIRED)}.",
            Hint("Write ", Argument("method", "percentile", "compare({})"), "."),
        )
    pairs, others = _pairs(population, system, baseline)
    n, m = _n_shared(population, pairs), len(population.measures)
    errors = errors_of_differences(population, pairs) if method == "delta" else None
    rows: list[dict[str, Any]] = []
    for pair, (one, other) in enumerate(pairs):
        for i, measure in enumerate(population.measures):
            theta = _difference(values[other, i], values[one, i])
            row: dict[str, Any] = {"measure": str(measure), "n_resampled": n[pair], "method": method, "n_resamples": 0}
            row |= {"value_baseline": values[one, i], "value": values[other, i], "difference": theta}
            if np.isnan(theta) or n[pair] < 2:
                row["status"] = "undefined" if np.isnan(theta) else "one_unit"
            elif errors is not None:
                se = float(errors.se[pair, i])
                if se <= ROUNDING and varies(_difference(tried()[:, other, i], tried()[:, one, i]) - theta):
                    row["status"] = "not_smooth"
                else:
                    row |= _by_delta(theta, se, float(errors.df[pair]), confidence)
            else:
                d = _difference(draws()[:, other, i], draws()[:, one, i])
                without = without_units().of_difference(one, other) if method == "bca" and np.isfinite(theta) else None
                a = acceleration(without.values[:, i], without.times, without.stratum) if without is not None else 0.0
                row |= _from_replicates(theta, d[~np.isnan(d)], method, confidence, a)
            if row["status"] == "ok" and measure.aggregation in EXTREMES:
                row["status"] = "extreme"
            if row["status"] == "ok" and population.clustered and n[pair] < FEW_CLUSTERS:
                row["status"] = "few_clusters"
            rows.append(row)
    frame = pl.DataFrame(rows, schema=SCHEMA).with_columns(pl.selectors.float().fill_nan(None))
    first, second = (np.repeat([pair[side] for pair in pairs], m) for side in (0, 1))
    names = population.groups[system]
    frame = frame.with_columns(names[first].alias("baseline"), names[second].alias("system"))
    table = pl.concat([population.groups.select(others)[first], frame], how="horizontal") if others else frame
    return table.select(*others, "measure", "baseline", "system", *list(SCHEMA)[1:])


def _difference(one: Any, other: Any) -> Any:
    """A difference; of two infinite values it is undefined."""
    with np.errstate(invalid="ignore"):
        return one - other


def _from_replicates(theta: float, d: Counts, method: Method, confidence: float, a: float) -> dict[str, Any]:
    """The columns of a difference, from its replicates."""
    if len(d) < 2:
        return {"n_resamples": len(d), "status": "undefined"}
    if not np.isfinite([theta, *d]).all():
        # Differences of one sign are as sure as those that are finite.
        p = 2.0 * min(float((d <= 0).mean()), float((d >= 0).mean()))
        p_value = min(1.0, max(p, 2.0 / (1.0 + len(d))))
        return {**of_infinite(d, confidence), "p_value": p_value, "n_resamples": len(d)}
    if max(abs(theta), float(np.abs(d).max())) <= ROUNDING:
        return {**IDENTICAL, "bias": 0.0, "n_resamples": len(d)}
    ends = interval(method, theta, d, confidence, acceleration=a)
    return {
        "ci_low": ends.low,
        "ci_high": ends.high,
        "se": float(d.std(ddof=1)),
        "bias": float(d.mean()) - theta,
        "p_value": p_of_difference(ends.method, theta, d, a),
        "method": ends.method,
        "n_resamples": len(d),
        "status": ends.status,
    }


def _by_delta(theta: float, se: float, df: float, confidence: float) -> dict[str, Any]:
    """The columns of a difference by the delta method."""
    from scipy.special import stdtr

    if np.isnan(se) or df < 1:
        return {"status": "undefined"}
    if se <= ROUNDING:
        # Influences that cancel in all units: the same answers, or a shift that no unit changes.
        return IDENTICAL if abs(theta) <= ROUNDING else {"ci_low": theta, "ci_high": theta, "se": se, **DEGENERATE}
    low, high = around(theta, se, df, confidence)
    p = 2.0 * float(stdtr(df, -abs(theta) / se))
    return {"ci_low": low, "ci_high": high, "se": se, "p_value": p, "status": "ok"}


def _pairs(population: Population, system: str, baseline: Any) -> tuple[list[tuple[int, int]], list[str]]:
    """The groups that are compared, the baseline first, and the columns that both share."""
    if system not in population.by:
        raise NotDefined(
            "There is only one system, so there is nothing to compare.",
            Hint("Give the table a run_id column, or name the column of systems: ", Argument("system", "name")),
        )
    if population.members.unit is None:
        raise NotDefined(
            "The items of each system were drawn separately, so differences cannot be paired.",
            Hint("Name the column of item ids: ", Argument("item", "item_id")),
        )
    names = population.groups[system].to_list()
    if baseline is not None and baseline not in names:
        raise UnknownName(f"There is no system {baseline!r}.", nearest(str(baseline), dict.fromkeys(map(str, names))))
    others = [c for c in population.by if c != system]
    groups: dict[tuple[Any, ...], list[int]] = {}
    for i, key in enumerate(population.groups.select(others).rows() if others else [()] * len(names)):
        groups.setdefault(key, []).append(i)
    pairs = []
    for members in groups.values():
        if baseline is None:
            pairs += list(itertools.combinations(members, 2))
        else:
            pairs += [(b, i) for b in members if names[b] == baseline for i in members if i != b]
    if not pairs:
        raise NotDefined("There is only one system, so there is nothing to compare.", "Add rows of another system.")
    return pairs, others


def _n_shared(population: Population, pairs: list[tuple[int, int]]) -> list[int]:
    """How many units belong to either system of each pair."""
    members = population.members
    assert members.unit is not None  # noqa: S101 - _pairs has checked it
    group = population.group_of_row[members.row]
    units = {g: members.unit[group == g] for g in {g for pair in pairs for g in pair}}
    return [len(np.union1d(units[one], units[other])) for one, other in pairs]
