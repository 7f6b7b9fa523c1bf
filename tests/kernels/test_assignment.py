"""One-to-one assignments: the sure cells, the parts, and both algorithms."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from scipy.optimize import linear_sum_assignment

from ireval_frames.kernels import assignment
from ireval_frames.kernels.assignment import optimal


def cells(rng: np.random.Generator, rows: int, columns: int, n: int, largest: int) -> tuple[Any, Any, Any]:
    flat = rng.choice(rows * columns, n, replace=False)
    return flat // columns, flat % columns, rng.integers(1, largest + 1, n).astype(float)


def best(r: Any, c: Any, sizes: Any, shape: tuple[int, int]) -> float:
    full = np.zeros(shape)
    full[r, c] = sizes
    return float(full[linear_sum_assignment(full, maximize=True)].sum())


@pytest.mark.parametrize("dense", [250_000, 0])
def test_is_an_assignment_of_the_largest_sum(monkeypatch: pytest.MonkeyPatch, dense: int) -> None:
    """With few sizes many are equal, so that sure cells are rare and ties are many."""
    monkeypatch.setattr(assignment, "DENSE", dense)
    rng = np.random.default_rng(1)
    for (rows, columns, share), largest in itertools.product(
        [(1, 1, 1), (3, 8, 0.5), (12, 12, 0.3), (40, 25, 0.1), (30, 60, 0.9)], (1, 2, 5, 1000)
    ):
        r, c, sizes = cells(rng, rows, columns, max(1, int(rows * columns * share)), largest)
        taken = optimal(r, c, sizes)
        assert len(set(r[taken])) == len(set(c[taken])) == taken.sum()
        assert sizes[taken].sum() == pytest.approx(best(r, c, sizes, (rows, columns)), abs=1e-9)


def test_nothing_to_assign() -> None:
    empty = np.array([], dtype=np.int64)
    assert optimal(empty, empty, empty.astype(float)).sum() == 0
