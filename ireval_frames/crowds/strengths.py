"""Strengths of items that were compared two at a time."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ireval_frames.crowds.answers import Array, Whole, sums

# Newton's steps are no longer than this, and stop when no strength moves by more than TOLERANCE.
LONGEST, TOLERANCE, STEPS = 2.0, 1e-10, 200
Slope = Callable[[Array], tuple[Array, Array]]


@dataclass(frozen=True, eq=False)
class Strengths:
    """What comparisons say.

    Attributes:
        value, se: of each item; NaN where they are not defined.
        component: of each item, which set of items it was compared with, one way or another.
        status: of each item: "ok", "unbounded" (some items of the set never win against the others, or never lose:
            there is no largest likelihood), "alone" (compared with none).
        tie: ν of Davidson's model.
    """

    value: Array
    se: Array
    component: Whole
    status: list[str]
    tie: float = float("nan")


def bradley_terry(a: Whole, b: Whole, wins: Array, losses: Array, ties: Array, k: int, prior: float = 0.0) -> Strengths:
    """P(a beats b) = σ(θ_a − θ_b); a tie is half a win of each; the θ of items that are linked add to 0.

    Args:
        a: the first item of each pair.
        b: the second.
        wins: how often the first won.
        losses: how often the second won.
        ties: how often neither.
        k: how many items there are.
        prior: ties that are added to each pair that was compared; with some every θ is finite.

    Source: Bradley and Terry, Biometrika 1952.
    """
    won, n = wins + (ties + prior) / 2, wins + losses + ties + prior

    def slope(theta: Array) -> tuple[Array, Array]:
        p = 1 / (1 + np.exp(theta[b] - theta[a]))
        return _paired(a, b, won - n * p, n * p * (1 - p), k)

    return _solved(a, b, won, n - won, k, slope)


def thurstone(a: Whole, b: Whole, wins: Array, losses: Array, ties: Array, k: int, prior: float = 0.0) -> Strengths:
    """P(a beats b) = Φ(θ_a − θ_b): case V of unit variance of differences; the rest as `bradley_terry`.

    Args:
        a: the first item of each pair.
        b: the second.
        wins: how often the first won.
        losses: how often the second won.
        ties: how often neither.
        k: how many items there are.
        prior: ties that are added to each pair that was compared.

    Source: Thurstone, Psychological Review 1927.
    """
    from scipy.special import log_ndtr

    won, n = wins + (ties + prior) / 2, wins + losses + ties + prior

    def slope(theta: Array) -> tuple[Array, Array]:
        x = theta[a] - theta[b]
        log_density = -0.5 * x * x - 0.5 * np.log(2 * np.pi)
        up, down = np.exp(log_density - log_ndtr(x)), np.exp(log_density - log_ndtr(-x))
        return _paired(a, b, won * up - (n - won) * down, n * up * down, k)

    return _solved(a, b, won, n - won, k, slope)


def davidson(a: Whole, b: Whole, wins: Array, losses: Array, ties: Array, k: int, prior: float = 0.0) -> Strengths:
    """P(a beats b) ∝ e^θ_a, of a tie ν·e^((θ_a + θ_b)/2): ties tell that two items are near.

    Args:
        a: the first item of each pair.
        b: the second.
        wins: how often the first won.
        losses: how often the second won.
        ties: how often neither.
        k: how many items there are.
        prior: ties that are added to each pair that was compared.

    Source: Davidson, Journal of the American Statistical Association 1970.
    """
    ties = ties + prior
    n = wins + losses + ties
    if not ties.sum():
        made = bradley_terry(a, b, wins, losses, ties, k)
        return Strengths(made.value, made.se, made.component, made.status, 0.0)

    def slope(theta: Array) -> tuple[Array, Array]:
        half, log_tie = (theta[a] - theta[b]) / 2, theta[k]
        logs = np.stack([half, -half, np.full(len(a), log_tie)])
        p = np.exp(logs - logs.max(axis=0))
        p /= p.sum(axis=0)
        # By half the difference, and by log ν.
        mean = p[0] - p[1]
        gradient, information = _paired(a, b, (wins - losses - n * mean) / 2, n * (p[0] + p[1] - mean**2) / 4, k)
        gradient = np.append(gradient, (ties - n * p[2]).sum())
        wide = np.zeros((k + 1, k + 1))
        wide[:k, :k] = information
        cross = -n * mean * p[2] / 2
        np.add.at(wide[k], a, cross)
        np.add.at(wide[k], b, -cross)
        wide[:k, k] = wide[k, :k]
        wide[k, k] = (n * p[2] * (1 - p[2])).sum()
        return gradient, wide

    return _solved(a, b, wins + ties / 2, losses + ties / 2, k, slope, more=1)


def elo(a: Whole, b: Whole, score: Array, k: int, step: float = 32.0, start: float = 1000.0) -> Array:
    """Elo's ratings after comparisons one after another: R_a += K·(s − E), E = 1/(1 + 10^((R_b − R_a)/400)).

    Args:
        a: the first item of each comparison, in their order.
        b: the second.
        score: 1 where a won, ½ for a tie, 0.
        k: how many items there are.
        step: K.
        start: where all begin.

    Source: Elo, The Rating of Chessplayers, 1978.
    """
    rating = [start] * k
    for i, j, s in zip(a.tolist(), b.tolist(), score.tolist(), strict=True):
        moved = step * (s - 1 / (1 + 10 ** ((rating[j] - rating[i]) / 400)))
        rating[i] += moved
        rating[j] -= moved
    return np.array(rating)


def _paired(a: Whole, b: Whole, residual: Array, weight: Array, k: int) -> tuple[Array, Array]:
    """The gradient and the information of a likelihood of differences."""
    gradient = sums(a, residual, k) - sums(b, residual, k)
    information = np.zeros((k, k))
    np.add.at(information, (a, b), -weight)
    np.add.at(information, (b, a), -weight)
    np.fill_diagonal(information, 0.0)
    np.fill_diagonal(information, -information.sum(axis=1))
    return gradient, information


def _solved(a: Whole, b: Whole, up: Array, down: Array, k: int, slope: Slope, more: int = 0) -> Strengths:
    """Newton's method for the strengths, and `more` parameters; items that have no finite strength are left at 0."""
    from scipy.sparse import csr_matrix
    from scipy.sparse.csgraph import connected_components

    one = np.concatenate([a[up > 0], b[down > 0]])
    other = np.concatenate([b[up > 0], a[down > 0]])
    beats = csr_matrix((np.ones(len(one)), (one, other)), shape=(k, k))
    component = np.asarray(connected_components(beats, directed=False)[1], dtype=np.int64)
    strong = np.asarray(connected_components(beats, connection="strong")[1], dtype=np.int64)
    n_strong = np.array([len(np.unique(strong[component == c])) for c in range(int(component.max(initial=-1)) + 1)])
    size = np.bincount(component, minlength=len(n_strong))
    bounded = (n_strong == 1)[component] & (size > 1)[component]
    status = [
        "ok" if ok else "alone" if size[c] == 1 else "unbounded" for ok, c in zip(bounded, component, strict=True)
    ]
    theta = np.zeros(k + more)
    free = np.concatenate([bounded, np.full(more, bool(bounded.any()))])
    # The strengths of linked items add to 0.
    fixed = np.zeros((k + more, k + more))
    fixed[:k, :k] = (component[:, None] == component[None, :]) & bounded[:, None] & bounded[None, :]
    covariance = np.full((k + more, k + more), np.nan)
    for _ in range(STEPS if free.any() else 0):
        gradient, information = slope(theta)
        held = (information + fixed)[np.ix_(free, free)]
        moved = np.linalg.solve(held, gradient[free])
        theta[free] += moved * min(1.0, LONGEST / max(LONGEST, float(np.abs(moved).max())))
        if np.abs(moved).max() < TOLERANCE:
            break
    if free.any():
        information = slope(theta)[1]
        inverse = np.linalg.inv((information + fixed)[np.ix_(free, free)])
        apart = fixed[np.ix_(free, free)]
        counts = np.maximum(apart.sum(axis=1), 1.0)
        covariance[np.ix_(free, free)] = inverse - apart / counts[:, None] ** 2
    se = np.sqrt(np.diagonal(covariance)[:k])
    value = np.where(bounded, theta[:k], np.nan)
    return Strengths(value, se, component, status, float(np.exp(theta[k])) if more else float("nan"))
