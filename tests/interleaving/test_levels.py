"""Thousands of interleaving tests whose truth is known: intervals hold it as often as they say, tests err as often."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest
from scipy import stats

import ireval_frames as ir
from ireval_frames.interleaving.long_tail import WEIGHTINGS, by_query
from tests.interleaving.worlds import THREE, TWO, pages, run

TESTS = ("sign", "z", "clustered", "t")


def draws_of(method: str, world: Any, draws: int, each: int, seed: int = 1) -> pl.DataFrame:
    """Lists of so many tests, of so many pages each."""
    runs = [run(world, i) for i in range(len(world["q"]))]
    shown = ir.interleave(runs, None, method, seed=seed, depth=2, pages=pages(draws * each))
    return shown.with_columns(draw=pl.col("serp_id") // each)


@pytest.mark.parametrize("world", [TWO, THREE])
@pytest.mark.parametrize("method", ["team-draft", "probabilistic", "optimized", "pairwise"])
def test_random_clicks_are_found_to_prefer_someone_in_one_of_twenty(method: str, world: Any) -> None:
    draws, each = 400, 60
    shown = draws_of(method, world, draws, each)
    rng = np.random.default_rng(2)
    log = shown.with_columns(click=pl.Series((rng.random(shown.height) < 0.4).astype(np.int64)))
    test = ir.Interleaving(log, method, runs=list("abc"[: len(world["q"])]), by="draw")
    found = test.tests(correction="none")
    for name in TESTS:
        often = float((found[f"p_{name}"] <= 0.05).mean())  # type: ignore[arg-type]
        print(method, len(world["q"]), name, often)
    inside = test.summary().select(((pl.col("low") <= 0) & (pl.col("high") >= 0)).mean()).item()
    print(inside, test.summary()["delta"].mean())


def test_pages_of_a_user_are_drawn_together() -> None:
    """Users who differ in whom they prefer: their pages say less than so many pages of other users."""
    draws, users, each = 400, 40, 6
    shown = draws_of("team-draft", {"q": (["a", "b"], ["c", "d"])}, draws, users * each)
    rng = np.random.default_rng(3)
    shown = shown.with_columns(user_id=pl.col("serp_id") // each)
    taste = rng.normal(0.0, 0.25, draws * users)[shown["user_id"].to_numpy()]
    chance = 0.4 + np.where(shown["team"] == "a", taste, -taste)
    log = shown.with_columns(click=pl.Series((rng.random(shown.height) < chance).astype(np.int64)))
    held, wrong = {}, {}
    for cluster in ("user", "page"):
        test = ir.Interleaving(log, cluster=cluster, by="draw")
        held[cluster] = test.summary().select(((pl.col("low") <= 0) & (pl.col("high") >= 0)).mean()).item()
        wrong[cluster] = {t: float((test.tests(correction="none")[f"p_{t}"] <= 0.05).mean()) for t in TESTS}  # type: ignore[arg-type]
    print(held, wrong)


def test_the_long_tail() -> None:
    rng, draws, queries = np.random.default_rng(4), 1000, 40
    size = (draws, queries)
    n = rng.geometric(0.08, size)
    for spread, centre in ((0.0, 0.5), (0.15, 0.5), (0.15, 0.56)):
        share = np.clip(rng.normal(centre, spread, size), 0.02, 0.98) if spread else np.full(size, centre)
        wins = rng.binomial(n, share)
        frame = pl.DataFrame({
            "draw": np.repeat(np.arange(draws), queries), "run": "b", "baseline": "a",
            "wins": wins.ravel(), "losses": (n - wins).ravel(),
        })  # fmt: skip
        for weighting in WEIGHTINGS:
            found = by_query(frame, ["draw"], weighting, 0.05, 0.95)
            big = by_query(frame.with_columns(draw=0), ["draw"], weighting, 0.05, 0.95)["delta"].item()
            inside = found.select(((pl.col("low") <= big) & (pl.col("high") >= big)).mean()).item()
            z = stats.norm.ppf(0.975)
            old = found.select(
                (
                    (pl.col("delta") - z * pl.col("se").fill_null(0.0) <= big)
                    & (pl.col("delta") + z * pl.col("se").fill_null(0.0) >= big)
                ).mean()
            ).item()
            print(
                weighting,
                centre,
                spread,
                round(big, 3),
                "wilson",
                inside,
                "normal",
                old,
                "p",
                float((found["p_value"] <= 0.05).mean()),
                found["n_counted"].mean(),
            )
