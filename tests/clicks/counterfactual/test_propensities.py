"""Propensities from experiments and from results that moved: the formulas, the truth, and what is not linked."""

from __future__ import annotations

import math

import duckdb
import numpy as np
import polars as pl
import pytest

import ireval_frames as ir
from ireval_frames import errors

TRUE = [1.0, 0.7, 0.5, 0.35, 0.25, 0.2]


def simulated(seed: int, pages: int = 6000, *, random: bool = False) -> pl.DataFrame:
    """Lists of six of eight documents; better ones stand higher, more or less, or the order is random."""
    rng = np.random.default_rng(seed)
    query = rng.integers(0, 60, pages)
    attractive = np.random.default_rng(1).uniform(0.2, 0.9, (60, 8))[query]
    noise = rng.gumbel(0, 0.4, attractive.shape)
    order = np.argsort(-(noise if random else attractive + noise), axis=1)[:, :6]
    click = rng.random(order.shape) < np.take_along_axis(attractive, order, 1) * np.array(TRUE)
    return pl.DataFrame(
        {
            "serp_id": np.repeat(np.arange(pages), 6),
            "query_id": np.repeat(query, 6),
            "doc_id": order.ravel(),
            "position": np.tile(np.arange(1, 7), pages),
            "click": click.ravel(),
        }
    )


LOG = simulated(0)


@pytest.mark.parametrize("method", ["pivot", "adjacent", "all_pairs"])
def test_harvesting_finds_the_truth(method: str) -> None:
    actual = ir.clicks.propensities(LOG, method, groups=30).table()
    assert actual["propensity"][0] == 1.0
    assert actual["status"].to_list() == ["ok"] * 6
    assert actual["n"].to_list() == [6000] * 6
    for row, truth in zip(actual.iter_rows(named=True), TRUE, strict=True):
        assert row["propensity"] == pytest.approx(truth, rel=0.15)
        assert row["low"] <= row["propensity"] <= row["high"]
    there = ir.clicks.propensities(duckdb.connect().from_arrow(LOG.to_arrow()), method, groups=30).table()
    for name in ("propensity", "low", "high"):
        assert (there[name] - actual[name]).abs().max() < 1e-7  # type: ignore[operator]


def rates(log: pl.DataFrame) -> dict[tuple[int, int, int], tuple[float, int]]:
    """Click-through rates by query, document and position, as loops."""
    seen: dict[tuple[int, int, int], list[bool]] = {}
    for row in log.iter_rows(named=True):
        seen.setdefault((row["query_id"], row["doc_id"], row["position"]), []).append(row["click"])
    return {k: (sum(v) / len(v), len(v)) for k, v in seen.items()}


def pair_sums(log: pl.DataFrame) -> dict[tuple[int, int], float]:
    """c_kk'."""
    of: dict[tuple[int, int], float] = {}
    known = rates(log)
    for (q, d, k), (rate, _) in known.items():
        for other in range(1, 7):
            if other != k and (q, d, other) in known:
                of[k, other] = of.get((k, other), 0.0) + rate
    return of


def test_pivot_and_chain_are_their_formulas() -> None:
    log = LOG.head(1800)
    c = pair_sums(log)
    pivot = ir.clicks.propensities(log, "pivot", reference=2).table()["propensity"].to_list()
    assert pivot == pytest.approx([1.0 if k == 2 else c[k, 2] / c[2, k] for k in range(1, 7)])
    chain = [1.0]
    for k in range(1, 6):
        chain.append(chain[-1] * c[k + 1, k] / c[k, k + 1])
    assert ir.clicks.propensities(log, "adjacent").table()["propensity"].to_list() == pytest.approx(chain)
    third = ir.clicks.propensities(log, "adjacent", reference=3).table()["propensity"].to_list()
    assert third == pytest.approx([p / chain[2] for p in chain])


