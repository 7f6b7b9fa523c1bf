"""A/B tests from their definitions: loops over rows of units."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

Row = Mapping[str, Any]
Vector = tuple[float, ...]


def per_unit(rows: Iterable[Row], unit: str | None, columns: Sequence[str | None]) -> list[tuple[Row, Vector]]:
    """Each unit's first row, and its sums; None counts rows.  Units that lack a value are left out."""
    units: dict[Any, list[Row]] = {}
    for i, row in enumerate(rows):
        units.setdefault(i if unit is None else (row["variant"], row[unit]), []).append(row)
    out = []
    for members in units.values():
        sums = []
        for column in columns:
            values = [1.0 if column is None else row[column] for row in members]
            known = [float(v) for v in values if v is not None]
            sums.append(sum(known) if known else None)
        if None not in sums:
            out.append((members[0], tuple(s for s in sums if s is not None)))
    return out


def mean(values: Sequence[float]) -> float:
    return math.fsum(values) / len(values)


def covariance(one: Sequence[float], other: Sequence[float]) -> float:
    a, b = mean(one), mean(other)
    return math.fsum((x - a) * (y - b) for x, y in zip(one, other, strict=True)) / (len(one) - 1)


def value(means: Vector, *, ratio: bool) -> float:
    return means[0] / means[1] if ratio else means[0]


def influences(units: Sequence[Vector], *, ratio: bool, theta: float = 0.0, about: Vector | None = None) -> list[float]:
    """How far each unit moves the value, times n: the delta method unit by unit."""
    k = 2 if ratio else 1
    means = about or tuple(mean([u[i] for u in units]) for i in range(len(units[0])))

    def part(u: Vector, m: Vector) -> float:
        return (u[0] - m[0] / m[1] * u[1]) / m[1] if ratio else u[0] - m[0]

    return [part(u[:k], means[:k]) - (theta * part(u[k:], means[k:]) if theta else 0.0) for u in units]


def welch(
    baseline: Sequence[Vector], variant: Sequence[Vector], *, ratio: bool, adjusted: bool = False
) -> tuple[float, float, float, float, float]:
    """Both values, the standard error, t and Welch's degrees of freedom; θ is that within the variants."""
    k, theta, centre = (2 if ratio else 1), 0.0, 0.0
    if adjusted:
        everyone = [*baseline, *variant]
        pooled = tuple(mean([u[i] for u in everyone]) for i in range(len(everyone[0])))
        centre = value(pooled[k:], ratio=ratio)
        above = below = 0.0
        for side in (baseline, variant):
            now = influences([u[:k] for u in side], ratio=ratio, about=pooled[:k])
            before = influences([u[k:] for u in side], ratio=ratio, about=pooled[k:])
            above += covariance(now, before) * (len(side) - 1)
            below += covariance(before, before) * (len(side) - 1)
        theta = above / below
    values, squares, parts = [], [], []
    for side in (baseline, variant):
        means = tuple(mean([u[i] for u in side]) for i in range(len(side[0])))
        own = value(means[:k], ratio=ratio)
        values.append(own - theta * (value(means[k:], ratio=ratio) - centre) if adjusted else own)
        moved = influences(side, ratio=ratio, theta=theta)
        squares.append(covariance(moved, moved) / len(side))
        parts.append(squares[-1] ** 2 / (len(side) - 1))
    se = math.sqrt(sum(squares))
    return values[0], values[1], se, (values[1] - values[0]) / se, sum(squares) ** 2 / sum(parts)


def stratified(
    units: Sequence[tuple[Row, Vector]], stratum: str, weights: Mapping[Any, float], *, ratio: bool
) -> tuple[float, float]:
    """The post-stratified value of a variant, and its variance."""
    strata = {s: [u for row, u in units if row[stratum] == s] for s in weights}
    k = 2 if ratio else 1
    means = tuple(sum(w * mean([u[i] for u in strata[s]]) for s, w in weights.items()) for i in range(k))
    variance = 0.0
    for s, w in weights.items():
        moved = influences(strata[s], ratio=ratio, about=means)
        variance += w**2 * covariance(moved, moved) / len(moved)
    return value(means, ratio=ratio), variance


def trend(
    rows: Sequence[Row], sides: tuple[str, str], column: str, below: str, weights: Mapping[float, float]
) -> tuple[float, float]:
    """The weighted slope of R′_d − R_d over the days d, and its variance over units, by taking each unit's part."""
    days = list(weights)
    centre = sum(weights[d] * d for d in days) / sum(weights.values())
    spread = sum(weights[d] * (d - centre) ** 2 for d in days)
    parts = {d: weights[d] * (d - centre) / spread for d in days}
    slope = variance = 0.0
    for sign, side in zip((-1.0, 1.0), sides, strict=True):
        own = [r for r in rows if r["variant"] == side]
        moved: dict[Any, float] = {}
        for d in days:
            here = [r for r in own if r["day"] == d]
            total = sum(r[below] for r in here)
            ratio = sum(r[column] for r in here) / total
            slope += sign * parts[d] * ratio
            for r in here:
                moved[r["user_id"]] = moved.get(r["user_id"], 0.0) + parts[d] * (r[column] - ratio * r[below]) / total
        n = len(moved)
        variance += sum(m * m for m in moved.values()) * n / (n - 1)
    return slope, variance
