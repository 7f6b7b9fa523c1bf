"""Strengths of the items of one group, and the effects of covariates, as tables."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import polars as pl

from ireval_frames.crowds.answers import Array, Whole, sums
from ireval_frames.crowds.controlled import Controlled, Rows, controlled
from ireval_frames.crowds.elo import bootstrap_elo, elo
from ireval_frames.crowds.graph import components
from ireval_frames.crowds.strengths import Strengths, bradley_terry, davidson, thurstone
from ireval_frames.errors import Argument, ConvergenceWarning, Hint, InvalidParameter, SampleWarning, listed, warn
from ireval_frames.ratings.paired.covariates import FIRST, scaled_differences
from ireval_frames.ratings.paired.options import StrengthOptions
from ireval_frames.ratings.paired.resampled import Counts, check_drawn, replicates_of_rows
from ireval_frames.ratings.paired.rows import coded, counted_ties
from ireval_frames.stats.sample import Options

FITS: dict[str, Callable[..., Strengths]] = {
    "bradley-terry": bradley_terry,
    "thurstone": thurstone,
    "davidson": davidson,
}
WARNED = {"not_converged": "did not converge", "singular": "have no standard errors: their matrix is singular"}


def strengths(rows: pl.DataFrame, options: StrengthOptions) -> pl.DataFrame:
    """The strengths of the items, the strongest first (`PairedComparisons.strengths`).

    Raises:
        InvalidParameter: with this step Elo's ratings overflow, or all comparisons are of one cluster.
    """
    by_order = options.model == "elo"
    rows = counted_ties(rows, options.ties)
    rows = rows.sort("order", "item_a", "item_b", "score") if by_order else rows
    items, a, b = coded(rows)
    k, score, n = len(items), rows["score"].to_numpy(), rows["n"].to_numpy()
    cluster = _clusters(rows)
    if by_order:
        estimate, low, high = _elo(a, b, score, k, cluster, options)
    elif rows.height and (options.controlled or options.intervals == "sandwich"):
        estimate, low, high = _controlled(rows, options)[:3]
    else:
        estimate, low, high = _fitted(Counts(a, b, score, n, cluster, k), options)
    if not by_order:
        _warn(items, estimate.status, options.model)
    both = np.concatenate([a, b])
    wins = np.concatenate([n * (score > 0.5), n * (score < 0.5)])
    columns = {
        "item_id": items,
        "value": estimate.value,
        "se": estimate.se,
        "ci_low": low,
        "ci_high": high,
        "n": sums(both, np.tile(n, 2), k),
        "wins": sums(both, wins, k),
        "ties": sums(both, np.tile(n * (score == 0.5), 2), k),
        "component": estimate.component,
        "status": estimate.status,
        "rank": _ranks(low, high, estimate.component),
    }
    table = pl.DataFrame(columns).with_columns(pl.selectors.float().fill_nan(None))
    return table.sort("value", "item_id", descending=[True, False], nulls_last=True)


def effects(rows: pl.DataFrame, options: StrengthOptions) -> pl.DataFrame:
    """The coefficient of each covariate (`PairedComparisons.effects`)."""
    from scipy.special import stdtr

    rows = counted_ties(rows, options.ties)
    items = coded(rows)[0]
    estimate, _, _, fitted, units, drawn = _controlled(rows, options)
    _warn(items, estimate.status, options.model)
    k, names = len(items), [*options.covariates, *([FIRST] if options.first else [])]
    known = "converged" in estimate.status
    value = fitted.effect if known else np.full(len(names), np.nan)
    se = np.sqrt(np.maximum(np.diagonal(fitted.covariance)[k:], 0.0)) if known else value
    df = _df(options, fitted.n_clusters)
    if drawn is not None:
        se = _spread(drawn[:, k:])
        low, high = _percentiles(drawn[:, k:], options.confidence)
    else:
        low, high = _around(value, se, df, options.confidence)
    with np.errstate(invalid="ignore", divide="ignore"):
        p = 2 * stdtr(df, -np.abs(value / se))
    table = pl.DataFrame(
        {"covariate": names, "value": value, "se": se, "ci_low": low, "ci_high": high, "p_value": p, "unit": units},
        schema_overrides={"covariate": pl.String, "unit": pl.Float64},
    )
    return table.with_columns(pl.selectors.float().fill_nan(None))


def _clusters(rows: pl.DataFrame) -> Whole | None:
    if "cluster" not in rows.columns:
        return None
    return rows["cluster"].rank("dense").cast(pl.Int64).to_numpy() - 1


def _fitted(counts: Counts, options: StrengthOptions) -> tuple[Strengths, Array, Array]:
    """The model's strengths with the intervals of the likelihood, or of replicates."""
    fit = FITS[options.model]
    estimate = fit(counts.all(), options.prior)
    if options.intervals == "likelihood":
        return estimate, *_around(estimate.value, estimate.se, np.inf, options.confidence)
    check_drawn(counts.n_units, clustered=options.clustered and counts.n_units > 0)
    if options.n_resamples == 0 or counts.n_units < 2:
        nothing = np.full(counts.k, np.nan)
        return replace(estimate, se=nothing), nothing, nothing
    drawn = counts.replicates(fit, estimate, options.prior, _draws(options))
    _warn_undefined(drawn, estimate.value, options)
    return replace(estimate, se=_spread(drawn)), *_percentiles(drawn, options.confidence)


