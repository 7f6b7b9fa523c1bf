"""Every test tells the same columns of every sample, a word of STATUS for every pair, and why there is no p."""

from __future__ import annotations

import numpy as np
import pytest

from ireval_frames.stats.registry import significance_tests
from ireval_frames.stats.sample import STATUS, Options, Sample

PAIRS = np.array([[0, 1], [0, 2]])
RNG = np.random.default_rng(1)
X = RNG.random((9, 3))
GAPS = np.where(RNG.random((9, 3)) < 0.2, np.nan, X)
SAMPLES = {
    "plain": X,
    "gaps": GAPS,
    "a copy": X[:, [0, 0, 2]],
    "shifted": X[:, [0, 0, 0]] + [0, 0.5, 1],
    "constant": np.ones((5, 3)),
    "one unit": X[:1],
    "no units": X[:0],
    "nothing": np.full((4, 3), np.nan),
}
# Those of values between 0 and 1 of different units and of all units, over draws or tables.
MINE = (
    "randomization", "permutation", "bootstrap", "maxt", "tukey", "tukey-kramer", "games-howell", "randomized-tukey",
    "dunnett", "anova", "friedman", "nemenyi", "conover", "quade",
)  # fmt: skip


@pytest.mark.parametrize("name", MINE)
@pytest.mark.parametrize("alternative", ["two-sided", "greater"])
def test_columns(name, alternative) -> None:
    test = significance_tests()[name]
    if alternative != "two-sided" and not test.one_sided:
        return
    columns = set()
    for word, values in SAMPLES.items():
        out = test.function(Sample(values, PAIRS), Options(n_resamples=60, alternative=alternative))
        columns.add((frozenset(out.more), out.estimate is None))
        assert set(out.status) <= set(STATUS), word
        assert set(out.method) <= {"exact", "asymptotic", "monte carlo"}
        undefined = np.isnan(out.p_value)
        assert not (undefined & np.isin(out.status, ["ok", "identical"])).any(), (word, out)
        known = out.p_value[~undefined]
        assert ((known > 0) & (known <= 1)).all()
        for array in (out.statistic, out.df, out.ci_low, out.ci_high, out.n_resamples, *out.more.values()):
            assert array.shape == (2,)
        # Whatever has a p has an interval, but what is of all systems at once.
        assert (np.isnan(out.ci_low[~undefined]) == (name == "friedman")).all(), word
        assert not (out.ci_low > out.ci_high).any()
    assert len(columns) == 1


@pytest.mark.parametrize("name", MINE)
def test_turned_round(name) -> None:
    """With baseline and system swapped, and all values turned round, nothing changes but signs."""
    test = significance_tests()[name].function
    options = Options(n_resamples=60)
    for values in (X, GAPS):
        one, other = test(Sample(values, PAIRS), options), test(Sample(3.0 - values, PAIRS), options)
        np.testing.assert_allclose(other.p_value, one.p_value, rtol=1e-9)
        np.testing.assert_allclose(other.ci_low, -one.ci_high, rtol=1e-6, atol=1e-9)
        if name not in {"dunnett", "friedman"}:
            swapped = test(Sample(values, PAIRS[:, ::-1]), options)
            np.testing.assert_allclose(swapped.statistic, -one.statistic, rtol=1e-9, atol=1e-12)
            if name != "permutation":
                np.testing.assert_allclose(swapped.p_value, one.p_value, rtol=1e-9)