def test_all_pairs_are_the_maximum() -> None:
    """No move of a propensity or a relevance makes the counts more likely; pairs of equal product are different."""
    from ireval_frames.clicks.counterfactual_evaluation.relative_propensities import (
        log_likelihood,
        relative,
        relevances,
    )

    rng = np.random.default_rng(3)
    rho, k = np.array(TRUE), 6
    relevance = rng.uniform(0.2, 0.9, (k, k))
    relevance = np.triu(relevance, 1) + np.triu(relevance, 1).T
    size = rng.uniform(20, 60, (k, k)) * (1 - np.eye(k))
    clicked = size * rho[:, None] * relevance
    actual, done = relative("all_pairs", clicked, size - clicked, 0)
    assert done
    # Counts that the model fits exactly give its parameters back, also r of (1, 6) and (2, 3).
    assert actual == pytest.approx(rho, rel=1e-4)
    best = relevances(actual, clicked, size - clicked)
    assert best[0, 5] == pytest.approx(relevance[0, 5], rel=1e-3)
    assert best[1, 2] == pytest.approx(relevance[1, 2], rel=1e-3)
    noisy = clicked * rng.uniform(0.8, 1.2, (k, k))
    noisy = np.minimum(noisy, size * 0.95)
    at = np.log(relative("all_pairs", noisy, size - noisy, 0)[0])

    def likelihood(logs: np.ndarray, r: np.ndarray) -> float:
        total = 0.0
        for i in range(k):
            for j in range(k):
                if i != j:
                    p = math.exp(logs[i]) * r[i, j]
                    total += noisy[i, j] * math.log(p) + (size - noisy)[i, j] * math.log(1 - p)
        return total

    r = relevances(np.exp(at), noisy, size - noisy)
    top = likelihood(at, r)
    assert log_likelihood(at, noisy, size - noisy)[0] == pytest.approx(top)
    for step in (1e-3, -1e-3):
        for i in range(1, k):
            shifted = at.copy()
            shifted[i] += step
            assert likelihood(shifted, relevances(np.exp(shifted), noisy, size - noisy)) < top
        assert likelihood(at, r * (1 + step)) < top


def test_shuffled_lists_and_swaps_are_ratios_of_rates() -> None:
    log = simulated(4, random=True)
    actual = ir.clicks.propensities(log, "randomised", cluster="page", groups=40).table()
    ctr = log.group_by("position").agg(pl.col("click").mean()).sort("position")["click"]
    assert actual["propensity"].to_list() == pytest.approx((ctr / ctr[0]).to_list())
    partner = log.with_columns(swapped=pl.when(pl.col("serp_id") % 3 > 0).then(pl.col("serp_id") % 5 + 2))
    swaps = ir.clicks.propensities(partner, "swaps", swap="swapped", cluster="page", groups=40).table()
    for row in swaps.iter_rows(named=True):
        pages = partner.filter(pl.col("swapped") == row["position"])
        at = {k: pages.filter(pl.col("position") == k)["click"].mean() for k in (1, row["position"])}
        expected = 1.0 if row["position"] == 1 else at[row["position"]] / at[1]  # type: ignore[operator]
        assert row["propensity"] == pytest.approx(expected)


def test_positions_that_nothing_links_are_said() -> None:
    fixed = pl.DataFrame(
        {
            "serp_id": [1, 1, 1, 2, 2, 2] * 20,
            "query_id": ["q"] * 120,
            "doc_id": ["a", "b", "c", "b", "a", "c"] * 20,
            "position": [1, 2, 3] * 40,
            "click": [1, 1, 1, 1, 0, 1] * 20,
        }
    ).with_columns(serp_id=pl.int_range(pl.len()) // 3)
    actual = ir.clicks.propensities(fixed).table()
    assert actual["status"].to_list() == ["no_interval", "no_interval", "disconnected"]
    assert actual["propensity"][2] is None
    log = fixed.filter(pl.col("position") < 3)
    run = pl.DataFrame({"query_id": ["q"], "doc_id": ["a"], "score": [1.0]})
    assert ir.clicks.counterfactual(log, run, "P@1", propensity=ir.clicks.propensities(fixed)).summary()["value"][0] > 0
    with pytest.raises(errors.InvalidValue, match="Position 3 of the page"):
        ir.clicks.counterfactual(fixed, run, "P@1", propensity=ir.clicks.propensities(fixed)).summary()
    with pytest.raises(errors.InvalidValue, match="No document was shown at two positions"):
        ir.clicks.propensities(fixed.filter(pl.col("doc_id") == "c"))
    for wrong in ({"method": "pivots"}, {"reference": 0}, {"groups": 1}, {"cluster": "page"}, {"swap": "x"}):
        with pytest.raises(errors.UsageError):
            ir.clicks.propensities(fixed, **wrong)  # type: ignore[arg-type]
    with pytest.raises(errors.DataError, match="reference"):
        ir.clicks.propensities(fixed, "randomised", reference=9)
