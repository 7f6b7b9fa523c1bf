"""Karger, Oh and Shah's message passing between items and raters, for two labels."""

from __future__ import annotations

import numpy as np

from ireval_frames.crowds.answers import Answers, Consensus, sums
from ireval_frames.errors import NotDefined

# Messages that change by no more than this have converged.
TOLERANCE = 1e-6


def kos(answers: Answers, *, max_iter: int = 100, seed: int = 0) -> Consensus:
    """Messages x_{u→r} = Σ of the others' A·y, y_{r→u} = Σ over other items of A·x; the sign of Σ_r A·y is the label.

    A is 1 for the second label and −1 for the first; y starts normal, of mean and variance 1.  Messages are scaled in
    every step, which changes no sign.  It has converged where the last step changed no message by more than 1e-6 of the
    largest; messages whose signs alternate never do.  The posterior is 1 for the label, ½ where the sum is 0; the skill
    of a rater is Σ_i A·x, relative to the largest.

    Args:
        answers: the answers.
        max_iter: the largest number of steps.
        seed: of the first messages.

    Raises:
        NotDefined: there are more than two labels.

    Source: Karger, Oh and Shah, Operations Research 2014.
    """
    if answers.n_labels != 2:
        raise NotDefined(
            f"Karger, Oh and Shah's model is for two labels; there are {answers.n_labels}.",
            'Write aggregate("dawid-skene").',
        )
    sign = 2.0 * answers.label - 1.0
    y = np.random.default_rng(seed).normal(1.0, 1.0, len(sign))
    x, n_iter, converged = np.zeros_like(y), 0, False
    while n_iter < max_iter and not converged:
        n_iter, before = n_iter + 1, y
        sent = sign * y
        x = sums(answers.item, sent, answers.n_items)[answers.item] - sent
        back = sign * x
        y = sums(answers.rater, back, answers.n_raters)[answers.rater] - back
        largest = np.abs(y).max(initial=0.0)
        y = y / largest if largest > 0 else y
        converged = bool(np.abs(y - before).max(initial=0.0) <= TOLERANCE)
    score = sums(answers.item, sign * y, answers.n_items)
    skill = sums(answers.rater, sign * x, answers.n_raters)
    largest = np.abs(skill).max(initial=0.0)
    second = np.where(score > 0, 1.0, np.where(score < 0, 0.0, 0.5))
    posterior = answers.with_gold(np.stack([1.0 - second, second], axis=1))
    return Consensus(posterior, skill / largest if largest > 0 else skill, n_iter=n_iter, converged=converged)
