"""A row tells one story: an interval of the test itself holds no difference exactly where the test does not reject."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import polars as pl
import pytest

import ireval_frames as ir
from ireval_frames.stats.registry import find_test, significance_tests
from ireval_frames.stats.resampling.bootstrap_intervals import INTERVALS
from ireval_frames.stats.sample import Alternative, Array, Options, Sample

ALTERNATIVES: tuple[Alternative, ...] = ("two-sided", "greater", "less")
LEFT_OUT = ("mcnemar", "delong", "equivalence", "non-inferiority", "5x2cv")
TESTS = [name for name, test in significance_tests().items() if test.distinguishes and name not in LEFT_OUT]


def cases(seed: int) -> list[Array]:
    """Small samples of two or three systems, with ties, on a grid and not; and boundaries."""
    rng = np.random.default_rng(seed)
    some = [
        np.column_stack([(x := rng.random(n)), x + rng.normal(s, 0.2, n)]) for n in (3, 6, 12, 30) for s in (0.1, 0.4)
    ]
    some += [np.round(w, 1) for w in some[2:]]
    base = np.linspace(0, 1, 8)
    one = base.copy()
    one[0] += 0.5
    return [
        *some,
        np.column_stack([base, base]),
        np.column_stack([base, base + 0.25]),
        np.column_stack([base, one]),
        np.column_stack([base, -base]),
        np.column_stack([np.zeros(8), np.ones(8)]),
        np.column_stack([np.array([-0.0, 0.0]), np.array([0.0, -0.0])]),
        np.column_stack([1.7e15 + 1e4 * np.arange(8), 1.7e15 + 1e4 * np.arange(8) + np.arange(1, 9)]),
        np.column_stack([1.7e15 + base * 1e4, 1.7e15 + base * 1e4 + np.arange(8)]),
    ]


@pytest.mark.parametrize("name", TESTS)
def test_intervals_that_are_the_tests_own_agree_with_p(name: str) -> None:
    test = find_test(name)
    kinds: list[dict[str, Any]] = [{"interval": kind} for kind in INTERVALS] if name == "bootstrap" else [{}]
    checked = 0
    for more, side in itertools.product(kinds, ALTERNATIVES if test.one_sided else ("two-sided",)):
        for values in cases(1):
            actual = test.function(Sample(values, np.array([[0, 1]])), Options(side, 0.9, 500, more=more))
            p, low, high = actual.p_value[0], actual.ci_low[0], actual.ci_high[0]
            if np.isnan(p) or np.isnan(low) or np.broadcast_to(actual.interval, (1,))[0]:
                continue
            assert (p <= 0.1 + 1e-12) == (not low <= test.nothing <= high), (values, side, more, p, low, high)
            checked += 1
    assert checked > 6 or name in ("maxt", "nemenyi", "conover", "quade", "friedman", "iman-davenport")


def test_what_is_another_method_says_so() -> None:
    rng = np.random.default_rng(2)
    a = np.round(rng.random(20), 1)
    frame = pl.DataFrame({"query_id": range(20), "a": a, "b": a + np.round(rng.normal(0.1, 0.2, 20), 1)})
    paired = ir.compare(frame, test=["t", "sign", "wilcoxon", "randomization", "maxt", "bootstrap", "bayes"])
    methods = dict(paired.table().select("test", "interval_method").iter_rows())
    assert methods["t"] == methods["bootstrap"] == "test"
    assert methods["sign"] == methods["wilcoxon"] == "order statistics, ties or not"
    assert (methods["randomization"], methods["maxt"], methods["bayes"]) == (
        "random signs", "max-t in one step", "posterior",
    )  # fmt: skip
    # A p-value that counts all signs beside an interval of draws has their seed.
    row = paired.table().filter(test="randomization").row(0, named=True)
    assert (row["method"], row["n_resamples"], row["seed"]) == ("exact", 10_000, 0)
    text = str(paired)
    assert "Intervals of sign are of another method than p (order statistics, ties or not)" in text
    symmetric = ir.compare(frame, test="bootstrap", kind="studentised").table()
    assert symmetric["interval_method"][0] == "studentised bootstrap"
    binary = pl.DataFrame({"query_id": range(20), "a": a > 0.3, "b": a > 0.5}).cast(pl.Float64)
    assert ir.compare(binary, test="mcnemar").table()["interval_method"][0] == "Bonett-Price"


def test_few_divisions_give_the_interval_too() -> None:
    values = np.array([0.1, 0.4, 0.35, 0.8]), np.array([0.6, 0.9, 1.3, 0.7])
    frame = pl.DataFrame({"query_id": range(4), "a": values[0], "b": values[1]})
    row = ir.compare(frame, test="permutation", confidence=0.9).table().row(0, named=True)
    assert (row["method"], row["n_resamples"], row["interval_method"]) == ("exact", None, "test")

    def p(shift: float) -> float:
        pooled = np.concatenate([values[0], values[1] - shift])
        groups = list(itertools.combinations(range(8), 4))
        means = [pooled[list(g)].mean() - np.delete(pooled, g).mean() for g in groups]
        observed = pooled[4:].mean() - pooled[:4].mean()
        return sum(abs(m) >= abs(observed) - 1e-12 for m in means) / len(groups)

    for end, inwards in ((row["ci_low"], 1e-6), (row["ci_high"], -1e-6)):
        assert p(end + inwards) > 0.1 >= p(end - inwards)


def test_rows_of_areas_are_of_areas() -> None:
    rng = np.random.default_rng(0)
    label = np.arange(40) % 2
    frame = pl.DataFrame({"query_id": range(40), "y": label, "a": 5 + label + rng.normal(size=40), "b": rng.random(40)})
    c = ir.compare(frame, test="delong", label="y")
    row = c.table().row(0, named=True)

    def area(x: Any) -> float:
        return float(np.mean([(p > n) + (p == n) / 2 for p in x[label == 1] for n in x[label == 0]]))

    a, b = (area(frame[name].to_numpy()) for name in "ab")
    assert [row[n] for n in ("mean_baseline", "mean", "difference", "relative")] == pytest.approx(
        [a, b, b - a, b / a - 1]
    )
    assert row.get("wins") is None
    assert c.systems().sort("system")["mean"].to_list() == pytest.approx([a, b])
    assert f"{a:.4f}" in str(c)
    assert "areas under the ROC curve" in str(c)


def test_means_are_of_common_units() -> None:
    frame = pl.DataFrame({"query_id": range(6), "a": [0.0, 0.0, 0.5, 0.75, 0.25, None], "b": [None, 0.5, 1, 1, 0.5, 0]})
    c = ir.compare(frame, missing="intersect")
    systems, row = c.systems().sort("system"), c.table().row(0, named=True)
    assert systems["mean"].to_list() == [row["mean_baseline"], row["mean"]] == [0.375, 0.75]
    assert systems["n"].to_list() == [4, 4]
    assert "over the 4 units that all have" in str(c)


def test_what_is_printed_is_of_the_row() -> None:
    rng = np.random.default_rng(0)
    frame = pl.DataFrame({"query_id": range(20), "a": rng.random(20), "b": rng.random(20) + 0.2})
    alone = str(ir.compare(frame, test="equivalence", margin=0.3))
    assert "90% interval" in alone
    assert "95% interval" not in alone
    both = ir.compare(frame, test=["t", "equivalence", "bayes"], margin=0.3)
    assert both.table()["confidence"].to_list() == pytest.approx([0.95, 0.9, 0.95])
    row = both.table().filter(test="bayes").row(0, named=True)
    assert f"{row['probability_lower']:.4f}/{row['probability_rope']:.4f}/{row['probability_higher']:.4f}" in str(both)
    assert "n_resamples" not in both.explain()
    assert "holm" in both.explain()
    assert "bayes: posterior probabilities, no p-values" in both.explain()
    bayes = ir.compare(frame, test="bayes").explain()
    assert "holm" not in bayes
    assert "correction" not in ir.compare(frame, test="tukey").explain()
    assert "n_resamples = 10000, seed = 0" in ir.compare(frame, test=["t", "bootstrap"]).explain()
