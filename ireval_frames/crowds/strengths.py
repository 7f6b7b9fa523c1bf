"""Strengths of items from paired comparisons: Bradley and Terry's, Thurstone's and Davidson's models."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ireval_frames.crowds.answers import Array, Whole, sums
from ireval_frames.crowds.graph import components, heights_exist
from ireval_frames.crowds.newton import LinAlgError, inverse, maximize


@dataclass(frozen=True, eq=False)
class Strengths:
    """The strengths that comparisons estimate.

    Attributes:
        value, se: of each item; NaN where undefined.
        component: of each item, its connected component in the graph of comparisons.
        status: of each item: "converged"; "unbounded" (the likelihood has no maximum: some items of the component never
            win against the others, or never lose; or ν has no bound); "singular" (the information matrix has no
            inverse); "not_converged"; "alone" (compared with no other item).
        tie: ν of Davidson's model.
    """

    value: Array
    se: Array
    component: Whole
    status: list[str]
    tie: float = float("nan")


@dataclass(frozen=True, eq=False)
class Compared:
    """The outcomes of comparisons, a row per pair of items.

    Attributes:
        a, b: the items of each pair.
        wins, losses, ties: how often the first won, the second, neither.
        k: the number of items.
    """

    a: Whole
    b: Whole
    wins: Array
    losses: Array
    ties: Array
    k: int

    def where(self, pairs: NDArray[np.bool_]) -> Compared:
        """These pairs only."""
        return Compared(self.a[pairs], self.b[pairs], self.wins[pairs], self.losses[pairs], self.ties[pairs], self.k)

    def scaled(self, prior: float) -> tuple[Compared, float]:
        """The comparisons with half a prior added to the wins and losses of each pair, divided by the largest number.

        Returns:
            The comparisons, and the divisor.
        """
        counts = (self.wins, self.losses, self.ties)
        unit = max([prior, *(float(x.max(initial=0.0)) for x in counts)]) or 1.0
        wins, losses, ties = (x / unit for x in counts)
        more = prior / unit / 2
        return replace(self, wins=wins + more, losses=losses + more, ties=ties), unit


# The log-likelihood of comparisons at strengths, its gradient, and the information matrix.
Likelihood = Callable[[Compared, Array], tuple[float, Array, Array]]


def bradley_terry(of: Compared, prior: float = 0.0) -> Strengths:
    """P(a beats b) = σ(θ_a − θ_b); a tie is half a win of each; the θ of a connected component add to 0.

    Args:
        of: the comparisons.
        prior: the number of comparisons that are added to each compared pair, half of them won by either item; above 0
            every θ is finite.

    Source: Bradley and Terry, Biometrika 1952; Ford, American Mathematical Monthly 1957 (where θ are finite).
    """
    from scipy.special import expit, log_expit

    return _of_halves(of, prior, log_expit, lambda x: expit(-x))


def thurstone(of: Compared, prior: float = 0.0) -> Strengths:
    """P(a beats b) = Φ(θ_a − θ_b): case V, differences have unit variance; the rest as `bradley_terry`.

    Args:
        of: the comparisons.
        prior: as of `bradley_terry`.

    Source: Thurstone, Psychological Review 1927.
    """
    from scipy.special import log_ndtr

    return _of_halves(of, prior, log_ndtr, lambda x: np.exp(-0.5 * x * x - 0.5 * np.log(2 * np.pi) - log_ndtr(x)))


def davidson(of: Compared, prior: float = 0.0) -> Strengths:
    """P(a beats b) ∝ e^θ_a, of a tie ν·e^((θ_a + θ_b)/2): ties mean that two items are near.

    Without ties ν is 0.  The likelihood has no maximum, since ν grows without bound, where strengths exist that differ
    by at least 1 for all pairs in which one item won, and by at most 1 for all pairs that tied.

    Args:
        of: the comparisons.
        prior: as of `bradley_terry`; it adds no ties.

    Source: Davidson, Journal of the American Statistical Association 1970; Albert and Anderson, Biometrika 1984 (where
    likelihoods of this kind have no maximum).
    """
    scaled, unit = of.scaled(prior)
    component, strong, status = links_of(scaled)
    # Pairs between strong components have no finite difference of strengths, and do not inform ν.
    inside = scaled.where(strong[scaled.a] == strong[scaled.b])
    if not inside.ties.any():
        return replace(bradley_terry(of, prior), tie=0.0)
    up, down, tied = inside.wins > 0, inside.losses > 0, inside.ties > 0
    near = (np.concatenate([inside.a[tied], inside.b[tied]]), np.concatenate([inside.b[tied], inside.a[tied]]))
    above = (np.concatenate([inside.a[up], inside.b[down]]), np.concatenate([inside.b[up], inside.a[down]]))
    if heights_exist(*above, *near, of.k):
        nan = np.full(of.k, np.nan)
        return Strengths(nan, nan, component, ["unbounded" if x == "converged" else x for x in status], np.inf)

    def likelihood(of: Compared, theta: Array) -> tuple[float, Array, Array]:
        a, b, k, ties = of.a, of.b, of.k, of.ties
        half, n = (theta[a] - theta[b]) / 2, of.wins + of.losses + ties
        logs = np.stack([half, -half, np.full(len(a), theta[k])])
        logs = logs - np.logaddexp.reduce(logs, axis=0)
        p = np.exp(logs)
        either = p[0] + p[1]
        # Derivatives by half the difference and by log ν, without cancellation.
        residual = of.wins * (2 * p[1] + p[2]) - of.losses * (2 * p[0] + p[2]) - ties * (p[0] - p[1])
        gradient, information = paired(of, residual / 2, n * (4 * p[0] * p[1] + p[2] * either) / 4)
        gradient = np.append(gradient, (ties * either - (of.wins + of.losses) * p[2]).sum())
        wide = np.zeros((k + 1, k + 1))
        wide[:k, :k] = information
        cross = -n * (p[0] - p[1]) * p[2] / 2
        np.add.at(wide[k], a, cross)
        np.add.at(wide[k], b, -cross)
        wide[:k, k] = wide[k, :k]
        wide[k, k] = (n * p[2] * either).sum()
        return float(of.wins @ logs[0] + of.losses @ logs[1] + ties @ logs[2]), gradient, wide

    theta, covariance, outcome = fit(inside, likelihood, strong, extra=1)
    return _defined(
        theta, errors(covariance, of.k) / np.sqrt(unit), component, [outcome if x == "converged" else x for x in status]
    )


def _of_halves(of: Compared, prior: float, log: Callable[[Array], Array], ratio: Callable[[Array], Array]) -> Strengths:
    """The maximum of Σ won·log F(x) + lost·log F(−x), x = θ_a − θ_b, ties half of each; `ratio` is F′/F."""

    def likelihood(of: Compared, theta: Array) -> tuple[float, Array, Array]:
        won, lost = of.wins + of.ties / 2, of.losses + of.ties / 2
        x = theta[of.a] - theta[of.b]
        up, down = ratio(x), ratio(-x)
        value = float(won @ log(x) + lost @ log(-x))
        return value, *paired(of, won * up - lost * down, (won + lost) * up * down)

    scaled, unit = of.scaled(prior)
    component, _, status = links_of(scaled)
    theta, se = np.full(of.k, np.nan), np.full(of.k, np.nan)
    # Each component has a likelihood of its own.
    for part in np.unique(component[np.array(status) == "converged"]):
        items = np.flatnonzero(component == part)
        pairs = scaled.where(component[scaled.a] == part)
        at = np.searchsorted(items, np.stack([pairs.a, pairs.b]))
        own = replace(pairs, a=at[0], b=at[1], k=len(items))
        theta[items], covariance, outcome = fit(own, likelihood, np.zeros(len(items), np.int64))
        se[items] = errors(covariance, len(items))
        for i in items:
            status[i] = outcome
    return _defined(theta, se / np.sqrt(unit), component, status)


def _defined(theta: Array, se: Array, component: Whole, status: list[str]) -> Strengths:
    """Strengths, NaN where the status says that they are undefined."""
    k = len(status)
    defined = ~np.isin(status, ["unbounded", "alone"])
    tie = float(np.exp(theta[k])) if len(theta) > k else float("nan")
    return Strengths(np.where(defined, theta[:k], np.nan), np.where(defined, se, np.nan), component, status, tie)


def paired(of: Compared, residual: Array, weight: Array) -> tuple[Array, Array]:
    """The gradient and the information matrix of a likelihood of differences."""
    a, b, k = of.a, of.b, of.k
    gradient = sums(a, residual, k) - sums(b, residual, k)
    information = np.zeros((k, k))
    np.add.at(information, (a, b), -weight)
    np.add.at(information, (b, a), -weight)
    np.fill_diagonal(information, 0.0)
    np.fill_diagonal(information, -information.sum(axis=1))
    return gradient, information


def links_of(of: Compared) -> tuple[Whole, Whole, list[str]]:
    """The component of each item, its strong component by wins and ties, and its status before the fit."""
    up, down = of.wins + of.ties > 0, of.losses + of.ties > 0
    component = components(of.a, of.b, of.k)
    beats = (np.concatenate([of.a[up], of.b[down]]), np.concatenate([of.b[up], of.a[down]]))
    strong = components(*beats, of.k, strong=True)
    size = np.bincount(component)
    connected = np.bincount(strong)[strong] == size[component]
    status = [
        "alone" if size[c] == 1 else "converged" if ok else "unbounded"
        for ok, c in zip(connected, component, strict=True)
    ]
    return component, strong, status


def fit(
    of: Compared, likelihood: Likelihood, sets: Whole, extra: int = 0, start: Array | None = None
) -> tuple[Array, Array, str]:
    """The strengths of the largest likelihood with extra parameters, their covariances, and the outcome of the fit.

    Args:
        of: the comparisons, all of them within sets.
        likelihood: the likelihood.
        sets: the set of each item; the strengths of a set add to 0.
        extra: the number of further parameters.
        start: the first parameters; 0 by default.
    """
    k, n = of.k, np.bincount(sets)
    free = fixed_first(sets, extra)

    def centred(theta: Array) -> Array:
        theta[:k] -= (np.bincount(sets, weights=theta[:k]) / n)[sets]
        return theta

    first = np.zeros(k + extra) if start is None else start
    theta, outcome = maximize(lambda x: likelihood(of, x), first, free, centred)
    nowhere = np.full((k + extra, k + extra), np.nan)
    if outcome != "converged":
        return theta if outcome == "not_converged" else theta * np.nan, nowhere, outcome
    covariance = np.zeros_like(nowhere)
    try:
        covariance[np.ix_(free, free)] = inverse(likelihood(of, theta)[2][np.ix_(free, free)])
    except LinAlgError:
        return theta, nowhere, "singular"
    return theta, about_means(covariance, sets), "converged"


def fixed_first(sets: Whole, extra: int = 0) -> NDArray[np.bool_]:
    """Which parameters are free: one strength of each set is fixed, as only differences matter."""
    free = np.ones(len(sets) + extra, dtype=bool)
    free[np.unique(sets, return_index=True)[1]] = False
    return free


def about_means(covariance: Array, sets: Whole) -> Array:
    """The covariances of strengths minus the mean of their set; parameters after the strengths stay."""
    k = len(sets)
    mean = np.zeros_like(covariance)
    mean[:k, :k] = (sets[:, None] == sets) / np.bincount(sets)[sets]
    left = covariance - mean @ covariance
    return np.asarray(left - left @ mean.T)


def errors(covariance: Array, k: int) -> Array:
    """The standard errors of the first k parameters."""
    return np.sqrt(np.maximum(np.diagonal(covariance)[:k], 0.0))
