"""Strengths of items that were compared two at a time."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ireval_frames.crowds.answers import Array, Whole, sums
from ireval_frames.crowds.climbing import LinAlgError, climbed, inverse
from ireval_frames.crowds.linked import linked, rising


@dataclass(frozen=True, eq=False)
class Strengths:
    """What comparisons say.

    Attributes:
        value, se: of each item; NaN where they are not defined.
        component: of each item, which set of items it was compared with, one way or another.
        status: of each item: "converged"; "unbounded" (there is no largest likelihood: some items of the set never win
            against the others, or never lose; or ties and wins leave no strength of ties); "singular" (the largest
            likelihood has no curvature that could be inverted); "not_converged"; "alone" (compared with none).
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

    def where(self, pairs: NDArray[np.bool_]) -> Compared:
        """Some of the pairs."""
        return Compared(self.a[pairs], self.b[pairs], self.wins[pairs], self.losses[pairs], self.ties[pairs], self.k)

    def scaled(self, prior: float) -> tuple[Compared, float]:
        """The same with half a prior more wins of each side of each pair, in units of the largest number of them.

        Returns:
            The comparisons, and how many one of them is.
        """
        found = (self.wins, self.losses, self.ties)
        unit = max([prior, *(float(x.max(initial=0.0)) for x in found)]) or 1.0
        wins, losses, ties = (x / unit for x in found)
        more = prior / unit / 2
        return replace(self, wins=wins + more, losses=losses + more, ties=ties), unit


# The log-likelihood of comparisons at strengths, its gradient, and its information.
Slope = Callable[[Compared, Array], tuple[float, Array, Array]]


def bradley_terry(of: Compared, prior: float = 0.0) -> Strengths:
    """P(a beats b) = σ(θ_a − θ_b); a tie is half a win of each; the θ of items that are linked add to 0.

    Args:
        of: the comparisons.
        prior: comparisons that are added to each pair that was compared, half of them won by either item; with some
            every θ is finite.

    Source: Bradley and Terry, Biometrika 1952; Ford, American Mathematical Monthly 1957 (where θ are finite).
    """
    from scipy.special import expit, log_expit

    return _of_halves(of, prior, log_expit, lambda x: expit(-x))


def thurstone(of: Compared, prior: float = 0.0) -> Strengths:
    """P(a beats b) = Φ(θ_a − θ_b): case V of unit variance of differences; the rest as `bradley_terry`.

    Args:
        of: the comparisons.
        prior: as of `bradley_terry`.

    Source: Thurstone, Psychological Review 1927.
    """
    from scipy.special import log_ndtr

    return _of_halves(of, prior, log_ndtr, lambda x: np.exp(-0.5 * x * x - 0.5 * np.log(2 * np.pi) - log_ndtr(x)))


def davidson(of: Compared, prior: float = 0.0) -> Strengths:
    """P(a beats b) ∝ e^θ_a, of a tie ν·e^((θ_a + θ_b)/2): ties tell that two items are near.

    Without ties ν is 0.  It has no largest likelihood where strengths exist that lie at least 1 apart where one item
    beat the other, and at most 1 where they tied: then ν grows without bound.

    Args:
        of: the comparisons.
        prior: as of `bradley_terry`; it adds no ties.

    Source: Davidson, Journal of the American Statistical Association 1970; Albert and Anderson, Biometrika 1984 (where
    likelihoods of this kind have no maximum).
    """
    found, unit = of.scaled(prior)
    component, strong, status = _standing(found)
    # Where the strengths of two sets have no finite distance, what is between them tells nothing of ν.
    inside = found.where(strong[found.a] == strong[found.b])
    if not inside.ties.any():
        return replace(bradley_terry(of, prior), tie=0.0)
    up, down, tied = inside.wins > 0, inside.losses > 0, inside.ties > 0
    near = (np.concatenate([inside.a[tied], inside.b[tied]]), np.concatenate([inside.b[tied], inside.a[tied]]))
    above = (np.concatenate([inside.a[up], inside.b[down]]), np.concatenate([inside.b[up], inside.a[down]]))
    if rising(*above, *near, of.k):
        nan = np.full(of.k, np.nan)
        return Strengths(nan, nan, component, ["unbounded" if x == "converged" else x for x in status], np.inf)

    def slope(of: Compared, theta: Array) -> tuple[float, Array, Array]:
        a, b, k, ties = of.a, of.b, of.k, of.ties
        half, n = (theta[a] - theta[b]) / 2, of.wins + of.losses + ties
        logs = np.stack([half, -half, np.full(len(a), theta[k])])
        logs = logs - np.logaddexp.reduce(logs, axis=0)
        p = np.exp(logs)
        either = p[0] + p[1]
        # By half the difference, and by log ν; no small number is what two large ones leave.
        residual = of.wins * (2 * p[1] + p[2]) - of.losses * (2 * p[0] + p[2]) - ties * (p[0] - p[1])
        gradient, information = _paired(of, residual / 2, n * (4 * p[0] * p[1] + p[2] * either) / 4)
        gradient = np.append(gradient, (ties * either - (of.wins + of.losses) * p[2]).sum())
        wide = np.zeros((k + 1, k + 1))
        wide[:k, :k] = information
        cross = -n * (p[0] - p[1]) * p[2] / 2
        np.add.at(wide[k], a, cross)
        np.add.at(wide[k], b, -cross)
        wide[:k, k] = wide[k, :k]
        wide[k, k] = (n * p[2] * either).sum()
        return float(of.wins @ logs[0] + of.losses @ logs[1] + ties @ logs[2]), gradient, wide

    theta, se, outcome = _solved(inside, slope, strong, more=1)
    return _shown(theta, se / np.sqrt(unit), component, [outcome if x == "converged" else x for x in status])


