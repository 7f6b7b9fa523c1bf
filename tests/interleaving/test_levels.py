"""Hundreds of interleaving tests whose truth is known: intervals hold it as often as they say, tests err as often."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest

import ireval_frames as ir
from ireval_frames.interleaving.long_tail import WEIGHTINGS, by_query
from tests.interleaving.cases import pages, run

DRAWS = 300
# A share of 0.05, or 0.95, of so many draws is off by more once in a thousand times.
OFF = 3.3 * np.sqrt(0.05 * 0.95 / DRAWS)
TWO = {"q": (["a", "b", "c", "d", "e"], ["b", "c", "d", "e", "a"])}
THREE = {"q": (["a", "b", "c", "d"], ["b", "c", "e", "a"], ["e", "a", "b", "f"])}
APART = {"q": (["a", "b"], ["c", "d"])}


def shown(method: str, case: Any, each: int, depth: int) -> pl.DataFrame:
    """Lists of many tests, of so many pages each."""
    runs = [run(case, i) for i in range(len(case["q"]))]
    made = ir.interleaving.interleave(runs, None, method, seed=1, depth=depth, pages=pages(DRAWS * each))
    return made.with_columns(draw=pl.col("serp_id") // each)


def held(test: ir.interleaving.Interleaving) -> float:
    """How often the interval of Δ holds 0."""
    return float(test.summary().select(((pl.col("low") <= 0) & (pl.col("high") >= 0)).mean()).item())


def found(test: ir.interleaving.Interleaving) -> dict[str, float]:
    """How often each test has a p of at most 0.05; without those that have none."""
    table = test.tests(correction="none").select("p_sign", "p_z", "p_clustered", "p_t")
    return {c.name: float((c <= 0.05).mean()) for c in table if c.null_count() < table.height}  # type: ignore[arg-type]


@pytest.mark.parametrize("case", [TWO, THREE])
@pytest.mark.parametrize("method", ["team-draft", "probabilistic", "optimized", "pairwise"])
def test_clicks_at_random_prefer_nobody(method: str, case: Any) -> None:
    """Whatever the rankings: lists of which one ranking has more credit more often, too."""
    log = shown(method, case, 80, 4)
    click = np.random.default_rng(2).random(log.height) < 0.4
    test = ir.interleaving.Interleaving(
        log.with_columns(click=click), method, runs=list("abc"[: len(case["q"])]), by="draw"
    )
    assert abs(held(test) - 0.95) < OFF + 0.01
    often = found(test)
    assert list(often) == (["p_sign", "p_z"] if method == "team-draft" else []) + ["p_clustered", "p_t"]
    for name, share in often.items():
        # Of counts the least p that is possible may lie well below 0.05.
        assert share < 0.05 + OFF + 0.01, name
        assert name == "p_sign" or share > 0.05 - OFF - 0.01, name


def test_pages_of_a_user_are_drawn_together() -> None:
    """Users who differ in whom they prefer: their pages say less than so many pages of other users."""
    users, each = 40, 6
    log = shown("team-draft", APART, users * each, 2).with_columns(user_id=pl.col("serp_id") // each)
    rng = np.random.default_rng(3)
    taste = rng.normal(0.0, 0.25, DRAWS * users)[log["user_id"].to_numpy()]
    chance = 0.4 + np.where(log["team"] == "a", taste, -taste)
    log = log.with_columns(click=rng.random(log.height) < chance)
    users_drawn, pages_drawn = (ir.interleaving.Interleaving(log, cluster=c, by="draw") for c in ("user", "page"))
    assert abs(held(users_drawn) - 0.95) < OFF + 0.01
    assert held(pages_drawn) < 0.85
    right, wrong = found(users_drawn), found(pages_drawn)
    for name in ("p_clustered", "p_t"):
        assert abs(right[name] - 0.05) < OFF
        assert wrong[name] > 0.15
    whole = ir.interleaving.Interleaving(log, unit="user", by="draw")
    assert abs(held(whole) - 0.95) < OFF + 0.01


@pytest.mark.parametrize("spread, centre", [(0.0, 0.5), (0.15, 0.5), (0.15, 0.56)])
def test_queries_decide_as_often_wrongly_as_is_said(spread: float, centre: float) -> None:
    """Few frequent queries and many rare ones, each with a share of wins of its own."""
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
        assert inside > 0.95 - OFF, weighting
        often = (table["p_value"] <= 0.05).mean()
        if centre == 0.5:
            assert often < 0.05 + OFF  # type: ignore[operator]
        elif weighting != "pruning":
            assert often > 0.2  # type: ignore[operator]
