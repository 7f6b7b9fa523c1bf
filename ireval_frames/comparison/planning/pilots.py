"""The spread of a comparison, estimated from a pilot."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ireval_frames.comparison.comparing import compare
from ireval_frames.comparison.comparison import grids_of
from ireval_frames.comparison.rows import pairs_of
from ireval_frames.comparison.values.grids import Grid
from ireval_frames.errors import InvalidParameter, NotDefined
from ireval_frames.parameters import choice, number
from ireval_frames.stats.joint import residuals
from ireval_frames.stats.means.variance_components import analysis_of_variance
from ireval_frames.stats.moments import difference_moments, row_moments
from ireval_frames.stats.rounding import flat_columns, no_residuals
from ireval_frames.stats.sample import Integers, Sample

ANOVA, ONE_WAY, MCNEMAR, INTERVAL = "anova", "one-way", "mcnemar", "interval"
EQUIVALENCE, NON_INFERIORITY = "equivalence", "non-inferiority"
# The data whose spread counts, by test.
TESTS = {
    "t": "differences",
    "wilcoxon": "differences",
    "sign": "differences",
    INTERVAL: "differences",
    EQUIVALENCE: "differences",
    NON_INFERIORITY: "differences",
    ANOVA: "residuals of units × systems",
    ONE_WAY: "values within a system",
    MCNEMAR: "items",
}
MEASURE, PAIR = "measure", "pair"
# Of spreads and shares.
POSITIVE = number(0.1, low=0.0, open_ends=True)


@dataclass(frozen=True)
class Spread:
    """How much values vary.

    Attributes:
        keys: the measure, the group and the pair that it is of.
        deviation: the standard deviation of what TESTS names; NaN where `discordant` is the spread.
        discordant: of values 0 and 1, the share of units in which two systems differ; else NaN.
        systems: how many will be compared; 0 where it is irrelevant.
        n: units of the pilot; 0 for none.
        status: ok, too_few (units) or no_variance.
    """

    keys: Mapping[str, Any] = field(default_factory=dict)
    deviation: float = math.nan
    discordant: float = math.nan
    systems: int = 0
    n: int = 0
    status: str = "ok"


def spreads(
    pilot: Any,
    test: str,
    numbers: Mapping[str, Any],
    *,
    per: str,
    options: Mapping[str, Any],
) -> list[Spread]:
    """The spreads of a pilot, or the one from numbers.

    Args:
        pilot: values per unit, or none.
        test: one of TESTS.
        numbers: deviation, discordant and systems, each a number or none.
        per: "measure" or "pair".
        options: of `compare`, for the pilot.

    Raises:
        UnknownName: there is no such test, or `per` is unknown.
        InvalidParameter: there is neither a pilot nor numbers, or both; or values for McNemar's test are not 0 and 1.
    """
    choice(*TESTS).check("test", test)
    choice(MEASURE, PAIR).check("per", per)
    if per == PAIR and test in (ANOVA, ONE_WAY):
        raise NotDefined(f"{test} is of all systems, not of pairs.", f"Write per={MEASURE!r}.")
    if pilot is None:
        return [_from_numbers(test, numbers)]
    for name in ("deviation", "discordant"):
        if numbers[name] is not None:
            raise InvalidParameter(f"{name} is given, and a pilot that tells it.", f"Leave out the pilot, or {name}=.")
    if options.get("baseline") is not None and per == MEASURE:
        raise InvalidParameter("A baseline is of pairs.", f"Write per={PAIR!r}.")
    comparison = compare(pilot, **{"missing": "intersect", **options})
    by, system = comparison.values.by, comparison.values.system or "system"
    out: list[Spread] = []
    for grid in grids_of(comparison):
        pairs = pairs_of(grid, comparison.options.baseline, system)
        if per == PAIR:
            out += _of_pairs(grid, test, grid.keys(by), pairs)
        else:
            out.append(_of_measure(grid, test, grid.keys(by), pairs, numbers["systems"]))
    return out


def _from_numbers(test: str, numbers: Mapping[str, Any]) -> Spread:
    width = "discordant" if test == MCNEMAR else "deviation"
    several = test in (ANOVA, ONE_WAY)
    for name in (width, *(["systems"] if several else [])):
        value = numbers[name]
        if value is None:
            raise InvalidParameter(
                f"Neither a pilot nor {name} is given.", f"Pass values per unit, or write {name}={_EXAMPLES[name]}."
            )
        POSITIVE.check(name, value)
    spread_of = {"deviation": math.nan, "discordant": math.nan, width: float(numbers[width])}
    return Spread({}, spread_of["deviation"], spread_of["discordant"], numbers["systems"] if several else 0)


_EXAMPLES = {"deviation": 0.2, "discordant": 0.2, "systems": 10}


def _of_pairs(grid: Grid, test: str, keys: Mapping[str, Any], pairs: Integers) -> Iterator[Spread]:
    moments = difference_moments(Sample(grid.values, pairs))
    for i, (one, other) in enumerate(pairs):
        of = {**keys, "baseline": grid.systems[int(one)], "system": grid.systems[int(other)]}
        n = int(moments.n[i])
        if test == MCNEMAR:
            yield _of_items(of, [_differing(grid, one, other)], n)
        else:
            status = {"ok": "ok", "identical": "no_variance", "constant_shift": "no_variance"}
            yield Spread(
                of, float(np.sqrt(moments.variance[i])), n=n, status=status.get(str(moments.status[i]), "too_few")
            )


def _of_measure(grid: Grid, test: str, keys: Mapping[str, Any], pairs: Integers, systems: int | None) -> Spread:
    """One spread for all pairs."""
    values = grid.whole().values
    n, m = values.shape
    if test == MCNEMAR:
        return _of_items(keys, [_differing(grid.whole(), one, other) for one, other in pairs], n)
    n_systems = systems or m if test in (ANOVA, ONE_WAY) else 0
    if n < 2:
        return Spread(keys, systems=n_systems, n=n, status="too_few")
    if test == ONE_WAY:
        variance = float(row_moments(np.ascontiguousarray(values.T))[2].mean())
    else:
        # The mean variance of the differences of two systems is twice that of the residuals.
        error = analysis_of_variance(values)["residual"].mean_square
        variance = error if test == ANOVA else 2.0 * error
    deviation = float(np.sqrt(variance))
    flat = bool(flat_columns(values).all()) if test == ONE_WAY else no_residuals(values, residuals(values))
    return Spread(keys, deviation, systems=n_systems, n=n, status="no_variance" if flat else "ok")


def _of_items(keys: Mapping[str, Any], shares: list[float], n: int) -> Spread:
    share = float(np.mean(shares)) if n else float("nan")
    status = "too_few" if not n else "ok" if share > 0 else "no_variance"
    return Spread(keys, discordant=share, n=n, status=status)


def _differing(grid: Grid, one: int, other: int) -> float:
    """The share of units in which two systems differ, of those that both have."""
    x, y = grid.values[:, one], grid.values[:, other]
    both = ~(np.isnan(x) | np.isnan(y))
    x, y = x[both], y[both]
    if not np.isin(np.concatenate([x, y]), [0.0, 1.0]).all():
        raise InvalidParameter(
            f"Values of {grid.measure} are not all 0 or 1, as McNemar's test needs them.", 'Write test="t".'
        )
    return float((x != y).mean()) if len(x) else float("nan")