def _of_halves(of: Compared, prior: float, log: Callable[[Array], Array], ratio: Callable[[Array], Array]) -> Strengths:
    """Σ won·log F(x) + lost·log F(−x) at its largest, x = θ_a − θ_b, a tie half of each; `ratio` is F′/F."""

    def slope(of: Compared, theta: Array) -> tuple[float, Array, Array]:
        won, lost = of.wins + of.ties / 2, of.losses + of.ties / 2
        x = theta[of.a] - theta[of.b]
        up, down = ratio(x), ratio(-x)
        value = float(won @ log(x) + lost @ log(-x))
        return value, *_paired(of, won * up - lost * down, (won + lost) * up * down)

    found, unit = of.scaled(prior)
    component, _, status = _standing(found)
    theta, se = np.full(of.k, np.nan), np.full(of.k, np.nan)
    # Each set of linked items has a likelihood of its own.
    for part in np.unique(component[np.array(status) == "converged"]):
        items = np.flatnonzero(component == part)
        pairs = found.where(component[found.a] == part)
        at = np.searchsorted(items, np.stack([pairs.a, pairs.b]))
        own = replace(pairs, a=at[0], b=at[1], k=len(items))
        theta[items], se[items], outcome = _solved(own, slope, np.zeros(len(items), np.int64))
        for i in items:
            status[i] = outcome
    return _shown(theta, se / np.sqrt(unit), component, status)


def _shown(theta: Array, se: Array, component: Whole, status: list[str]) -> Strengths:
    """Strengths, NaN where the status says that there are none."""
    k = len(status)
    there = ~np.isin(status, ["unbounded", "alone"])
    tie = float(np.exp(theta[k])) if len(theta) > k else float("nan")
    return Strengths(np.where(there, theta[:k], np.nan), np.where(there, se, np.nan), component, status, tie)


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


def _standing(of: Compared) -> tuple[Whole, Whole, list[str]]:
    """Of each item its component, the set in which each is linked to each by wins and ties, and its status so far."""
    up, down = of.wins + of.ties > 0, of.losses + of.ties > 0
    component = linked(of.a, of.b, of.k)
    beats = (np.concatenate([of.a[up], of.b[down]]), np.concatenate([of.b[up], of.a[down]]))
    strong = linked(*beats, of.k, both_ways=True)
    size, whole = np.bincount(component), np.bincount(strong)[strong] == np.bincount(component)[component]
    status = [
        "alone" if size[c] == 1 else "converged" if ok else "unbounded" for ok, c in zip(whole, component, strict=True)
    ]
    return component, strong, status


def _solved(of: Compared, slope: Slope, sets: Whole, more: int = 0) -> tuple[Array, Array, str]:
    """The strengths of the largest likelihood, and `more` parameters; their standard errors; and how it went.

    Args:
        of: the comparisons, all of which are within sets.
        slope: the likelihood.
        sets: of each item, which set it is in; the strengths of a set add to 0.
        more: how many parameters there are besides.
    """
    k, n = of.k, np.bincount(sets)
    # One strength of each set is held, for differences alone count.
    free = np.ones(k + more, dtype=bool)
    free[np.unique(sets, return_index=True)[1]] = False

    def centred(theta: Array) -> Array:
        theta[:k] -= (np.bincount(sets, weights=theta[:k]) / n)[sets]
        return theta

    theta, outcome = climbed(lambda x: slope(of, x), np.zeros(k + more), free, centred)
    if outcome != "converged":
        return theta if outcome == "not_converged" else theta * np.nan, np.full(k, np.nan), outcome
    covariance = np.zeros((k + more, k + more))
    try:
        covariance[np.ix_(free, free)] = inverse(slope(of, theta)[2][np.ix_(free, free)])
    except LinAlgError:
        return theta, np.full(k, np.nan), "singular"
    same = sets[:, None] == sets
    shared = np.where(same, covariance[:k, :k], 0.0)
    of_item = shared.sum(axis=1) / n[sets]
    variance = np.diagonal(shared) - 2 * of_item + (np.bincount(sets, weights=of_item) / n)[sets]
    return theta, np.sqrt(np.maximum(variance, 0.0)), "converged"
