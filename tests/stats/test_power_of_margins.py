"""Power of tests against a margin: by quadrature, and by running the tests on drawn values."""

from __future__ import annotations

import math

import numpy as np
import polars as pl
import pytest
import scipy.integrate
import scipy.stats

import ireval_frames as ir
from ireval_frames.stats.equivalence import equivalence, non_inferiority
from ireval_frames.stats.power.margins import (
    equivalence_power,
    equivalence_sample_size,
    non_inferiority_power,
    non_inferiority_sample_size,
)
from ireval_frames.stats.sample import Options, Sample

CASES = [
    (0.5, 36, 0.0),
    (0.5, 71, 0.2),
    (1.5, 5, 0.0),
    (0.8, 12, -0.3),
    (6.0, 2, 0.0),
    (0.05, 4000, 0.01),
    (0.1, 3, 0.0),
]


def test_power_of_equivalence_by_quadrature() -> None:
    for margin, n, d in CASES:
        t, root = scipy.stats.t.isf(0.05, n - 1), math.sqrt(n)

        def inside(
            s: float, margin: float = margin, d: float = d, t: float = t, root: float = root, n: int = n
        ) -> float:
            density = 2 * s * (n - 1) * scipy.stats.chi2.pdf(s * s * (n - 1), n - 1)
            upper, lower = (margin - d) * root - t * s, -(margin + d) * root + t * s
            return float(density * (scipy.stats.norm.cdf(upper) - scipy.stats.norm.cdf(lower)))

        middle = min(1.0, 0.999 * margin * root / t)
        expected, _ = scipy.integrate.quad(inside, 0, margin * root / t, points=[middle], limit=400)
        assert equivalence_power(margin, n, d) == pytest.approx(expected, abs=1e-8)


def test_power_is_how_often_the_tests_reject() -> None:
    runs = 4000
    for margin, n, d in CASES[:4]:
        drawn = np.random.default_rng(n).normal(d, 1.0, (n, runs))
        values = np.stack([np.zeros_like(drawn), drawn], axis=2).reshape(n, -1)
        sample = Sample(values, np.arange(2 * runs).reshape(-1, 2))
        options = Options(more={"margin": margin})
        for test, power in ((equivalence, equivalence_power), (non_inferiority, non_inferiority_power)):
            actual = np.mean(test(sample, options).p_value <= 0.05)
            # Three standard errors of a share of 4,000.
            assert actual == pytest.approx(power(margin, n, d), abs=0.024)


def test_sizes_are_the_fewest() -> None:
    for margin, d in ((0.5, 0.0), (0.5, 0.2), (0.3, -0.1), (9.0, 0.0)):
        n = equivalence_sample_size(margin, d)
        assert equivalence_power(margin, n, d) >= 0.8 > (equivalence_power(margin, n - 1, d) if n > 2 else 0)
        n = non_inferiority_sample_size(margin, d)
        assert non_inferiority_power(margin, n, d) >= 0.8 > (non_inferiority_power(margin, n - 1, d) if n > 2 else 0)
    assert non_inferiority_sample_size(0.5, 0.2, alternative="less") == non_inferiority_sample_size(0.5, -0.2)


def test_they_are_requested_as_other_tests() -> None:
    actual = ir.comparison.sample_size(test="equivalence", margin=0.1, difference=[0.0, 0.04, 0.2], deviation=0.2)
    assert actual.select("margin", "difference", "n", "status").rows() == [
        (0.1, 0.0, 36, "ok"), (0.1, 0.04, 71, "ok"), (0.1, 0.2, None, "impossible")
    ]  # fmt: skip
    rows = pl.DataFrame(
        {"query_id": range(6), "a": [0.1, 0.4, 0.3, 0.5, 0.2, 0.6], "b": [0.2, 0.4, 0.1, 0.6, 0.4, 0.5]}
    )
    pilot = ir.comparison.power(rows, test="non-inferiority", margin=0.1, n=[6, 40])
    deviation = pilot["deviation"][0]
    assert pilot["power"].to_list() == pytest.approx([non_inferiority_power(0.1 / deviation, n) for n in (6, 40)])
    with pytest.raises(ir.errors.InvalidParameter, match="margin is None"):
        ir.comparison.sample_size(test="equivalence", deviation=0.2)
    with pytest.raises(ir.errors.NotDefined, match="t has no margin"):
        ir.comparison.sample_size(difference=0.1, margin=0.1, deviation=0.2)
    with pytest.raises(ir.errors.NotDefined, match="detects none"):
        ir.comparison.detectable_difference(test="equivalence", margin=0.1, deviation=0.2, n=10)
