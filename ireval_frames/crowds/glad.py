"""GLAD: raters have abilities, items have difficulties."""

from __future__ import annotations

import numpy as np

from ireval_frames.crowds.answers import Answers, Array, Consensus, normalised, sums


def glad(answers: Answers, *, max_iter: int = 100, tol: float = 1e-5, inner: int = 25) -> Consensus:
    """An answer is right with σ(α_r·e^{b_i}), other labels are equally likely; α and b are N(1, 1).

    EM, each step of which maximises the expected log-likelihood by L-BFGS.  The difficulty of an item is e^{−b}.

    Args:
        answers: the answers.
        max_iter: the largest number of steps.
        tol: it stops where the mean bound per item grows by less.
        inner: the largest number of steps of L-BFGS.

    Source: Whitehill, Ruvolo, Wu, Bergsma and Movellan, NIPS 2009.
    """
    from scipy.optimize import minimize
    from scipy.special import log_expit

    r, k, u = answers.n_raters, answers.n_labels, answers.n_items
    theta = np.ones(r + u)
    posterior = answers.with_gold(normalised(answers.votes()))
    before, n_iter, converged, total = -np.inf, 0, False, -np.inf

    def expected(theta: Array) -> tuple[Array, Array]:
        x = theta[: answers.n_raters][answers.rater] * np.exp(theta[r:])[answers.item]
        right, wrong = log_expit(x), log_expit(-x) - np.log(max(1, k - 1))
        place = answers.item * k + answers.label
        logs = sums(place, right - wrong, u * k).reshape(u, k)
        logs += sums(answers.item, wrong, u)[:, None] - np.log(k)
        return answers.expected(logs)

    for _ in range(max_iter):
        n_iter += 1
        p = posterior[answers.item, answers.label]

        def loss(theta: Array, p: Array = p) -> tuple[float, Array]:
            alpha, e = theta[:r], np.exp(np.clip(theta[r:], -50, 50))
            a, b = alpha[answers.rater], e[answers.item]
            x = a * b
            logs = p * log_expit(x) + (1 - p) * (log_expit(-x) - np.log(max(1, k - 1)))
            slope = p - np.exp(log_expit(x))
            by_rater = sums(answers.rater, slope * b, r)
            by_item = sums(answers.item, slope * x, u)
            prior = theta - 1.0
            value = logs.sum() - 0.5 * (prior**2).sum()
            return -float(value), -(np.concatenate([by_rater, by_item]) - prior)

        theta = minimize(loss, theta, jac=True, method="L-BFGS-B", options={"maxiter": inner}).x
        posterior, likelihood = expected(theta)
        total = float(likelihood.sum())
        bound = float(total - 0.5 * ((theta - 1.0) ** 2).sum())
        if abs(bound - before) <= tol * u:
            converged = True
            break
        before = bound
    return Consensus(
        posterior, theta[:r], n_iter=n_iter, converged=converged, log_likelihood=total, difficulty=np.exp(-theta[r:])
    )
