"""Functions of the rank among all items, estimated from the rank among sampled ones: loops over exact fractions."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction


def probability(rank: int, sampled_rank: int, n: int, m: int, *, replacement: bool) -> Fraction:
    """That an item at a rank among n has this rank among m others and itself."""
    above, drawn = rank - 1, sampled_rank - 1
    if replacement:
        share = Fraction(above, n - 1)
        return math.comb(m, drawn) * share**drawn * (1 - share) ** (m - drawn)
    return Fraction(math.comb(above, drawn) * math.comb(n - rank, m - drawn), math.comb(n - 1, m))


def least_squares(
    function: Callable[[int], Fraction], n: int, m: int, gamma: Fraction, *, replacement: bool
) -> list[Fraction]:
    """The values at the ranks 1 to m + 1: the normal equations, solved by elimination."""
    size = m + 1
    rows = [[Fraction(0)] * (size + 1) for _ in range(size)]
    for rank in range(1, n + 1):
        shares = [probability(rank, j, n, m, replacement=replacement) for j in range(1, size + 1)]
        for i in range(size):
            for j in range(size):
                rows[i][j] += (1 - gamma) * shares[i] * shares[j] / n
            rows[i][i] += gamma * shares[i] / n
            rows[i][size] += shares[i] * function(rank) / n
    for i in range(size):
        pivot = next(j for j in range(i, size) if rows[j][i])
        rows[i], rows[pivot] = rows[pivot], rows[i]
        rows[i] = [v / rows[i][i] for v in rows[i]]
        for j in range(size):
            if j != i:
                rows[j] = [v - rows[j][i] * w for v, w in zip(rows[j], rows[i], strict=True)]
    return [row[size] for row in rows]
