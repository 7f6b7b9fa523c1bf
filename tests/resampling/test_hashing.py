"""The draws of units are those of a plain loop, and of a database that knows BIGINT only."""

from __future__ import annotations

import duckdb
import numpy as np
import pytest

from ireval_frames.resampling import hashing
from tests.resampling import plain


def test_thresholds_are_those_of_poisson() -> None:
    assert list(hashing.THRESHOLDS) == plain.thresholds()


@pytest.mark.parametrize("seed, replicate", [(0, 0), (0, 1), (7, 0), (2**40, 12345)])
def test_weights_are_those_of_a_loop(seed: int, replicate: int) -> None:
    of = hashing.coefficients(seed, replicate)
    expected = list(plain.weights(range(500), seed, replicate).values())
    assert hashing.poisson_weights(0, 500, of).tolist() == expected
    # Any part of the units has the same.
    assert hashing.poisson_weights(123, 321, of).tolist() == expected[123:321]


def test_large_numbers_do_not_overflow() -> None:
    top = hashing.PRIME - 1
    units = np.array([0, 1, 2, top - 1, top], dtype=np.uint64)
    for of in [(top, top, top, top), (0, 0, 0, 0), (top, 0, 1, top), (1, top, 0, 0)]:
        a, b, c, d = of
        expected = [((((a * int(u) + b) * int(u)) + c) * int(u) + d) % hashing.PRIME for u in units]
        assert hashing.hashes(units, of).tolist() == expected


def test_a_database_draws_the_same() -> None:
    con = duckdb.connect()
    rows = [(r, *hashing.coefficients(3, r)) for r in range(20)]
    con.execute("CREATE TABLE coefficients (r BIGINT, a BIGINT, b BIGINT, c BIGINT, d BIGINT)")
    con.executemany("INSERT INTO coefficients VALUES (?, ?, ?, ?, ?)", rows)
    p = hashing.PRIME
    reached = " + ".join(f"CAST(h >= {t} AS INTEGER)" for t in hashing.THRESHOLDS)
    actual = con.execute(
        f"WITH u AS (SELECT r, u, ((((a * u + b) % {p}) * u + c) % {p} * u + d) % {p} AS h FROM coefficients, "
        f"(SELECT range AS u FROM range(1000))) SELECT r, list({reached} ORDER BY u) FROM u GROUP BY r ORDER BY r"
    ).fetchall()
    for r, drawn in actual:
        assert drawn == hashing.poisson_weights(0, 1000, hashing.coefficients(3, r)).tolist()


def test_draws_are_poisson_and_do_not_hang_together() -> None:
    w = np.stack([hashing.poisson_weights(0, 2000, hashing.coefficients(0, r)) for r in range(400)])
    # Of 800,000 draws the mean has an error of 0.0011, and the variance one of 0.0019.
    assert w.mean() == pytest.approx(1, abs=0.005)
    assert w.var() == pytest.approx(1, abs=0.009)
    # The sum over units has the variance of independent draws: 2000, with an error of √(2/399).
    assert w.sum(axis=1).var(ddof=1) / 2000 == pytest.approx(1, abs=4 * (2 / 399) ** 0.5)


def test_strata_keep_their_sizes() -> None:
    sizes = np.array([1, 40, 7])
    strata = dict(enumerate(np.repeat([0, 1, 2], sizes).tolist()))
    for r in range(30):
        drawn = hashing.stratified_weights(sizes, hashing.coefficients(5, r))
        assert drawn.tolist() == [plain.stratified(strata, 5, r)[u] for u in range(48)]
        assert [drawn[:1].sum(), drawn[1:41].sum(), drawn[41:].sum()] == [1, 40, 7]