def _controlled(
    rows: pl.DataFrame, options: StrengthOptions
) -> tuple[Strengths, Array, Array, Controlled, Array, Array | None]:
    """Strengths with their intervals; the regression; the units of covariates; the replicates, where there are some."""
    items, a, b = coded(rows)
    x, units = scaled_differences(rows, options.covariates, options.form, first=options.first)
    score, n, k, cluster = rows["score"].to_numpy(), rows["n"].to_numpy(), len(items), _clusters(rows)
    if options.clustered and cluster is not None:
        check_drawn(len(np.unique(cluster)), clustered=True)
    if options.prior:
        pair = np.unique(np.minimum(a, b) * k + np.maximum(a, b))
        size = len(pair)
        a, b = np.append(a, pair // k), np.append(b, pair % k)
        score, n = np.append(score, np.full(size, 0.5)), np.append(n, np.full(size, options.prior))
        x = np.concatenate([x, np.zeros((size, x.shape[1]))])
        own = np.arange(rows.height) if cluster is None else cluster
        cluster = np.append(own, np.full(size, -1))
    battles = Rows(a, b, score, n, x, cluster, k)
    fitted = controlled(battles, sandwich=options.intervals == "sandwich")
    estimate = Strengths(fitted.value, fitted.se, fitted.component, fitted.status)
    if options.intervals != "percentile":
        ends = _around(fitted.value, fitted.se, _df(options, fitted.n_clusters), options.confidence)
        return estimate, *ends, fitted, units, None
    if options.n_resamples == 0 or "converged" not in fitted.status:
        nothing = np.full(k, np.nan)
        return replace(estimate, se=nothing), nothing, nothing, fitted, units, np.full((1, k + x.shape[1]), np.nan)
    drawn = replicates_of_rows(battles, fitted, _draws(options))
    _warn_undefined(drawn[:, :k], fitted.value, options)
    ends = _percentiles(drawn[:, :k], options.confidence)
    return replace(estimate, se=_spread(drawn[:, :k])), *ends, fitted, units, drawn


def _elo(
    a: Whole, b: Whole, score: Array, k: int, cluster: Whole | None, options: StrengthOptions
) -> tuple[Strengths, Array, Array]:
    """Elo's ratings with the standard errors and percentiles of their replicates."""
    several = options.n_resamples > 1
    with np.errstate(over="ignore", invalid="ignore"):
        replicates = bootstrap_elo(a, b, score, k, options.step, options.n_resamples, options.seed, cluster=cluster)
        se = replicates.std(axis=0, ddof=1) if several else np.full(k, np.nan)
    value = elo(a, b, score, k, options.step)
    if not (np.isfinite(value).all() and np.isfinite(replicates).all() and (np.isfinite(se).all() or not several)):
        raise InvalidParameter(
            f"With the step {options.step!r} Elo's ratings are beyond all numbers.",
            Hint("Write ", Argument("step", 32.0)),
        )
    estimate = Strengths(value, se, components(a, b, k), ["ok"] * k)
    if not several:
        return estimate, np.full(k, np.nan), np.full(k, np.nan)
    return estimate, *_percentiles(replicates, options.confidence)


def _draws(options: StrengthOptions) -> Options:
    return Options(n_resamples=options.n_resamples, seed=options.seed)


def _df(options: StrengthOptions, n_clusters: int) -> float:
    """The degrees of freedom: of a sandwich, one less than clusters."""
    return float(max(n_clusters - 1, 1)) if options.intervals == "sandwich" else np.inf


def _around(value: Array, se: Array, df: float, confidence: float) -> tuple[Array, Array]:
    from scipy.special import ndtri, stdtrit

    half = float(ndtri((1 + confidence) / 2) if np.isinf(df) else stdtrit(df, (1 + confidence) / 2)) * se
    return value - half, value + half


def _percentiles(drawn: Array, confidence: float) -> tuple[Array, Array]:
    """The ends of replicates that have a value; NaN where fewer than two have one."""
    low, high = (np.full(drawn.shape[1], np.nan) for _ in range(2))
    for i, column in enumerate(drawn.T):
        there = column[~np.isnan(column)]
        if len(there) > 1:
            low[i], high[i] = np.quantile(there, [(1 - confidence) / 2, (1 + confidence) / 2])
    return low, high


def _spread(drawn: Array) -> Array:
    there = [c[~np.isnan(c)] for c in drawn.T]
    return np.array([c.std(ddof=1) if len(c) > 1 else np.nan for c in there])


def _ranks(low: Array, high: Array, component: Whole) -> pl.Series:
    """1 and the number of items whose interval is above an item's; null without an interval."""
    above = (low[None, :] > high[:, None]) & (component[None, :] == component[:, None])
    return pl.Series(np.where(np.isnan(high), -1, 1 + above.sum(axis=1))).replace(-1, None)


def _warn(items: pl.Series, statuses: list[str], model: str) -> None:
    for status, text in WARNED.items():
        if affected := [i for i, s in zip(items, statuses, strict=True) if s == status]:
            message = f"The strengths ({model}) of {len(affected)} items {text}: {listed(affected, 3)}."
            warn(message, ConvergenceWarning)


def _warn_undefined(drawn: Array, value: Array, options: StrengthOptions) -> None:
    """Say that replicates were left out, because an item won or lost all of their comparisons, or had none."""
    lost = np.isnan(drawn[:, ~np.isnan(value)]).any(axis=1).sum()
    if lost:
        # With a prior they have none where no comparison of an item was drawn.
        remedy = (
            "these items need comparisons in more clusters" if options.prior else "prior=0.5 makes more of them finite"
        )
        warn(
            f"{lost:,} of {len(drawn):,} replicates have no finite strengths of some items and are left out of their "
            f"intervals, which may be too short; {remedy}.",
            SampleWarning,
        )
