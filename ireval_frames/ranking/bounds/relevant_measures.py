"""Measures of relevant documents as functions of lists whose first or last documents become relevant."""

from __future__ import annotations

import numpy as np

from ireval_frames.ranking.bounds.arrays import Array
from ireval_frames.ranking.bounds.by_number import EPSILON, Graded, Value


def average_precision(cutoff: int | None, *, retrievable: bool) -> Value:
    """AP, AP@k, over the relevant documents or as many of them as k ranks can hold."""

    def value(g: Graded) -> Array:
        weight = 1.0 / g.rank if cutoff is None else np.where(g.rank <= cutoff, 1.0 / g.rank, 0.0)
        relevant = g.num_relevant if cutoff is None or not retrievable else np.minimum(g.num_relevant, cutoff)
        return np.asarray(g.hit_sum(weight) / relevant)

    return value


def smoothed_average_precision(g: Graded) -> Array:
    """YAAP."""
    total = g.hit_sum(1.0 / g.rank)
    return np.asarray(np.log((1.0 + total) / (1.0 + g.num_relevant - total)))


def set_average_precision(g: Graded) -> Array:
    """SetAP."""
    return np.asarray(g.num_hits**2 / (g.size[:, None] * g.num_relevant))


def relative_set_precision(g: Graded) -> Array:
    """SetP(relative=True)."""
    return np.asarray(g.num_hits / np.minimum(g.size[:, None], g.num_relevant))


def set_f(beta: float) -> Value:
    """SetF."""
    square = beta * beta
    return lambda g: (1.0 + square) * g.num_hits / (square * g.num_relevant + g.size[:, None])


def break_even(g: Graded) -> Array:
    """BEP, undefined for lists shorter than the number of relevant documents."""
    depth = g.num_relevant[..., None]
    hits = np.where(g.rank <= depth, g.is_hit, 0.0).sum(axis=2)
    return np.asarray(np.where(g.size[:, None] >= g.num_relevant, hits / g.num_relevant, np.nan))


def pairs_in_order(last: int | None) -> Value:
    """Accuracy, and the area under the ROC curve of what was retrieved."""

    def value(g: Graded) -> Array:
        counts = np.ones_like(g.rank) if last is None else (g.rank <= last) * 1.0
        n = g.size[:, None] if last is None else np.minimum(g.size[:, None], last)
        fixed = (g.relevant * counts).sum(axis=1)[:, None]
        hits = fixed + g.total(np.broadcast_to(counts, g.relevant.shape))
        ranks = (g.relevant * counts * g.rank).sum(axis=1)[:, None] + g.total(
            np.broadcast_to(counts * g.rank, g.relevant.shape)
        )
        return np.asarray(1.0 - (ranks - hits * (hits + 1.0) / 2.0) / (hits * (n - hits)))

    return value


def area_with_unretrieved(g: Graded) -> Array:
    """AUC(unretrieved=True)."""
    n, hits = g.size[:, None], g.num_hits
    ranks = (g.relevant * g.rank).sum(axis=1)[:, None] + g.total(np.broadcast_to(g.rank, g.relevant.shape))
    above = hits * (n - hits) - (ranks - hits * (hits + 1.0) / 2.0)
    others = (~g.relevant & (g.lists.grade >= 0)).sum(axis=1)
    missed = (g.judged_other - others)[:, None]
    value = above + hits * missed + (g.num_relevant - hits) * missed / 2.0
    return np.asarray(np.where(n > 0, value / (g.num_relevant * (n - hits + missed)), np.nan))


def binary_gain(g: Graded) -> Array:
    """The measure binG: relevant documents discounted by the number of others above."""
    terms = np.where(g.is_hit, 1.0 / np.log2(2.0 + g.rank - g.hits), 0.0)
    return np.asarray(terms.sum(axis=2) / g.num_relevant)


def binary_preference(g: Graded) -> Array:
    """Bpref, with every document to grade judged."""
    relevant = g.num_relevant
    others = g.judged_other[:, None] + g.lists.n_to_grade[:, None] - g.numbers
    above = g.rank - g.hits - g.unjudged_so_far[:, None, :]
    worse = np.minimum(above, relevant[..., None]) / np.minimum(relevant, others)[..., None]
    terms = np.where(g.is_hit, np.where(above > 0, 1.0 - worse, 1.0), 0.0)
    return np.asarray(terms.sum(axis=2) / relevant)


def inferred_average_precision(g: Graded) -> Array:
    """The measure infAP; documents that remain unjudged are pooled if they have a negative grade."""
    judged = g.rank - 1.0 - g.unjudged_so_far
    pooled = judged + np.cumsum((g.lists.grade < 0) & ~g.lists.to_grade, axis=1)
    # The expected precision is 1/i + share · (H(i) − 1 + ε), which is linear in H(i).
    share = pooled / g.rank / (judged + 2.0 * EPSILON)
    others = 1.0 / g.rank - share * (1.0 - EPSILON)
    fixed = (g.relevant * others).sum(axis=1)[:, None]
    return np.asarray((g.hit_sum(share) + fixed + g.total(others)) / g.num_relevant)


def interpolated(recalls: tuple[float, ...], rounding: str) -> Value:
    """The mean of the interpolated precision at levels of recall."""

    def value(g: Graded) -> Array:
        # The largest precision with at least j relevant documents, by j.
        best = np.zeros((*g.num_relevant.shape, int(g.num_hits.max(initial=0)) + 2))
        lists, numbers, places = np.nonzero(g.is_hit)
        hits = g.hits[lists, numbers, places]
        best[lists, numbers, hits] = hits / g.rank[places]
        best = np.maximum.accumulate(best[:, :, ::-1], axis=2)[:, :, ::-1]
        total = np.zeros(g.num_relevant.shape)
        for recall in recalls:
            level = recall * g.num_relevant
            if rounding == "exact":
                level = np.ceil(level - 1e-9)
            else:
                level = np.floor(level + (0.9 if rounding == "trec_eval-9" else 0.5))
            at = np.clip(level, 0, best.shape[2] - 1).astype(int)
            total += np.take_along_axis(best, at[..., None], axis=2)[..., 0]
        return total / len(recalls)

    return value
