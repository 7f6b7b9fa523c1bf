"""Dawid and Skene's model: every rater has a matrix of confusions."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from ireval_frames.crowds.answers import MOST_CELLS, SMALLEST, Answers, Array, Consensus, iterated, normalised, sums
from ireval_frames.crowds.products import Products
from ireval_frames.errors import NotDefined

# Fewer answers than these are not worth threads.
MANY = 100_000


def dawid_skene(
    answers: Answers, *, max_iter: int = 100, tol: float = 1e-5, smoothing: float = 0.0, hard: bool = False
) -> Consensus:
    """EM: π_c the mean posterior, θ_r(l|c) ∝ Σ_i T_ic over the answers l of r, T_uc ∝ π_c·Π θ_r(l|c).

    It begins with the shares of the answers.  θ below 1e-10 is 1e-10.

    Args:
        answers: the answers.
        max_iter: the most steps.
        tol: it stops where the log-likelihood of an item grows by no more, on the mean.
        smoothing: answers that are added to every confusion (the mode under a Dirichlet prior of 1 + smoothing).
        hard: in each step an item has its likeliest label alone (fast Dawid-Skene).

    Raises:
        NotDefined: there are too many raters and labels for their confusions.

    Source: Dawid and Skene, Applied Statistics 1979; Sinha, Rao and Balasubramanian, 2018 (hard).
    """
    r, k = answers.n_raters, answers.n_labels
    if r * k * k > MOST_CELLS:
        raise NotDefined(
            f"{r} raters have {k}² confusions each, which is more than fit.", 'Write aggregate("one-coin").'
        )
    # Each part adds up by itself, so that threads change no number.
    n_parts = 1 if len(answers.item) < MANY else 2
    parts, products = answers.given(n_parts), Products(answers, n_parts)
    found: dict[str, Array] = {}

    def counted(part: tuple[slice, Any], sure: Array) -> tuple[Array, Array]:
        here = sure[part[0]]
        # Read by columns: what is added to are the raters' counts, which lie nearer than the items.  Sums of long
        # columns, and along short rows, are those of einsum, which is several times faster than `sum`.
        return np.asarray(part[1].T @ here), np.einsum("uc->c", here)

    def step(_: Array) -> tuple[Array, Array, float]:
        sure = _certain(posterior) if hard else posterior
        (counts, prior), *others = threads.map(lambda p: counted(p, sure), parts)
        for more in others:
            counts += more[0]
            prior += more[1]
        prior /= len(sure)
        theta = counts.reshape(r, k, k)
        theta += smoothing
        total = np.einsum("rlc->rc", theta)[:, None]
        if (total > 0).all():
            theta /= total
        else:
            theta = np.divide(theta, total, out=np.full_like(theta, 1.0 / k), where=total > 0)
        found.update(theta=theta, prior=prior)
        tables = np.maximum(theta.reshape(r * k, k), SMALLEST), np.maximum(prior, SMALLEST)
        list(threads.map(lambda fill: fill(), products.parts(*tables, posterior, likelihood)))
        if answers.gold is not None:
            # Of an item whose label is known the likelihood is that of this label.
            there = answers.gold >= 0
            rows, label = there[answers.item], answers.gold[answers.item]
            logs = np.log(tables[0][answers.places[rows], label[rows]])
            own = sums(answers.item[rows], logs, answers.n_items) + np.log(tables[1])[answers.gold]
            likelihood[there] = own[there]
        return answers.known(posterior), likelihood, smoothing * float(np.log(tables[0]).sum()) if smoothing else 0.0

    # One array holds all posteriors, each in the place of the one before.
    posterior = answers.known(normalised(answers.votes()))
    likelihood = np.empty(len(posterior))
    with ThreadPoolExecutor(min(n_parts, os.cpu_count() or 1)) as threads:
        posterior, n, converged, total = iterated(posterior, step, max_iter, tol)
    theta, prior = found["theta"], found["prior"]
    right = np.diagonal(theta, axis1=1, axis2=2) @ prior
    return Consensus(posterior, right, theta, prior, n, converged, total)


def _certain(posterior: Array) -> Array:
    out = np.zeros_like(posterior)
    out[np.arange(len(out)), posterior.argmax(axis=1)] = 1.0
    return out
