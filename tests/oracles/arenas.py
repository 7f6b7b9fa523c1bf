"""Strengths of compared items with covariates, by gradient steps over single comparisons; sandwiches by sums."""

from __future__ import annotations

import math

Battle = tuple[int, int, float, list[float], int]


def logistic(battles: list[Battle], k: int, m: int, steps: int = 20000, rate: float = 1.0) -> list[float]:
    """θ of k items, which add to 0, then β of m covariates: the largest likelihood, by plain gradient ascent.

    A battle has two items, the share of the first, its covariates and its cluster.
    """
    x = [0.0] * (k + m)
    n = len(battles)
    for _ in range(steps):
        gradient = total_gradient(battles, x, k, m)
        x = [v + rate * g / n for v, g in zip(x, gradient, strict=True)]
        mean = sum(x[:k]) / k
        x = [v - mean for v in x[:k]] + x[k:]
        if max(map(abs, gradient)) < 1e-11 * n:
            break
    return x


def of_one(battle: Battle, x: list[float], k: int, m: int) -> tuple[list[float], float]:
    """The gradient of a battle, and p(1 − p)."""
    a, b, score, covariates, _ = battle
    d = x[a] - x[b] + sum(v * w for v, w in zip(covariates, x[k:], strict=True))
    p = 1 / (1 + math.exp(-d))
    row = design(battle, k, m)
    return [(score - p) * v for v in row], p * (1 - p)


def design(battle: Battle, k: int, m: int) -> list[float]:
    a, b, _, covariates, _ = battle
    row = [0.0] * (k + m)
    row[a], row[b] = 1.0, -1.0
    row[k:] = covariates
    return row


def total_gradient(battles: list[Battle], x: list[float], k: int, m: int) -> list[float]:
    total = [0.0] * (k + m)
    for battle in battles:
        for i, g in enumerate(of_one(battle, x, k, m)[0]):
            total[i] += g
    return total


def matrices(battles: list[Battle], x: list[float], k: int, m: int) -> tuple[list[list[float]], list[list[float]]]:
    """The information, and C/(C − 1) times the sum of the clusters' gradients times themselves."""
    size = range(k + m)
    information = [[0.0 for _ in size] for _ in size]
    of_cluster: dict[int, list[float]] = {}
    for battle in battles:
        gradient, weight = of_one(battle, x, k, m)
        row = design(battle, k, m)
        own = of_cluster.setdefault(battle[4], [0.0 for _ in size])
        for i in size:
            own[i] += gradient[i]
            for j in size:
                information[i][j] += weight * row[i] * row[j]
    c = len(of_cluster)
    meat = [[sum(g[i] * g[j] for g in of_cluster.values()) * c / (c - 1) for j in size] for i in size]
    return information, meat
