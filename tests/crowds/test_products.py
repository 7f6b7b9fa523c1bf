"""Products of what many answers say, short and long, against sums of logarithms in a plain loop."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from ireval_frames.crowds.answers import SMALLEST, Answers
from ireval_frames.crowds.products import SHORT, Products

K, RATERS = 3, 80


def answered(sizes: Any) -> Answers:
    rng = np.random.default_rng(4)
    unit = np.repeat(np.arange(len(sizes)), sizes)
    rater = np.concatenate([rng.choice(RATERS, n, replace=False) for n in sizes])
    return Answers(unit, rater, rng.integers(0, K, len(unit)), len(sizes), RATERS, K)


def loop(answers: Answers, theta: Any, prior: Any) -> tuple[list[list[float]], list[float]]:
    logs = [[math.log(p) for p in prior] for _ in range(answers.n_items)]
    for u, r, x in zip(answers.item, answers.rater, answers.label, strict=True):
        for c in range(K):
            logs[u][c] += math.log(theta[r * K + x][c])
    shares, totals = [], []
    for row in logs:
        highest = max(row)
        total = math.fsum(math.exp(v - highest) for v in row)
        shares.append([math.exp(v - highest) / total for v in row])
        totals.append(highest + math.log(total))
    return shares, totals


SIZES = {
    "alike": [5] * 40,
    "of all sizes": [1, 7, 0, 2, SHORT, 60, SHORT + 1, 1, 3, 80, 28, 2],
    "long only": [40, 50, 31],
    "one": [1],
    "none": [0, 0],
}


@pytest.mark.parametrize("sizes", SIZES.values(), ids=list(SIZES))
@pytest.mark.parametrize("n_parts", [1, 2, 5])
@pytest.mark.parametrize("impossible", [0.0, 0.7])
def test_products(sizes: list[int], n_parts: int, impossible: float) -> None:
    answers, rng = answered(sizes), np.random.default_rng(5)
    theta = rng.uniform(0.05, 1.0, (RATERS * K, K))
    theta[rng.random(theta.shape) < impossible] = SMALLEST
    prior = np.array([0.7, 0.3, SMALLEST])
    posterior, likelihood = np.full((len(sizes), K), np.nan), np.full(len(sizes), np.nan)
    for fill in Products(answers, n_parts).parts(theta, prior, posterior, likelihood):
        fill()
    shares, totals = loop(answers, theta, prior)
    np.testing.assert_allclose(posterior, shares, rtol=1e-11, atol=1e-300)
    np.testing.assert_allclose(likelihood, totals, rtol=1e-12, atol=1e-14)


def test_the_least_of_short_units_does_not_vanish() -> None:
    answers = answered([SHORT, SHORT])
    theta, prior = np.full((RATERS * K, K), SMALLEST), np.full(K, SMALLEST)
    posterior, likelihood = np.empty((2, K)), np.empty(2)
    for fill in Products(answers).parts(theta, prior, posterior, likelihood):
        fill()
    np.testing.assert_allclose(posterior, 1 / K)
    np.testing.assert_allclose(likelihood, (SHORT + 1) * math.log(SMALLEST) + math.log(K))
