"""Votes: the label of most raters, or of those who agree with others."""

from __future__ import annotations

import numpy as np

from ireval_frames.crowds.answers import Answers, Array, Consensus, Whole, normalised, sums

# The number of steps after which the learning rate of zero-based skill is halved.
HALF_LIFE = 20
# The largest difference of skill and agreement at which it has converged.
TOLERANCE = 1e-6


def winners(votes: Array) -> Whole:
    """The label with the most votes; of several the first of the scale."""
    labels: Whole = votes.argmax(axis=1)
    return labels


def accuracy(answers: Answers, label: Whole) -> Array:
    """The share of each rater's answers that are the label of their item; NaN without answers."""
    hits = sums(answers.rater, (answers.label == label[answers.item]).astype(float), answers.n_raters)
    share: Array = np.divide(
        hits, answers.n_of_rater, out=np.full(answers.n_raters, np.nan), where=answers.n_of_rater > 0
    )
    return share


def majority(answers: Answers) -> Consensus:
    """The shares of the answers of an item; a rater's skill is the share of answers that are the majority's."""
    votes = answers.votes()
    posterior = answers.with_gold(normalised(votes))
    return Consensus(posterior, accuracy(answers, winners(posterior)))


def weighted(answers: Answers, weight: Array) -> Consensus:
    """The weighted shares of the answers of an item.

    Args:
        answers: the answers.
        weight: of each rater, not negative; it is their skill, too.
    """
    return Consensus(answers.with_gold(normalised(answers.votes(weight))), weight)


def wawa(answers: Answers) -> Consensus:
    """Votes weighted by how often a rater agrees with the majority.

    Source: Appen, Worker Agreement with Aggregate; crowd-kit.
    """
    return weighted(answers, majority(answers).skill)


def zero_based(answers: Answers, max_iter: int = 100) -> Consensus:
    """Votes weighted by a skill that moves towards the agreement with the outcome: s ← s + η·(agreement − s).

    s begins at 1/k; η is 1, and halved every 20 steps.  It has converged where the agreement with the outcome equals
    the skill, to 1e-6.

    Args:
        answers: the answers.
        max_iter: the largest number of steps.

    Source: crowd-kit, ZeroBasedSkill.
    """
    skill, rate, n_iter, largest = np.full(answers.n_raters, 1.0 / answers.n_labels), 1.0, 0, np.inf
    while n_iter < max_iter and largest > 0:
        n_iter += 1
        if n_iter % HALF_LIFE == 0:
            rate *= 0.5
        difference = accuracy(answers, winners(answers.with_gold(answers.votes(skill)))) - skill
        largest = float(np.abs(difference).max(initial=0.0))
        skill = skill + rate * difference
    posterior = weighted(answers, skill).posterior
    return Consensus(posterior, skill, n_iter=n_iter, converged=largest <= TOLERANCE)
