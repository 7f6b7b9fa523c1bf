"""Models in which a rater has one number: how often right, or how often not guessing."""

from __future__ import annotations

import numpy as np

from ireval_frames.crowds.answers import SMALLEST, Answers, Array, Consensus, iterated, normalised, sums


def one_coin(answers: Answers, *, max_iter: int = 100, tol: float = 1e-5) -> Consensus:
    """Dawid and Skene's model with one number each: right with s_r, any other label with (1 − s_r)/(k − 1).

    Args:
        answers: the answers.
        max_iter: the most steps.
        tol: it stops where the log-likelihood of an item grows by less, on the mean.

    Source: Zhang, Chen, Zhou and Jordan, JMLR 2016.
    """
    k, n = answers.n_labels, np.maximum(answers.n_of_rater, 1.0)
    found: dict[str, Array] = {}

    def step(posterior: Array) -> tuple[Array, Array, float]:
        skill = answers.right(posterior).sum(axis=1) / n
        prior = posterior.mean(axis=0)
        found.update(skill=skill, prior=prior)
        right, wrong = (np.log(np.clip(x, SMALLEST, None)) for x in (skill, (1.0 - skill) / max(1, k - 1)))
        logs = answers.votes(right - wrong) + np.log(np.clip(prior, SMALLEST, None))
        made, likelihood = answers.expected(logs)
        wrongs = sums(answers.item, wrong[answers.rater], answers.n_items)
        return made, likelihood + wrongs, 0.0

    posterior, steps, converged, total = iterated(answers.known(normalised(answers.votes())), step, max_iter, tol)
    return Consensus(posterior, found["skill"], None, found["prior"], steps, converged, total)


def mace(
    answers: Answers,
    *,
    max_iter: int = 50,
    tol: float = 1e-5,
    smoothing: float | None = None,
    restarts: int = 10,
    seed: int = 0,
) -> Consensus:
    """MACE: a rater knows the label with the probability of the skill, else draws from labels of their own.

    P(l|c) = (1 − s_r)·ξ_r(l) + s_r·[l = c], every label as likely as others.  EM from random starts, of which the one
    of the highest likelihood stays.

    Args:
        answers: the answers.
        max_iter: the most steps of each start.
        tol: it stops where the log-likelihood of an item grows by less, on the mean.
        smoothing: what is added to counts; by default 0.1 shared by the labels.
        restarts: how many starts, each with draws of its own.
        seed: of the draws.

    Source: Hovy, Berg-Kirkpatrick, Vaswani and Hovy, NAACL 2013.
    """
    starts = [_mace(answers, max_iter, tol, smoothing, np.random.default_rng([seed, i])) for i in range(restarts)]
    return max(starts, key=lambda found: found.log_likelihood)


def _mace(answers: Answers, max_iter: int, tol: float, smoothing: float | None, rng: np.random.Generator) -> Consensus:
    r, k = answers.n_raters, answers.n_labels
    n, added = answers.all_of(), 0.1 / k if smoothing is None else smoothing
    skill, guess = rng.uniform(0.5, 1.0, r), rng.dirichlet(np.full(k, 10.0), r)
    found = {"skill": skill, "guess": guess}

    def expected() -> tuple[Array, Array]:
        skill, guess = found["skill"][:, None], found["guess"]
        wrong = np.clip((1.0 - skill) * guess, SMALLEST, None)
        odds = np.log(wrong + skill) - np.log(wrong)
        made, likelihood = answers.expected(answers.votes(odds) - np.log(k))
        logs = np.log(wrong)[answers.rater, answers.label]
        return made, likelihood + sums(answers.item, logs, answers.n_items)

    def step(posterior: Array) -> tuple[Array, Array, float]:
        skill, guess = found["skill"][:, None], found["guess"]
        right = answers.right(posterior)
        guessed = np.clip((1.0 - skill) * guess, SMALLEST, None)
        knew = right * skill / (skill + guessed)
        spam = n - knew
        found["guess"] = normalised(spam + added)
        found["skill"] = (knew.sum(axis=1) + added) / (n.sum(axis=1) + 2.0 * added)
        sure = np.stack([found["skill"], 1.0 - found["skill"]])
        prior = np.log(np.maximum(found["guess"], SMALLEST)).sum() + np.log(np.maximum(sure, SMALLEST)).sum()
        return *expected(), added * float(prior)

    posterior, steps, converged, total = iterated(expected()[0], step, max_iter, tol)
    return Consensus(posterior, found["skill"], None, None, steps, converged, total)
