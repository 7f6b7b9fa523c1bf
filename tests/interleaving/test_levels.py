"""Coverage of intervals and false positive rates of tests, over hundreds of simulated tests."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest

import ireval_frames as ir
from ireval_frames.interleaving.long_tail import WEIGHTINGS, by_query
from tests.interleaving.cases import pages, run

DRAWS = 300
# A rate of 0.05 or 0.95 deviates by more than this once in a thousand times.
DEVIATION = 3.3 * np.sqrt(0.05 * 0.95 / DRAWS)
TWO_RUNS = {"q": (["a", "b", "c", "d", "e"], ["b", "c", "d", "e", "a"])}
THREE_RUNS = {"q": (["a", "b", "c", "d"], ["b", "c", "e", "a"], ["e", "a", "b", "f"])}
DISJOINT_RUNS = {"q": (["a", "b"], ["c", "d"])}


def simulated_lists(method: str, case: Any, pages_per_test: int, depth: int) -> pl.DataFrame:
    """The lists of many tests."""
    runs = [run(case, i) for i in range(len(case["q"]))]
    lists = ir.interleaving.interleave(runs, None, method, seed=1, depth=depth, pages=pages(DRAWS * pages_per_test))
    return lists.with_columns(draw=pl.col("serp_id") // pages_per_test)


def coverage(test: ir.interleaving.Interleaving) -> float:
    """How often the interval of Δ contains 0."""
    return float(test.summary().select(((pl.col("low") <= 0) & (pl.col("high") >= 0)).mean()).item())


def rejection_rates(test: ir.interleaving.Interleaving) -> dict[str, float]:
    """How often each test has p ≤ 0.05, without tests that have no p."""
    table = test.tests(correction="none").select("p_sign", "p_z", "p_clustered", "p_t")
    return {c.name: float((c <= 0.05).mean()) for c in table if c.null_count() < table.height}  # type: ignore[arg-type]


@pytest.mark.parametrize("case", [TWO_RUNS, THREE_RUNS])
@pytest.mark.parametrize("method", ["team-draft", "probabilistic", "optimized", "pairwise"])
def test_random_clicks_have_no_winner(method: str, case: Any) -> None:
    """Also of rankings that get credit with different probabilities."""
    log = simulated_lists(method, case, 80, 4)
    click = np.random.default_rng(2).random(log.height) < 0.4
    test = ir.interleaving.Interleaving(
        log.with_columns(click=click), method, runs=list("abc"[: len(case["q"])]), by="draw"
    )
    assert abs(coverage(test) - 0.95) < DEVIATION + 0.01
    rates = rejection_rates(test)
    assert list(rates) == (["p_sign", "p_z"] if method == "team-draft" else []) + ["p_clustered", "p_t"]
    for name, share in rates.items():
        # p of counts is discrete: its level can be well below 0.05.
        assert share < 0.05 + DEVIATION + 0.01, name
        assert name == "p_sign" or share > 0.05 - DEVIATION - 0.01, name


def test_pages_of_a_user_are_clustered() -> None:
    """Users with preferences of their own: their pages are not independent."""
    users, pages_per_test = 40, 6
    log = simulated_lists("team-draft", DISJOINT_RUNS, users * pages_per_test, 2).with_columns(
        user_id=pl.col("serp_id") // pages_per_test
    )
    rng = np.random.default_rng(3)
    taste = rng.normal(0.0, 0.25, DRAWS * users)[log["user_id"].to_numpy()]
    chance = 0.4 + np.where(log["team"] == "a", taste, -taste)
    log = log.with_columns(click=rng.random(log.height) < chance)
    users_drawn, pages_drawn = (ir.interleaving.Interleaving(log, cluster=c, by="draw") for c in ("user", "page"))
    assert abs(coverage(users_drawn) - 0.95) < DEVIATION + 0.01
    assert coverage(pages_drawn) < 0.85
    clustered_by_user, clustered_by_page = rejection_rates(users_drawn), rejection_rates(pages_drawn)
    for name in ("p_clustered", "p_t"):
        assert abs(clustered_by_user[name] - 0.05) < DEVIATION
        assert clustered_by_page[name] > 0.15
    by_user = ir.interleaving.Interleaving(log, unit="user", by="draw")
    assert abs(coverage(by_user) - 0.95) < DEVIATION + 0.01


@pytest.mark.parametrize("spread, centre", [(0.0, 0.5), (0.15, 0.5), (0.15, 0.56)])
def test_levels_by_query(spread: float, centre: float) -> None:
    """Few frequent and many rare queries, each with its own share of wins."""
    rng, queries = np.random.default_rng(4), 40
    size = (DRAWS, queries)
    n = rng.geometric(0.08, size)
    wins = rng.binomial(n, np.clip(rng.normal(centre, spread, size), 0.02, 0.98))
    frame = pl.DataFrame({
        "draw": np.repeat(np.arange(DRAWS), queries), "run": "b", "baseline": "a", "wins": wins.ravel(),
        "losses": (n - wins).ravel(),
    })  # fmt: skip
    for weighting in WEIGHTINGS:
        table = by_query(frame, ["draw"], weighting, 0.05, 0.95)
        truth = by_query(frame.with_columns(draw=0), ["draw"], weighting, 0.05, 0.95)["delta"].item()
        inside = table.select(((pl.col("low") <= truth) & (truth <= pl.col("high"))).mean()).item()
        assert inside > 0.95 - DEVIATION, weighting
        rates = (table["p_value"] <= 0.05).mean()
        if centre == 0.5:
            assert rates < 0.05 + DEVIATION  # type: ignore[operator]
        elif weighting != "pruning":
            assert rates > 0.2  # type: ignore[operator]
