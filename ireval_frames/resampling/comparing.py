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
from ireval_frames.resampling.intervals import RESAMPLED, ROUNDING, Method, interval, p_of_shift
from ireval_frames.resampling.options import EXTREMES, FEW_CLUSTERS
from ireval_frames.resampling.population import Population

PAIRED: tuple[Method, ...] = tuple(m for m in RESAMPLED if m != "studentised")
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
    "replicates": pl.Int64,
    "status": pl.String,
}


def compared(
    population: Population,
    system: str,
    baseline: Any,
    values: Counts,
    draws: Counts,
    method: Method,
    confidence: float,
    left_out: Callable[[], Deleted],
) -> pl.DataFrame:
    """A row per group of systems, measure and pair (`Bootstrap.compare`)."""
    if method not in PAIRED:
        raise InvalidParameter(
            f"method is {method!r}, which is not for differences of systems; allowed: {', '.join(PAIRED)}.",
            'Write compare(method="percentile").',
        )
    pairs, others = _pairs(population, system, baseline)
    rows: list[dict[str, Any]] = []
    at: list[int] = []
    n = _together(population, pairs)
    for (one, other), together in zip(pairs, n, strict=True):
        for i, measure in enumerate(population.measures):
            told: dict[str, Any] = {"measure": str(measure), "n_resampled": together, "method": method}
            told |= {"value_baseline": values[one, i], "value": values[other, i]}
            d = draws[:, other, i] - draws[:, one, i]
            d = d[~np.isnan(d)]
            told |= {"difference": (theta := float(values[other, i] - values[one, i])), "replicates": len(d)}
            if np.isnan(theta) or len(d) < 2:
                status = "undefined"
            elif together < 2:
                status = "one_unit"
            elif max(abs(theta), float(np.abs(d).max())) <= ROUNDING:
                told |= {"ci_low": 0.0, "ci_high": 0.0, "se": 0.0, "bias": 0.0, "p_value": 1.0}
                status = "identical"
            else:
                a = _acceleration(left_out(), one, other, i) if method == "bca" else 0.0
                found = interval(method, theta, d, confidence, acceleration=a)
                told |= {"ci_low": found.low, "ci_high": found.high, "method": found.method}
                told |= {"se": float(d.std(ddof=1)), "bias": float(d.mean()) - theta, "p_value": p_of_shift(theta, d)}
                status = "extreme" if measure.aggregation in EXTREMES and found.status == "ok" else found.status
                if population.clustered and together < FEW_CLUSTERS and status == "ok":
                    status = "few_clusters"
            rows.append({**told, "status": status})
            at.append(one)
    frame = pl.DataFrame(rows, schema=SCHEMA).with_columns(pl.selectors.float().fill_nan(None))
    names = population.groups[system]
    sides = [
        pl.Series("baseline", names[at]),
        pl.Series("system", names[[p[1] for p in pairs for _ in population.measures]]),
    ]
    shown = pl.concat([population.groups.select(others)[at], frame], how="horizontal") if others else frame
    return shown.with_columns(sides).select(*others, "measure", "baseline", "system", *list(SCHEMA)[1:])


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


def _acceleration(out: Deleted, one: int, other: int, i: int) -> float:
    """Of the difference: a unit that belongs to either system counts once."""
    there = ((out.times[:, one] > 0) | (out.times[:, other] > 0)).astype(np.float64)
    return acceleration(out.values[:, other, i] - out.values[:, one, i], there, out.stratum)
