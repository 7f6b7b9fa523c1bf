"""Relative propensities from the rates of results at two positions each: small matrices, whatever the log's size."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
METHODS = ("pivot", "adjacent", "all_pairs")
# The largest logarithm of a propensity over that of the reference.
MAX_LOG_RATIO = 20.0
# A maximum is where the mean log-likelihood is no steeper than this.
MAX_GRADIENT = 1e-6


def connected_to(method: str, clicked: Floats, reference: int) -> NDArray[np.bool_]:
    """Which positions a chain of comparisons connects to the reference, with clicks on both sides of each."""
    compared = (clicked > 0) & (clicked.T > 0)
    if method == "pivot":
        out = compared[:, reference].copy()
        out[reference] = True
        return out
    if method == "adjacent":
        places = np.arange(len(clicked))
        compared = compared & (np.abs(places[:, None] - places) == 1)
    out = np.zeros(len(clicked), dtype=bool)
    out[reference] = True
    for _ in range(len(clicked)):
        out |= compared[:, out].any(axis=1)
    return out


def relative(
    method: str, clicked: Floats, unclicked: Floats, reference: int, start: Floats | None = None
) -> tuple[Floats, bool]:
    """The propensity of each position over the reference's, NaN where disconnected; and whether it converged.

    Only all_pairs is iterated; its search may stop before the maximum.

    Args:
        method: pivot, adjacent or all_pairs.
        clicked: Σ ctr at the row's position of the results that were shown at the column's, too.
        unclicked: Σ (1 − ctr) likewise.
        reference: the index of the reference.
        start: where the search for the maximum begins.
    """
    connected, converged = connected_to(method, clicked, reference), True
    with np.errstate(invalid="ignore", divide="ignore"):
        if method == "pivot":
            out = clicked[:, reference] / clicked[reference]
        elif method == "adjacent":
            step = np.diagonal(clicked, -1) / np.diagonal(clicked, 1)
            out = np.concatenate([[1.0], np.cumprod(step)])
            if reference:
                # From the reference down and up, so that a gap on one side does not affect the other one.
                up = np.cumprod(1.0 / step[:reference][::-1])[::-1]
                out = np.concatenate([up, [1.0], np.cumprod(step[reference:])])
        else:
            out = np.full(len(clicked), np.nan)
            some = np.flatnonzero(connected)
            grid = np.ix_(some, some)
            begin = None if start is None else start[some]
            of = int(np.searchsorted(some, reference))
            out[some], converged = _all_pairs(clicked[grid], unclicked[grid], of, begin)
    out[reference] = 1.0
    return np.where(connected, out, np.nan), converged


def relevances(rho: Floats, clicked: Floats, unclicked: Floats) -> Floats:
    """For every two positions the relevance of most likelihood: the smaller root of a quadratic equation.

    With p = ρ_k and s = ρ_k', (c_kk' + c_k'k) / r = c̄_kk' p / (1 − p r) + c̄_k'k s / (1 − s r).
    """
    p, s = rho[:, None], rho[None, :]
    c, n, m = clicked + clicked.T, unclicked, unclicked.T
    a = p * s * (c + n + m)
    b = c * (p + s) + p * n + s * m
    root = np.sqrt(np.maximum(b * b - 4.0 * a * c, 0.0))
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(c > 0, 2.0 * c / (b + root), 0.0)


def log_likelihood(logs: Floats, clicked: Floats, unclicked: Floats) -> tuple[float, Floats]:
    """Its value at log propensities, relevances being the best ones, and its gradient."""
    rho = np.exp(logs)
    chance = rho[:, None] * relevances(rho, clicked, unclicked)
    with np.errstate(invalid="ignore", divide="ignore"):
        value = np.where(clicked > 0, clicked * np.log(chance), 0.0)
        value = value + np.where(unclicked > 0, unclicked * np.log1p(-chance), 0.0)
        odds = np.where(unclicked > 0, chance / (1.0 - chance), 0.0)
    # Relevances are at their best, so only the propensities themselves move the value.
    return float(value.sum()), (clicked - unclicked * odds).sum(axis=1)


def _all_pairs(clicked: Floats, unclicked: Floats, reference: int, start: Floats | None) -> tuple[Floats, bool]:
    from scipy.optimize import minimize
    from threadpoolctl import threadpool_limits

    free = np.arange(len(clicked)) != reference
    if not free.any():
        return np.ones(1), True
    with np.errstate(invalid="ignore", divide="ignore"):
        first = np.log(clicked[:, reference] / clicked[reference])
    logs = np.where(np.isfinite(first), first, 0.0) if start is None else np.log(start)
    logs = np.clip(logs, -MAX_LOG_RATIO, MAX_LOG_RATIO)
    scale = clicked.sum() + unclicked.sum()

    def loss(x: Floats) -> tuple[float, Floats]:
        every = np.zeros(len(clicked))
        every[free] = x
        value, slope = log_likelihood(every, clicked, unclicked)
        return -value / scale, -slope[free] / scale

    options = {"ftol": 1e-15, "gtol": 1e-10, "maxiter": 2000}
    bounds = [(-MAX_LOG_RATIO, MAX_LOG_RATIO)] * int(free.sum())
    # The matrices are tiny: threads would wait for each other.
    with threadpool_limits(1, "blas"):
        result = minimize(loss, logs[free], jac=True, method="L-BFGS-B", bounds=bounds, options=options)
    out = np.ones(len(clicked))
    out[free] = np.exp(result.x)
    # At the maximum no log propensity moves the mean log-likelihood, but those at their bounds.
    slope = np.where(np.abs(result.x) < MAX_LOG_RATIO, result.jac, 0.0)
    return out, bool(np.abs(slope).max(initial=0.0) <= MAX_GRADIENT)
