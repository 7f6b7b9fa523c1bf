"""Intervals of estimates from samples of judgments: how far they would move if other documents had been drawn."""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import NormalDist
from typing import TYPE_CHECKING

import polars as pl

from ireval_frames.declaration import Measure
from ireval_frames.engines.base import Aggregate, Engine
from ireval_frames.errors import NotDefined, listed
from ireval_frames.evaluation.planned import Long
from ireval_frames.evaluation.request import plan_of
from ireval_frames.expr import Expr, col, when
from ireval_frames.ranking.sampled.checks import reads_samples
from ireval_frames.ranking.sampled.influences import INFLUENCES
from ireval_frames.ranking.sampled.variances import SamplingVariance
from ireval_frames.ratios import indicator, ratio
from ireval_frames.results import TableQuery

if TYPE_CHECKING:
    from ireval_frames.ranking.request import RankingRequest

COLUMNS = ("value", "variance", "low", "high")


def estimates(measures: Sequence[Measure]) -> list[Measure]:
    """Those of the measures that estimate from samples.

    Raises:
        NotDefined: there are none, or one has no variance.
    """
    some = [m for m in measures if m.name in INFLUENCES]
    if not some:
        raise NotDefined(
            f"None of the measures estimates from a sample ({listed(map(str, measures))}).",
            f"Evaluate some of {listed(INFLUENCES, 20)}; ir.resampling.bootstrap draws queries for any measure.",
        )
    if without := [m for m in measures if reads_samples(m) and m not in some and m.name != SamplingVariance.name]:
        raise NotDefined(
            f"{listed(without)} has no variance in closed form, as it moves in steps.",
            f"Evaluate the others alone: {' '.join(map(str, some))}.",
        )
    for measure in some:
        if measure.aggregation not in ("mean", "sum"):
            raise NotDefined(
                f"The {measure.aggregation} of queries has no variance in closed form, and {measure} is one.",
                f"Evaluate their mean: {measure(aggregation='mean')}.",
            )
    return some


def intervals(
    request: RankingRequest, measures: Sequence[Measure], confidence: float, engine: Engine, *, per_unit: bool
) -> TableQuery:
    """The query of `RankingEvaluation.sampling_intervals`."""
    variances = [SamplingVariance(of=str(m(aggregation=m.definition.aggregation))) for m in measures]
    planned = plan_of(request.of([*measures, *variances]), engine)
    units, n = planned.units(), len(measures)
    frame, keys, counts = units.frame, planned.keys, tuple[str, ...]()
    estimated = {f"value_{i}": col(f"m{i}") for i in range(n)}
    of_draws = {f"variance_{i}": col(f"m{n + i}") for i in range(n)}
    if not per_unit:
        keys, counts = planned.groups, ("n_units", "n_undefined")
        frame = engine.group(frame, keys, [a for i in range(n) for a in _sums(i, n)])
        estimated, of_draws = {}, {}
        for i, measure in enumerate(measures):
            units_of, known = col(f"n_units_{i}"), col(f"n_known_{i}")
            each, total = ratio(col(f"sum_of_variances_{i}"), known), col(f"sum_{i}")
            mean = measure.aggregation == "mean"
            estimated[f"value_{i}"] = ratio(total, units_of) if mean else total
            of_draws[f"variance_{i}"] = ratio(each, units_of) if mean else each * units_of
            of_draws[f"n_undefined_{i}"] = (units_of - known).cast(pl.Int64)
    frame = frame.with_columns(**estimated, **of_draws)
    z = NormalDist().inv_cdf((1.0 + confidence) / 2.0)
    ends: dict[str, Expr] = {}
    for i, measure in enumerate(measures):
        value, width = col(f"value_{i}"), col(f"variance_{i}").sqrt() * z
        # The sum of values has the lower end of their range, which is 0, and no upper one.
        largest = measure.range[1] if per_unit or measure.aggregation == "mean" else math.inf
        ends[f"low_{i}"] = when(value - width < 0.0).then(0.0).otherwise(value - width)
        ends[f"high_{i}"] = when(value + width > largest).then(largest).otherwise(value + width)
    if not per_unit:
        ends |= {f"n_units_{i}": col(f"n_units_{i}").cast(pl.Int64) for i in range(n)}
    frame = frame.with_columns(**ends)
    shape = Long(
        {planned.named.get(k, k): k for k in keys},
        {"measure": list(map(str, measures))},
        {c: [f"{c}_{i}" for i in range(n)] for c in (*COLUMNS, *counts)},
    )
    return shape.of_query(TableQuery(planned.plan, frame, tuple(keys), tuple(frame.columns), units.checks))


def _sums(i: int, n: int) -> list[Aggregate]:
    """The sums over queries of one of n measures."""
    value, variance = col(f"m{i}"), col(f"m{n + i}")
    known = ~value.is_null() & ~variance.is_null()
    return [
        Aggregate(f"sum_{i}", "sum", value.fill_null(0.0)),
        Aggregate(f"n_units_{i}", "sum", indicator(~value.is_null())),
        Aggregate(f"sum_of_variances_{i}", "sum", when(known).then(variance).otherwise(0.0)),
        Aggregate(f"n_known_{i}", "sum", indicator(known)),
    ]
