"""SciPy: rank correlations, ties among them."""

from __future__ import annotations

import functools
import math
import random

import pytest
import scipy.stats

import ireval_frames as ir
from tests.contract.kit import ENGINES
from tests.reference.rankings import Pairs, frames, ours, pairs

engines = pytest.mark.parametrize("engine", ENGINES)
THEIRS = {
    "Tau": lambda x, y: scipy.stats.kendalltau(x, y).statistic,
    "Spearman": lambda x, y: scipy.stats.spearmanr(x, y).statistic,
    "WeightedTau": lambda x, y: scipy.stats.weightedtau(x, y).statistic,
    "WeightedTau(rank='measured')": lambda x, y: scipy.stats.weightedtau(x, y, rank=None).statistic,
    "WeightedTau(rank='reference')": lambda x, y: scipy.stats.weightedtau(y, x, rank=None).statistic,
    "WeightedTau(additive=False)": lambda x, y: scipy.stats.weightedtau(x, y, additive=False).statistic,
    "WeightedTau(weigher='quadratic')": lambda x, y: (
        scipy.stats.weightedtau(x, y, weigher=lambda r: 1 / (r + 1) ** 2).statistic
    ),
    "WeightedTau(weigher='logarithmic')": lambda x, y: (
        scipy.stats.weightedtau(x, y, weigher=lambda r: 1 / math.log2(r + 2)).statistic
    ),
}


@functools.cache
def values_of(engine: str) -> dict[str, list[float | None]]:
    one, other = frames(pairs(1))
    units = ir.Similarity(one, against=other, engine=engine).evaluate(list(THEIRS)).per_unit(wide=True)
    return {measure: units[str(ir.catalog.parse(measure, "similarity"))].to_list() for measure in THEIRS}


@engines
@pytest.mark.parametrize("measure", THEIRS)
@pytest.mark.filterwarnings("ignore:An input array is constant")
def test_scipy(measure: str, engine: str, agrees) -> None:
    lists = pairs(1)
    undefined = 0
    for pair, value in zip(lists, values_of(engine)[measure], strict=True):
        expected = THEIRS[measure](*pair)
        if math.isnan(expected):
            assert value is None
            undefined += 1
        else:
            assert value == pytest.approx(expected, abs=1e-12)
    assert 2 < undefined < 40
    agrees("scipy", measure, family="similarity")


@pytest.mark.parametrize("measure", ["Tau", "WeightedTau", "Spearman"])
def test_a_hundred_thousand_items(measure: str, agrees) -> None:
    """In O(n log n): a loop over their pairs would take hours."""
    rng = random.Random(2)
    rankings: Pairs = [
        ([rng.random() for _ in range(100_000)], [float(rng.randint(0, 50_000)) for _ in range(100_000)])
    ]
    rankings[0][1][:50_000] = rankings[0][0][:50_000]
    # Sums of so many terms in another order: SciPy's 64-bit loops and ours differ by 1e-12.
    assert ours(rankings, measure, "polars")[0] == pytest.approx(THEIRS[measure](*rankings[0]), abs=1e-11)
    agrees("scipy", measure, family="similarity")
