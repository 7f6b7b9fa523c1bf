"""No list of these documents is further from even than the one with the group first, or the one with it last."""

from __future__ import annotations

import math

import pytest

from tests.oracles.exposure_tops import APART


def largest(name: str, n: int, s: int, step: int) -> float:
    """The largest value of all lists, by the best way to reach each number of the group's documents at each place."""
    best = {0: 0.0}
    for i in range(step, n + 1, step):
        reached: dict[int, float] = {}
        for before, value in best.items():
            for top in range(before, min(before + step, s, i) + 1):
                if top >= s - (n - i):
                    more = value + APART[name](top, i, s, n) / math.log2(i)
                    reached[top] = max(more, reached.get(top, 0.0))
        best = reached
    return max(best.values())


@pytest.mark.parametrize("name", ["rND", "rKL"])
def test_one_of_two_lists_is_furthest(name: str) -> None:
    for step in (2, 3, 10):
        for n in (*range(step, 25), 60):
            for s in range(1, n):
                ends = [
                    sum(APART[name](top(i), i, s, n) / math.log2(i) for i in range(step, n + 1, step))
                    for top in (lambda i, s=s: min(i, s), lambda i, s=s, n=n: max(0, s - (n - i)))  # type: ignore[misc]
                ]
                assert max(ends) == pytest.approx(largest(name, n, s, step), abs=1e-12)
