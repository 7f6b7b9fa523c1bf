"""Strengths of items that were compared two at a time."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ireval_frames.crowds.answers import Array, Whole, sums
from ireval_frames.crowds.linked import linked

# Newton's steps are no longer than this, and stop when no strength moves by more than TOLERANCE.
LONGEST, TOLERANCE, STEPS = 2.0, 1e-10, 200


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


@dataclass(frozen=True, eq=False)
class Compared:
    """How items were compared, every two of them once.

    Attributes:
        a, b: the items of each pair.
        wins, losses, ties: how often the first won, the second, neither.
        k: how many items there are.
    """

    a: Whole
    b: Whole
    wins: Array
    losses: Array
    ties: Array
    k: int

    def among(self, items: NDArray[np.bool_]) -> Compared:
        """The comparisons of some items."""
        here = items[self.a] & items[self.b]
        return Compared(self.a[here], self.b[here], self.wins[here], self.losses[here], self.ties[here], self.k)

    def tied(self, more: float) -> Compared:
        """The same, with so many ties more of each pair."""
        return replace(self, ties=self.ties + more)


# The gradient and the information of the log-likelihood of comparisons, at strengths.
Slope = Callable[[Compared, Array], tuple[Array, Array]]


def bradley_terry(of: Compared, prior: float = 0.0) -> Strengths:
    """P(a beats b) = σ(θ_a − θ_b); a tie is half a win of each; the θ of items that are linked add to 0.

    Args:
        of: the comparisons.
        prior: ties that are added to each pair that was compared; with some every θ is finite.

    Source: Bradley and Terry, Biometrika 1952.
    """
    from scipy.special import expit

    return _of_halves(of.tied(prior), lambda x: expit(-x))


def thurstone(of: Compared, prior: float = 0.0) -> Strengths:
    """P(a beats b) = Φ(θ_a − θ_b): case V of unit variance of differences; the rest as `bradley_terry`.

    Args:
        of: the comparisons.
        prior: ties that are added to each pair that was compared.

    Source: Thurstone, Psychological Review 1927.
    """
    from scipy.special import log_ndtr

    return _of_halves(of.tied(prior), lambda x: np.exp(-0.5 * x * x - 0.5 * np.log(2 * np.pi) - log_ndtr(x)))


def davidson(of: Compared, prior: float = 0.0) -> Strengths:
    """P(a beats b) ∝ e^θ_a, of a tie ν·e^((θ_a + θ_b)/2): ties tell that two items are near.

    Args:
        of: the comparisons.
        prior: ties that are added to each pair that was compared.

    Source: Davidson, Journal of the American Statistical Association 1970.
    """
    of = of.tied(prior)
    component, status, bounded = _standing(of)
    inside = of.among(bounded)
    if not inside.ties.sum():
        return replace(bradley_terry(of), tie=0.0)
    if not (inside.wins + inside.losses).sum():
        # With ties alone ν has no largest likelihood, and nothing is known of the strengths.
        nan = np.full(of.k, np.nan)
        return Strengths(nan, nan, component, ["unbounded" if x == "ok" else x for x in status], np.inf)

    def slope(of: Compared, theta: Array) -> tuple[Array, Array]:
        a, b, k, ties = of.a, of.b, of.k, of.ties
        n = of.wins + of.losses + ties
        half, log_tie = (theta[a] - theta[b]) / 2, theta[k]
        logs = np.stack([half, -half, np.full(len(a), log_tie)])
        p = np.exp(logs - logs.max(axis=0))
        p /= p.sum(axis=0)
        # By half the difference, and by log ν.
        mean = p[0] - p[1]
        gradient, information = _paired(of, (of.wins - of.losses - n * mean) / 2, n * (p[0] + p[1] - mean**2) / 4)
        gradient = np.append(gradient, (ties - n * p[2]).sum())
        wide = np.zeros((k + 1, k + 1))
        wide[:k, :k] = information
        cross = -n * mean * p[2] / 2
        np.add.at(wide[k], a, cross)
        np.add.at(wide[k], b, -cross)
        wide[:k, k] = wide[k, :k]
        wide[k, k] = (n * p[2] * (1 - p[2])).sum()
        return gradient, wide

    return _solved(of, slope, more=1)


def _of_halves(of: Compared, ratio: Callable[[Array], Array]) -> Strengths:
    """Σ won·log F(x) + lost·log F(−x) at its largest, x = θ_a − θ_b, a tie half of each; `ratio` is F′/F."""

    def slope(of: Compared, theta: Array) -> tuple[Array, Array]:
        won, lost = of.wins + of.ties / 2, of.losses + of.ties / 2
        x = theta[of.a] - theta[of.b]
        up, down = ratio(x), ratio(-x)
        return _paired(of, won * up - lost * down, (won + lost) * up * down)

    return _solved(of, slope)


def _paired(of: Compared, residual: Array, weight: Array) -> tuple[Array, Array]:
    """The gradient and the information of a likelihood of differences."""
    a, b, k = of.a, of.b, of.k
    gradient = sums(a, residual, k) - sums(b, residual, k)
    information = np.zeros((k, k))
    np.add.at(information, (a, b), -weight)
    np.add.at(information, (b, a), -weight)
    np.fill_diagonal(information, 0.0)
    np.fill_diagonal(information, -information.sum(axis=1))
    return gradient, information


def _standing(of: Compared) -> tuple[Whole, list[str], NDArray[np.bool_]]:
    """Of each item its component and its status, and whether it has a finite strength."""
    up, down = of.wins + of.ties > 0, of.losses + of.ties > 0
    component = linked(of.a, of.b, of.k)
    beats = (np.concatenate([of.a[up], of.b[down]]), np.concatenate([of.b[up], of.a[down]]))
    strong = linked(*beats, of.k, both_ways=True)
    n_strong = np.array([len(np.unique(strong[component == c])) for c in range(int(component.max(initial=-1)) + 1)])
    size = np.bincount(component, minlength=len(n_strong))
    bounded = (n_strong == 1)[component] & (size > 1)[component]
    status = [
        "ok" if ok else "alone" if size[c] == 1 else "unbounded" for ok, c in zip(bounded, component, strict=True)
    ]
    return component, status, bounded


def _solved(of: Compared, slope: Slope, more: int = 0) -> Strengths:
    """Newton's method for the strengths, and `more` parameters; items that have no finite strength are left out."""
    k = of.k
    component, status, bounded = _standing(of)
    of = of.among(bounded)
    theta = np.zeros(k + more)
    free = np.concatenate([bounded, np.full(more, bool(bounded.any()))])
    # The strengths of linked items add to 0.
    fixed = np.zeros((k + more, k + more))
    fixed[:k, :k] = (component[:, None] == component[None, :]) & bounded[:, None] & bounded[None, :]
    covariance = np.full((k + more, k + more), np.nan)
    for _ in range(STEPS if free.any() else 0):
        gradient, information = slope(of, theta)
        held = (information + fixed)[np.ix_(free, free)]
        moved = np.linalg.solve(held, gradient[free])
        theta[free] += moved * min(1.0, LONGEST / max(LONGEST, float(np.abs(moved).max())))
        if np.abs(moved).max() < TOLERANCE:
            break
    if free.any():
        information = slope(of, theta)[1]
        inverse = np.linalg.inv((information + fixed)[np.ix_(free, free)])
        apart = fixed[np.ix_(free, free)]
        counts = np.maximum(apart.sum(axis=1), 1.0)
        covariance[np.ix_(free, free)] = inverse - apart / counts[:, None] ** 2
    se = np.sqrt(np.diagonal(covariance)[:k])
    value = np.where(bounded, theta[:k], np.nan)
    return Strengths(value, se, component, status, float(np.exp(theta[k])) if more else float("nan"))
