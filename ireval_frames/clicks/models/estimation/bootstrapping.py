"""Intervals of the parameters of models that are fitted by iteration: by drawing the counts anew.

A page that was seen n times is drawn Poisson(n) times, which is a bootstrap of pages; of PBM and UBM so are the counts
that they are fitted to, as their rows are independent given the model.
"""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np

from ireval_frames.clicks.models.counts.cells import Cells
from ireval_frames.clicks.models.counts.pages import Pages
from ireval_frames.clicks.models.counts.tallies import Tallies, tallied
from ireval_frames.clicks.models.declared import Array, ClickModel, Estimate, Estimates, Until
from ireval_frames.clicks.models.options import Options
from ireval_frames.errors import ConvergenceWarning, warn


def drawn(data: Cells | Pages, seed: int, sample: int, until: Until | None = None) -> Cells | Pages | Tallies:
    """The data with weights of one replicate; tallies of them for models that look until a click."""
    random = np.random.Generator(np.random.PCG64([seed, sample]))
    if isinstance(data, Pages):
        again = dataclasses.replace(data, weight=random.poisson(data.weight).astype(np.float64))
        return tallied(again, until) if until else again
    clicks = random.poisson(data.clicks).astype(np.float64)
    return dataclasses.replace(data, clicks=clicks, n=clicks + random.poisson(np.maximum(data.n - data.clicks, 0.0)))


def bootstrapped(
    model: ClickModel[Any],
    data: Cells | Pages,
    estimates: Estimates,
    options: Options,
    n_resamples: int,
    seed: int,
    confidence: float,
) -> tuple[Estimates, tuple[Array, Array]]:
    """The estimates with percentile intervals, and the interval of relevance.

    Every replicate begins at the estimates.
    """
    start = {name: e.value for name, e in estimates.items()}
    replicates: dict[str, list[Array]] = {name: [] for name in estimates}
    relevance: list[Array] = []
    n_stopped = 0
    for sample in range(n_resamples):
        again, trace = model.fit(drawn(data, seed, sample, model.looks_until), options, start)
        n_stopped += not trace.converged
        for name, values in replicates.items():
            values.append(again[name].value.astype(np.float32))
        relevance.append(product(model, again).astype(np.float32))
    tails = ((1.0 - confidence) / 2.0, (1.0 + confidence) / 2.0)
    out = {}
    for name, values in replicates.items():
        low, high = percentiles(values, tails)
        e = estimates[name]
        flags = e.flags if not n_stopped or e.flags is None else np.where(e.flags == "", "not_converged", e.flags)
        out[name] = Estimate(e.hits, e.n, e.value, np.minimum(low, e.value), np.maximum(high, e.value), flags)
    if n_stopped and options.tolerance > 0:
        warn(
            f"{model.name}: {n_stopped} of {n_resamples} resamples stopped after {options.iterations} iterations "
            "without converging. "
            "Allow the fit more iterations.",
            ConvergenceWarning,
        )
    low, high = percentiles(relevance, tails)
    value = product(model, estimates)
    return out, (np.minimum(low, value), np.maximum(high, value))


def percentiles(values: list[Array], at: tuple[float, float]) -> tuple[Array, Array]:
    """Two quantiles of replicates; NaN where none has a value."""
    stacked = np.sort(np.stack(values), axis=0)
    known = (~np.isnan(stacked)).sum(axis=0)
    out = []
    for q in at:
        place = np.clip(np.rint(q * (known - 1)).astype(np.int64), 0, None)
        value = np.take_along_axis(stacked, place[None], 0)[0].astype(np.float64)
        out.append(np.where(known > 0, value, np.nan))
    return out[0], out[1]


def product(model: ClickModel[Any], estimates: Estimates) -> Array:
    """The relevance of each pair."""
    out = np.array(1.0)
    for name in model.relevant:
        out = out * estimates[name].value
    return out
