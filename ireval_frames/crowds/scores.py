"""Scores of several raters as one number per item: means, trimmed means, and means without the biases of raters."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ireval_frames.crowds.answers import Array, Whole, sums
from ireval_frames.crowds.graph import components


@dataclass(frozen=True, eq=False)
class Scores:
    """What scores estimate.

    Attributes:
        value, se: of each item; the error of a single score is NaN.
        bias, bias_se: of each rater, the mean difference to the items' values.
        component: of each item, the set of items that it is comparable with: those that raters link.
        n_iter, converged: how the iteration went; None where nothing is iterated.
    """

    value: Array
    se: Array
    bias: Array
    bias_se: Array
    component: Whole
    n_iter: int = 1
    converged: bool | None = None


def _components(item: Whole, rater: Whole, n_items: int, n_raters: int) -> Whole:
    """The connected component of each item, then of each rater."""
    return components(item, rater + n_items, n_items + n_raters)


def trimmed(item: Whole, rater: Whole, score: Array, n_items: int, n_raters: int, share: float = 0.2) -> Scores:
    """The mean of the scores of an item without the ⌊share·m⌋ lowest and as many of the highest.

    The error is Yuen's: √((m − 1)·s² / (h·(h − 1))) for h remaining scores, s² the winsorised variance.

    Args:
        item: of each answer.
        rater: of each answer.
        score: of each answer.
        n_items: the number of items.
        n_raters: the number of raters.
        share: the share that is cut off at each end, below ½.

    Source: Tukey and McLaughlin, Sankhya 1963; Yuen, Biometrika 1974.
    """
    order = np.lexsort((score, item))
    of, value = item[order], score[order]
    m = np.bincount(item, minlength=n_items)
    place = np.arange(len(of)) - (np.cumsum(m) - m)[of]
    cut = np.floor(share * m + 1e-9)[of]
    inner = (place >= cut) & (place < m[of] - cut)
    mean, _ = _means(of[inner], value[inner], n_items)
    low, high = (np.full(n_items, x) for x in (np.inf, -np.inf))
    np.minimum.at(low, of[inner], value[inner])
    np.maximum.at(high, of[inner], value[inner])
    h = np.bincount(of[inner], minlength=n_items)
    with np.errstate(invalid="ignore", divide="ignore"):
        se = _means(of, np.clip(value, low[of], high[of]), n_items)[1] * np.sqrt(
            m * (m - 1.0) ** 2 / h / (h - 1.0) / (m - 1.0)
        )
    bias, bias_se = _means(rater, score - mean[item], n_raters)
    return Scores(mean, se, bias, bias_se, _components(item, rater, n_items, n_raters)[:n_items])


def unbiased(
    item: Whole, rater: Whole, score: Array, n_items: int, n_raters: int, max_iter: int = 1000, tol: float = 1e-10
) -> Scores:
    """Least squares of score = item + bias of the rater, the biases of linked raters adding to 0 over their scores.

    Means of items and of raters in turn, until none changes by more than `tol` times the range of scores.

    Args:
        item: of each answer.
        rater: of each answer.
        score: of each answer.
        n_items: the number of items.
        n_raters: the number of raters.
        max_iter: the largest number of steps.
        tol: the change at which it stops.

    Source: the two-way analysis of variance without interaction; Searle, Linear Models, 1971.
    """
    component = _components(item, rater, n_items, n_raters)
    bias, spread, n_iter = np.zeros(n_raters), max(float(np.ptp(score)) if len(score) else 0.0, 1e-300), 0
    converged = False
    for _ in range(max_iter):
        n_iter += 1
        mean = _means(item, score - bias[rater], n_items)[0]
        new = _means(rater, score - mean[item], n_raters)[0]
        change = float(np.abs(new - bias).max(initial=0.0))
        bias = new
        if change <= tol * spread:
            converged = True
            break
    of_rater = component[n_items:]
    middle = _means(of_rater[rater], bias[rater], int(component.max(initial=-1)) + 1)[0]
    bias = bias - middle[of_rater]
    mean, se = _means(item, score - bias[rater], n_items)
    bias_se = _means(rater, score - mean[item], n_raters)[1]
    return Scores(mean, se, bias, bias_se, component[:n_items], n_iter, converged)


def _means(at: Whole, value: Array, n: int) -> tuple[Array, Array]:
    """Means and their standard errors at n places; NaN where there are too few values."""
    m = sums(at, None, n)
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = sums(at, value, n) / m
        squares = sums(at, (value - mean[at]) ** 2, n)
        return mean, np.where(m > 1, np.sqrt(squares / (m - 1) / m), np.nan)
