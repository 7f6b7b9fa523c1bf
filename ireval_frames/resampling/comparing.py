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
from ireval_frames.resampling.intervals import ROUNDING, Method, around, interval, p_of_difference
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


def compared(
    population: Population,
    system: str,
    baseline: Any,
    values: Counts,
    draws: Callable[[], Counts],
    method: Method,
    confidence: float,
    left_out: Callable[[], Deleted],
) -> pl.DataFrame:
    """A row per group of systems, measure and pair (`Bootstrap.compare`)."""
    if method not in PAIRED:
        raise InvalidParameter(
            f"method is {method!r}, which is not for differences of systems; allowed: {', '.join(PAIRED)}.",
            Hint("Write ", Argument("method", "percentile", "compare({})"), "."),
        )
    pairs, others = _pairs(population, system, baseline)
    n, m = _together(population, pairs), len(population.measures)
    errors = errors_of_differences(population, pairs) if method == "delta" else None
    rows: list[dict[str, Any]] = []
    for pair, (one, other) in enumerate(pairs):
        for i, measure in enumerate(population.measures):
            theta = float(values[other, i] - values[one, i])
            told: dict[str, Any] = {"measure": str(measure), "n_resampled": n[pair], "method": method, "n_resamples": 0}
            told |= {"value_baseline": values[one, i], "value": values[other, i], "difference": theta}
            if np.isnan(theta) or n[pair] < 2:
                told["status"] = "undefined" if np.isnan(theta) else "one_unit"
            elif errors is not None:
                told |= _to_first_order(theta, float(errors.se[pair, i]), float(errors.df[pair]), confidence)
            else:
                d = draws()[:, other, i] - draws()[:, one, i]
                out = left_out().of_difference(one, other) if method == "bca" else None
                a = acceleration(out.values[:, i], out.times, out.stratum) if out is not None else 0.0
                told |= _resampled(theta, d[~np.isnan(d)], method, confidence, a)
            if told["status"] == "ok" and measure.aggregation in EXTREMES:
                told["status"] = "extreme"
            if told["status"] == "ok" and population.clustered and n[pair] < FEW_CLUSTERS:
                told["status"] = "few_clusters"
            rows.append(told)
    frame = pl.DataFrame(rows, schema=SCHEMA).with_columns(pl.selectors.float().fill_nan(None))
    first, second = (np.repeat([pair[side] for pair in pairs], m) for side in (0, 1))
    names = population.groups[system]
    frame = frame.with_columns(names[first].alias("baseline"), names[second].alias("system"))
    shown = pl.concat([population.groups.select(others)[first], frame], how="horizontal") if others else frame
    return shown.select(*others, "measure", "baseline", "system", *list(SCHEMA)[1:])


def _resampled(theta: float, d: Counts, method: Method, confidence: float, a: float) -> dict[str, Any]:
    """What the replicates of a difference tell."""
    if len(d) < 2:
        return {"n_resamples": len(d), "status": "undefined"}
    if max(abs(theta), float(np.abs(d).max())) <= ROUNDING:
        return {**IDENTICAL, "bias": 0.0, "n_resamples": len(d)}
    found = interval(method, theta, d, confidence, acceleration=a)
    return {
        "ci_low": found.low,
        "ci_high": found.high,
        "se": float(d.std(ddof=1)),
        "bias": float(d.mean()) - theta,
        "p_value": p_of_difference(found.method, theta, d, a),
        "method": found.method,
        "n_resamples": len(d),
        "status": found.status,
    }


def _to_first_order(theta: float, se: float, df: float, confidence: float) -> dict[str, Any]:
    """What the delta method tells of a difference."""
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
    """The groups that are held against each other, the baseline first, and the columns that both share."""
    if system not in population.by:
        raise NotDefined(
            "There is one system here, and nothing to compare it with.",
            Hint(
                "Give the table a run_id column, or name the one that tells systems apart: ", Argument("system", "name")
            ),
        )
    if population.members.unit is None:
        raise NotDefined(
            "Items of the systems were drawn apart, so that their differences say nothing of pairs.",
            Hint("Name the column of ids that tells which items are the same: ", Argument("item", "item_id")),
        )
    names = population.groups[system].to_list()
    if baseline is not None and baseline not in names:
        raise UnknownName(f"There is no system {baseline!r}.", nearest(str(baseline), dict.fromkeys(map(str, names))))
    others = [c for c in population.by if c != system]
    groups: dict[tuple[Any, ...], list[int]] = {}
    for i, key in enumerate(population.groups.select(others).rows() if others else [()] * len(names)):
        groups.setdefault(key, []).append(i)
    pairs = []
    for here in groups.values():
        if baseline is None:
            pairs += list(itertools.combinations(here, 2))
        else:
            pairs += [(b, i) for b in here if names[b] == baseline for i in here if i != b]
    if not pairs:
        raise NotDefined("There is one system here, and nothing to compare it with.", "Give the table another one.")
    return pairs, others


def _together(population: Population, pairs: list[tuple[int, int]]) -> list[int]:
    """How many units belong to either system of each pair."""
    members = population.members
    assert members.unit is not None  # noqa: S101 - looked at before
    group = population.group_of_row[members.row]
    units = {g: members.unit[group == g] for g in {g for pair in pairs for g in pair}}
    return [len(np.union1d(units[one], units[other])) for one, other in pairs]
