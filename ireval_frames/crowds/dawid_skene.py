"""Dawid and Skene's model: every rater has a matrix of confusions."""

from __future__ import annotations

import functools
import os
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from ireval_frames.crowds.answers import MOST_CELLS, SMALLEST, Answers, Array, Consensus, iterated, normalised, softmax
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
        tol: it stops where the log-likelihood of a unit grows by less, on the mean.
        smoothing: answers that are added to every confusion (the mode under a Dirichlet prior of 1 + smoothing).
        hard: in each step a unit has its likeliest label alone (fast Dawid-Skene).

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
    n_parts = 1 if len(answers.unit) < MANY else 4 if r * k * k <= MOST_CELLS >> 5 else 2
    parts = answers.given(n_parts)
    found: dict[str, Array] = {}

    def counted(part: tuple[slice, Any], sure: Array) -> Array:
        # Read by columns: what is added to are the raters' counts, which lie nearer than the units.
        return np.asarray(part[1].T @ sure[part[0]])

    def expected(part: tuple[slice, Any], log_theta: Array, log_prior: Array) -> tuple[Array, Array]:
        return softmax(np.asarray(part[1] @ log_theta) + log_prior)

    def step(posterior: Array) -> tuple[Array, Array]:
        sure = _certain(posterior) if hard else posterior
        added = functools.reduce(np.add, threads.map(lambda p: counted(p, sure), parts))
        counts = added.reshape(r, k, k) + smoothing
        total = counts.sum(axis=1, keepdims=True)
        theta = np.divide(counts, total, out=np.full_like(counts, 1.0 / k), where=total > 0)
        prior = sure.mean(axis=0)
        found.update(theta=theta, prior=prior)
        logs = [np.log(np.clip(x, SMALLEST, None)) for x in (theta.reshape(r * k, k), prior)]
        made = list(threads.map(lambda p: expected(p, *logs), parts))
        return answers.known(np.concatenate([m for m, _ in made])), np.concatenate([x for _, x in made])

    start = answers.known(normalised(answers.votes()))
    with ThreadPoolExecutor(min(n_parts, os.cpu_count() or 1)) as threads:
        posterior, n, converged, total = iterated(start, step, max_iter, tol)
    theta, prior = found["theta"], found["prior"]
    right = np.diagonal(theta, axis1=1, axis2=2) @ prior
    return Consensus(posterior, right, theta, prior, n, converged, total)


def _certain(posterior: Array) -> Array:
    out = np.zeros_like(posterior)
    out[np.arange(len(out)), posterior.argmax(axis=1)] = 1.0
    return out
