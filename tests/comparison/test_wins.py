"""Wins and ties of many pairs, against a loop over units."""

import numpy as np
import pytest

from ireval_frames.comparison.wins import wins_and_ties


@pytest.mark.parametrize("shape", [(1, 2), (5, 3), (64, 7), (65, 7), (130, 30)])
@pytest.mark.parametrize("levels", [0, 2, 5], ids=["distinct", "two levels", "five levels"])
@pytest.mark.parametrize("missing", [0.0, 0.3])
def test_every_way_of_counting_equals_the_loop(shape: tuple[int, int], levels: int, missing: float) -> None:
    rng = np.random.default_rng(shape[0] + levels)
    units, systems = shape
    values = rng.integers(0, levels, size=shape) / 3 if levels else rng.normal(size=shape)
    # A copy, but for its rounding: a tie wherever both are.
    values[:, -1] = values[:, 0] * (1 + 2e-16)
    values[rng.random(shape) < missing] = np.nan
    every = np.array([(i, j) for i in range(systems) for j in range(systems) if i != j])
    for pairs in (rng.permutation(every), every[:1]):
        for tolerance in (None, 0.2):
            wins, ties = wins_and_ties(values, pairs, tolerance, threads=2)
            for (one, other), won, tied in zip(pairs, wins, ties, strict=True):
                gaps = [values[u, other] - values[u, one] for u in range(units)]
                width = 1e-12 if tolerance is None else tolerance
                assert won == sum(gap > width for gap in gaps)
                assert tied == sum(abs(gap) <= width for gap in gaps)
