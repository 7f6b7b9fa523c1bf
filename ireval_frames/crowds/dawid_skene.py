"""Dawid and Skene's model: every rater has a confusion matrix."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import numpy as np

from ireval_frames.crowds.answers import MAX_CELLS, SMALLEST, Answers, Array, Consensus, iterated, normalised, sums
from ireval_frames.crowds.products import Products
from ireval_frames.errors import NotDefined

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

# With fewer answers threads do not pay.
MANY = 100_000


def dawid_skene(
    answers: Answers, *, max_iter: int = 100, tol: float = 1e-5, smoothing: float = 0.0, hard: bool = False
) -> Consensus:
    """EM: π_c the mean posterior, θ_r(l|c) ∝ Σ_i T_ic over the answers l of r, T_uc ∝ π_c·Π θ_r(l|c).

    It begins with the shares of the answers.  θ below 1e-10 is 1e-10.

    Args:
        answers: the answers.
        max_iter: the largest number of steps.
        tol: it stops where the mean log-likelihood per item grows by no more.
        smoothing: pseudo-counts added to every confusion (the mode under a Dirichlet prior of 1 + smoothing).
        hard: each step assigns every item its likeliest label (fast Dawid-Skene).

    Raises:
        NotDefined: there are too many raters and labels for confusion matrices.

    Source: Dawid and Skene, Applied Statistics 1979; Sinha, Rao and Balasubramanian, 2018 (hard).
    """
    r, k = answers.n_raters, answers.n_labels
    if r * k * k > MAX_CELLS:
        raise NotDefined(
            f"The confusion matrices of {r} raters and {k} labels are too large.", 'Write aggregate("one-coin").'
        )
    # Each part has sums of its own, so that threads change no number.
    n_parts = 1 if len(answers.item) < MANY else 2
    parts, products = answers.matrices(n_parts), Products(answers, n_parts)
    estimates: dict[str, Array] = {}

    def counts_of(part: tuple[slice, csr_matrix], posterior: Array) -> tuple[Array, Array]:
        rows = posterior[part[0]]
        # Transposed, the product adds to the raters' counts, which stay in the cache.  For long columns and short rows
        # einsum is several times faster than `sum`.
        return np.asarray(part[1].T @ rows), np.einsum("uc->c", rows)

    def step(_: Array) -> tuple[Array, Array, float]:
        assigned = _likeliest(posterior) if hard else posterior
        (counts, prior), *others = threads.map(lambda part: counts_of(part, assigned), parts)
        for other_counts, other_prior in others:
            counts += other_counts
            prior += other_prior
        prior /= len(assigned)
        theta = counts.reshape(r, k, k)
        theta += smoothing
        total = np.einsum("rlc->rc", theta)[:, None]
        if (total > 0).all():
            theta /= total
        else:
            theta = np.divide(theta, total, out=np.full_like(theta, 1.0 / k), where=total > 0)
        estimates.update(theta=theta, prior=prior)
        tables = np.maximum(theta.reshape(r * k, k), SMALLEST), np.maximum(prior, SMALLEST)
        list(threads.map(lambda fill: fill(), products.parts(*tables, posterior, likelihood)))
        if answers.gold is not None:
            # The likelihood of an item whose label is known is that of this label.
            known = answers.gold >= 0
            rows, label = known[answers.item], answers.gold[answers.item]
            logs = np.log(tables[0][answers.places[rows], label[rows]])
            own = sums(answers.item[rows], logs, answers.n_items) + np.log(tables[1])[answers.gold]
            likelihood[known] = own[known]
        return (
            answers.with_gold(posterior),
            likelihood,
            smoothing * float(np.log(tables[0]).sum()) if smoothing else 0.0,
        )

    # Every step overwrites the posterior of the one before.
    posterior = answers.with_gold(normalised(answers.votes()))
    likelihood = np.empty(len(posterior))
    with ThreadPoolExecutor(min(n_parts, os.cpu_count() or 1)) as threads:
        posterior, n, converged, total = iterated(posterior, step, max_iter, tol)
    theta, prior = estimates["theta"], estimates["prior"]
    right = np.diagonal(theta, axis1=1, axis2=2) @ prior
    return Consensus(posterior, right, theta, prior, n, converged, total)


def _likeliest(posterior: Array) -> Array:
    """1 for the likeliest label of each item, else 0."""
    out = np.zeros_like(posterior)
    out[np.arange(len(out)), posterior.argmax(axis=1)] = 1.0
    return out
