"""Blocks of draws: what a draw is depends on the seed and its number alone."""

from __future__ import annotations

import numpy as np

from ireval_frames.stats.resampling.draws import BLOCK, each_block
from ireval_frames.stats.resampling.random_signs import chosen
from ireval_frames.stats.resampling.resampled_means import resampled_sums, times_drawn
from ireval_frames.stats.sample import Options


def all_draws(do, draws, threads, width):
    def run(block):
        return np.concatenate([do(block, part, width) for part in block.parts(width)])

    return np.concatenate(each_block(Options(n_resamples=draws, seed=5, threads=threads), run))


def test_more_draws_begin_with_the_same() -> None:
    for do in (chosen, times_drawn):
        few, many = (all_draws(do, draws, threads, 70) for draws, threads in ((1500, 1), (4000, 3)))
        np.testing.assert_array_equal(few, many[:1500])
        assert not np.array_equal(many[:BLOCK], many[BLOCK : 2 * BLOCK])


def test_signs_are_fair_and_resamples_multinomial() -> None:
    signs = all_draws(chosen, 20_000, 2, 65)
    assert set(np.unique(signs)) == {0.0, 1.0}
    assert np.abs(signs.mean(axis=0) - 0.5).max() < 0.02
    assert np.abs(np.corrcoef(signs.T) - np.eye(65)).max() < 0.04
    counts = all_draws(times_drawn, 20_000, 2, 10)
    assert (counts.sum(axis=1) == 10).all()
    np.testing.assert_allclose(counts.var(axis=0), 0.9, atol=0.05)


def test_sums_are_of_the_units_drawn() -> None:
    values = np.random.default_rng(6).random((30, 3))
    sums = resampled_sums(values, Options(n_resamples=1100, seed=5))
    np.testing.assert_allclose(sums, all_draws(times_drawn, 1100, 1, 30) @ values, rtol=1e-12)
