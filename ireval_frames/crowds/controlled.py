"""Bradley and Terry's strengths beside the effects of covariates: a logistic regression of comparisons."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ireval_frames.crowds.answers import Array, Whole, sums
from ireval_frames.crowds.newton import LinAlgError, inverse
from ireval_frames.crowds.strengths import Compared, about_means, errors, fit, fixed_first, links_of, paired


@dataclass(frozen=True, eq=False)
class Rows:
    """Comparisons with covariates.

    Attributes:
        a, b: the items of each.
        score: 1 where the first won, 0 where the second, between them for a tie.
        n: how often each occurred.
        x: comparisons × covariates, of the first item minus the second.
        cluster: what each belongs to, such as a prompt; −1 for comparisons of a prior.  None: each is one of its own.
        k: the number of items.
    """

    a: Whole
    b: Whole
    score: Array
    n: Array
    x: Array
    cluster: Whole | None
    k: int


@dataclass(frozen=True, eq=False)
class Controlled:
    """What a regression estimates.

    Attributes:
        value, se: of the strength of each item; NaN where undefined.
        effect: of each covariate.
        covariance: of strengths and effects.
        component, status: of each item, as of `Strengths`.
        n_clusters: of the sandwich; the number of comparisons if there are no clusters.
    """

    value: Array
    se: Array
    effect: Array
    covariance: Array
    component: Whole
    status: list[str]
    n_clusters: int


def controlled(rows: Rows, *, sandwich: bool = False, start: Array | None = None) -> Controlled:
    """P(a beats b) = σ(θ_a − θ_b + x·β); the θ of a connected component add to 0.

    The covariance is the inverse information H⁻¹, or H⁻¹GH⁻¹, where G = C/(C − 1)·Σ g gᵀ over the gradients g of C
    clusters.  Where β has no finite value the outcome is "singular" or "not_converged".

    Args:
        rows: the comparisons.
        sandwich: whether the covariance is that of clusters.
        start: strengths and effects to start from.

    Source: Liang and Zeger, Biometrika 1986 (the sandwich); Li and others, Does Style Matter?, 2024 (style).
    """
    from scipy.special import expit, log_expit

    k, m = rows.k, rows.x.shape[1]
    component, strong, status = links_of(_counted(rows))
    inside = (strong[rows.a] == strong[rows.b]) & (rows.n > 0)
    a, b, score, n, x = (v[inside] for v in (rows.a, rows.b, rows.score, rows.n, rows.x))
    of = Compared(a, b, n * score, n * (1 - score), np.zeros(len(a)), k)

    def residual(theta: Array) -> tuple[Array, Array]:
        d = theta[a] - theta[b] + x @ theta[k:]
        return d, score - expit(d)

    def likelihood(of: Compared, theta: Array) -> tuple[float, Array, Array]:
        d, r = residual(theta)
        p = expit(d)
        w = n * p * (1 - p)
        value = float((n * score) @ log_expit(d) + (n * (1 - score)) @ log_expit(-d))
        gradient, information = paired(of, n * r, w)
        wide = np.zeros((k + m, k + m))
        wide[:k, :k] = information
        weighted = x * w[:, None]
        for j in range(m):
            wide[:k, k + j] = wide[k + j, :k] = sums(a, weighted[:, j], k) - sums(b, weighted[:, j], k)
        wide[k:, k:] = x.T @ weighted
        return value, np.concatenate([gradient, x.T @ (n * r)]), wide

    theta, covariance, outcome = fit(of, likelihood, strong, extra=m, start=start)
    size = int(n.sum()) if rows.cluster is None else len(np.unique(rows.cluster[rows.cluster >= 0]))
    if sandwich and outcome == "converged":
        cluster = None if rows.cluster is None else rows.cluster[inside]
        try:
            free = fixed_first(strong, m)
            bread = np.zeros_like(covariance)
            bread[np.ix_(free, free)] = inverse(likelihood(of, theta)[2][np.ix_(free, free)])
            meat = _meat(a, b, x, residual(theta)[1], n, cluster, k)
            factor = size / (size - 1) if size > 1 else np.nan
            covariance = about_means(factor * bread @ meat @ bread, strong)
        except LinAlgError:
            outcome = "singular"
    status = [outcome if s == "converged" else s for s in status]
    undefined = np.isin(status, ["unbounded", "alone"])
    value, se = (np.where(undefined, np.nan, v) for v in (theta[:k], errors(covariance, k)))
    return Controlled(value, se, theta[k:], covariance, component, status, size)


def _counted(rows: Rows) -> Compared:
    """The comparisons by pair of items."""
    low, high, swapped = np.minimum(rows.a, rows.b), np.maximum(rows.a, rows.b), rows.a > rows.b
    pair, place = np.unique(low * rows.k + high, return_inverse=True)
    points = np.where(swapped, 1 - rows.score, rows.score)
    won, lost = (sums(place, rows.n * p, len(pair)) for p in (points, 1 - points))
    return Compared(pair // rows.k, pair % rows.k, won, lost, np.zeros(len(pair)), rows.k).where(won + lost > 0)


def _meat(a: Whole, b: Whole, x: Array, residual: Array, n: Array, cluster: Whole | None, k: int) -> Array:
    """Σ g gᵀ over the gradients g of clusters, or of single comparisons."""
    from scipy.sparse import csr_matrix

    r, m = len(a), x.shape[1]
    # A comparison that occurred n times has n gradients; those of a cluster are added first.
    each = residual * (np.sqrt(n) if cluster is None else n)
    at = np.arange(r)
    columns = [a, b, *(np.full(r, k + j) for j in range(m))]
    values = [each, -each, *(each * x[:, j] for j in range(m))]
    design = csr_matrix((np.concatenate(values), (np.tile(at, m + 2), np.concatenate(columns))), shape=(r, k + m))
    if cluster is not None:
        known = cluster >= 0
        own = np.unique(cluster[known], return_inverse=True)[1]
        member = csr_matrix((np.ones(len(own)), (own, at[known])), shape=(int(own.max(initial=-1)) + 1, r))
        design = member @ design
    return np.asarray((design.T @ design).toarray())
