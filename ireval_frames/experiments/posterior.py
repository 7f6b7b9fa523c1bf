"""Bayesian analysis: posteriors of variants, the probability of being best, and expected losses."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import polars as pl

from ireval_frames.errors import Argument, Hint, InvalidParameter
from ireval_frames.experiments.estimates import Side, values
from ireval_frames.experiments.metrics import Metric, Proportion
from ireval_frames.experiments.moments import Cells
from ireval_frames.experiments.options import AnalysisOptions
from ireval_frames.experiments.pairs import groups_of, units_of
from ireval_frames.stats.bayes.best import Best, Beta, Normal, best_of

Prior = Sequence[float]


def posteriors(
    cells: Cells,
    metrics: Sequence[Metric],
    groups: Sequence[str],
    options: AnalysisOptions,
    normal: Prior | None,
    beta: Prior,
) -> pl.DataFrame:
    """The table of `Experiment.bayes`."""
    _checked(normal, beta)
    names = units_of(cells)
    rows = []
    for one in groups_of(cells, metrics, groups, options):
        metric, estimates = one.metric, values(one.metric, one.cells, one.weights, options.coefficient)
        known = [_posterior(metric, s, options, normal, beta) for s in estimates.sides]
        sign = -1.0 if metric.less_is_better else 1.0
        defined = [k for k in known if k is not None]
        best = best_of([_turned(k, sign) for k in defined]) if len(defined) == len(known) and len(known) > 1 else None
        for i, name in enumerate(names):
            rows.append(
                {
                    "metric": metric.label,
                    **dict(zip(groups, one.group, strict=True)),
                    "variant": name,
                    "n": int(estimates.sides[i].n),
                    **_numbers(known[i], best, i, options),
                    "posterior": "none" if known[i] is None else type(known[i]).__name__.lower(),
                    "status": estimates.status
                    if known[i] is not None or estimates.status != "ok"
                    else _why(estimates.sides[i]),
                }
            )
    types = {g: cells.keys.schema[g] for g in groups} | {"variant": cells.keys.schema[cells.variant]}
    return pl.DataFrame(rows, schema_overrides=types, infer_schema_length=None)


def _why(side: Side) -> str:
    """The status of a value without a posterior."""
    return "too_few" if side.n < 2 else "no_variance"


def _numbers(
    known: Normal | Beta | None, best: Best | None, place: int, options: AnalysisOptions
) -> dict[str, float | None]:
    half = options.alpha / 2.0
    return {
        "mean": None if known is None else known.mean,
        "low": None if known is None else known.quantile(half),
        "high": None if known is None else known.quantile(1.0 - half),
        "p_best": None if best is None else float(best.probability[place]),
        "expected_loss": None if best is None else float(best.loss[place]),
    }


def _posterior(
    metric: Metric, side: Side, options: AnalysisOptions, normal: Prior | None, beta: Prior
) -> Normal | Beta | None:
    """The posterior of a value: Beta for proportions, normal for others; None where it is undefined."""
    if np.isnan(side.value):
        return None
    if isinstance(metric, Proportion) and not metric.adjusted and not options.strata:
        hits = round(side.value * side.n)
        return Beta(beta[0] + hits, beta[1] + side.n - hits)
    if not side.variance > 0:
        return None
    if normal is None:
        return Normal(side.value, float(np.sqrt(side.variance)))
    mean, sd = normal
    precision = 1.0 / side.variance + 1.0 / sd**2
    return Normal((side.value / side.variance + mean / sd**2) / precision, float(np.sqrt(1.0 / precision)))


def _turned(known: Normal | Beta, sign: float) -> Normal | Beta:
    """The distribution where more is better: negated, or of the complementary share."""
    if sign > 0:
        return known
    return Normal(-known.mean, known.sd) if isinstance(known, Normal) else Beta(known.b, known.a)


def _checked(normal: Prior | None, beta: Prior) -> None:
    if normal is not None:
        _pair(normal, "normal", (0.0, 1.0), -np.inf, "mean and standard deviation")
    _pair(beta, "beta", (1.0, 1.0), 0.0, "both parameters, above 0")


def _pair(value: object, name: str, example: Prior, least: float, allowed: str) -> None:
    """Check two numbers: the first above `least`, the second above 0."""
    pair = value if isinstance(value, tuple | list) and len(value) == 2 else (np.nan, np.nan)
    valid = all(isinstance(v, int | float) and not isinstance(v, bool) and np.isfinite(v) for v in pair)
    if not valid or pair[0] <= least or pair[1] <= 0:
        raise InvalidParameter(f"{name} is {value!r}; it must hold {allowed}.", Hint("Write ", Argument(name, example)))
