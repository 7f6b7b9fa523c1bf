"""Votes: the label that most raters gave, or those who agree with the others."""

from __future__ import annotations

import numpy as np

from ireval_frames.crowds.answers import Answers, Array, Consensus, Whole, normalised, sums

# The learning rate of zero-based skill is halved after so many steps.
HALVED = 20
# Skills and agreements that differ by no more than this are one.
APART = 1e-6


def winners(votes: Array) -> Whole:
    """The label with the most votes; of several the first of the scale."""
    found: Whole = votes.argmax(axis=1)
    return found


def accuracy(answers: Answers, label: Whole) -> Array:
    """The share of each rater's answers that are the label of their item; NaN for who has none."""
    hit = sums(answers.rater, (answers.label == label[answers.item]).astype(float), answers.n_raters)
    share: Array = np.divide(
        hit, answers.n_of_rater, out=np.full(answers.n_raters, np.nan), where=answers.n_of_rater > 0
    )
    return share


def majority(answers: Answers) -> Consensus:
    """The shares of the answers of an item; a rater's skill is the share of answers that are the majority's."""
    votes = answers.votes()
    posterior = answers.known(normalised(votes))
    return Consensus(posterior, accuracy(answers, winners(posterior)))


def weighted(answers: Answers, weight: Array) -> Consensus:
    """The same with a weight of each rater.

    Args:
        answers: the answers.
        weight: of each rater, not negative.
    """
    return Consensus(answers.known(normalised(answers.votes(weight))), weight)


def wawa(answers: Answers) -> Consensus:
    """Votes weighted by how often a rater agrees with the majority.

    Source: Appen, Worker Agreement with Aggregate; crowd-kit.
    """
    return weighted(answers, majority(answers).skill)


def zero_based(answers: Answers, max_iter: int = 100) -> Consensus:
    """Votes weighted by a skill that moves towards the agreement with the outcome: s ← s + η·(agreement − s).

    s begins at the share that chance gives; η is 1, and halved every 20 steps.  It converged where the agreement with
    the outcome is the skill, to 1e-6.

    Args:
        answers: the answers.
        max_iter: the most steps.

    Source: crowd-kit, ZeroBasedSkill.
    """
    skill, rate, n_iter, apart = np.full(answers.n_raters, 1.0 / answers.n_labels), 1.0, 0, np.inf
    while n_iter < max_iter and apart > 0:
        n_iter += 1
        if n_iter % HALVED == 0:
            rate *= 0.5
        missing = accuracy(answers, winners(answers.known(answers.votes(skill)))) - skill
        apart = float(np.abs(missing).max(initial=0.0))
        skill = skill + rate * missing
    made = weighted(answers, skill)
    return Consensus(made.posterior, skill, n_iter=n_iter, converged=apart <= APART)
