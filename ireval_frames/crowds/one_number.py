"""Models with one number per rater: how often they are right, or how often they do not guess."""

from __future__ import annotations

import numpy as np

from ireval_frames.crowds.answers import SMALLEST, Answers, Array, Consensus, iterated, normalised, sums


def one_coin(answers: Answers, *, max_iter: int = 100, tol: float = 1e-5) -> Consensus:
    """Dawid and Skene's model with one number per rater: right with s_r, any other label with (1 − s_r)/(k − 1).

    Args:
        answers: the answers.
        max_iter: the largest number of steps.
        tol: it stops where the mean log-likelihood per item grows by less.

    Source: Zhang, Chen, Zhou and Jordan, JMLR 2016.
    """
    k, n = answers.n_labels, np.maximum(answers.n_of_rater, 1.0)
    estimates: dict[str, Array] = {}

    def step(posterior: Array) -> tuple[Array, Array, float]:
        skill = answers.right(posterior).sum(axis=1) / n
        prior = posterior.mean(axis=0)
        estimates.update(skill=skill, prior=prior)
        right, wrong = (np.log(np.clip(x, SMALLEST, None)) for x in (skill, (1.0 - skill) / max(1, k - 1)))
        logs = answers.votes(right - wrong) + np.log(np.clip(prior, SMALLEST, None))
        expected, likelihood = answers.expected(logs)
        wrongs = sums(answers.item, wrong[answers.rater], answers.n_items)
        return expected, likelihood + wrongs, 0.0

    posterior, steps, converged, total = iterated(answers.with_gold(normalised(answers.votes())), step, max_iter, tol)
    return Consensus(posterior, estimates["skill"], None, estimates["prior"], steps, converged, total)


def mace(
    answers: Answers,
    *,
    max_iter: int = 50,
    tol: float = 1e-5,
    smoothing: float | None = None,
    restarts: int = 10,
    seed: int = 0,
) -> Consensus:
    """MACE: a rater knows the label with the probability s_r, else draws from a distribution ξ_r of their own.

    P(l|c) = (1 − s_r)·ξ_r(l) + s_r·[l = c], all labels equally likely.  The best of several random starts of EM, by
    likelihood.

    Args:
        answers: the answers.
        max_iter: the largest number of steps of each start.
        tol: it stops where the mean log-likelihood per item grows by less.
        smoothing: pseudo-counts; by default 0.1 over the number of labels.
        restarts: the number of starts, each with draws of its own.
        seed: of the draws.

    Source: Hovy, Berg-Kirkpatrick, Vaswani and Hovy, NAACL 2013.
    """
    starts = [_mace(answers, max_iter, tol, smoothing, np.random.default_rng([seed, i])) for i in range(restarts)]
    return max(starts, key=lambda consensus: consensus.log_likelihood)


def _mace(answers: Answers, max_iter: int, tol: float, smoothing: float | None, rng: np.random.Generator) -> Consensus:
    r, k = answers.n_raters, answers.n_labels
    n, added = answers.counts(), 0.1 / k if smoothing is None else smoothing
    skill, guess = rng.uniform(0.5, 1.0, r), rng.dirichlet(np.full(k, 10.0), r)
    estimates = {"skill": skill, "guess": guess}

    def expected() -> tuple[Array, Array]:
        skill, guess = estimates["skill"][:, None], estimates["guess"]
        wrong = np.clip((1.0 - skill) * guess, SMALLEST, None)
        odds = np.log(wrong + skill) - np.log(wrong)
        posterior, likelihood = answers.expected(answers.votes(odds) - np.log(k))
        logs = np.log(wrong)[answers.rater, answers.label]
        return posterior, likelihood + sums(answers.item, logs, answers.n_items)

    def step(posterior: Array) -> tuple[Array, Array, float]:
        skill, guess = estimates["skill"][:, None], estimates["guess"]
        right = answers.right(posterior)
        guesses = np.clip((1.0 - skill) * guess, SMALLEST, None)
        knew = right * skill / (skill + guesses)
        spam = n - knew
        estimates["guess"] = normalised(spam + added)
        estimates["skill"] = (knew.sum(axis=1) + added) / (n.sum(axis=1) + 2.0 * added)
        shares = np.stack([estimates["skill"], 1.0 - estimates["skill"]])
        prior = np.log(np.maximum(estimates["guess"], SMALLEST)).sum() + np.log(np.maximum(shares, SMALLEST)).sum()
        return *expected(), added * float(prior)

    posterior, steps, converged, total = iterated(expected()[0], step, max_iter, tol)
    return Consensus(posterior, estimates["skill"], None, None, steps, converged, total)
