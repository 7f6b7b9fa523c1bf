"""Of simulated users whose examination is known, IPS and DR find the truth, and their intervals hold it."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import ireval_frames as ir

ATTRACTIVE = {"a": 0.8, "b": 0.5, "c": 0.3, "d": 0.1}
EXAMINED = [1.0, 0.6, 0.35, 0.2]
NOISE = 0.1
TIMES, PAGES = 300, 120


def simulated(seed: int, *, noisy: bool = False) -> pl.DataFrame:
    """Many logs at once, told apart by `draw`: lists in random order, clicks where a result is looked at and wanted."""
    rng = np.random.default_rng(seed)
    docs = np.array(list(ATTRACTIVE))
    n = TIMES * PAGES
    # The better documents stand higher more often, as production rankers have it.
    order = np.argsort(-(np.array(list(ATTRACTIVE.values())) + rng.gumbel(0, 0.5, (n, 4))), axis=1)
    expected = np.array(list(ATTRACTIVE.values()))[order]
    looked = rng.random((n, 4)) < EXAMINED
    click = looked & (rng.random((n, 4)) < (np.where(noisy, NOISE + (1 - NOISE) * expected, expected)))
    page = np.repeat(np.arange(n), 4)
    return pl.DataFrame(
        {
            "draw": page // PAGES,
            "serp_id": page,
            "user_id": page // 3,
            "query_id": np.full(4 * n, "q"),
            "doc_id": docs[order].ravel(),
            "position": np.tile(np.arange(1, 5), n),
            "click": click.astype(np.int64).ravel(),
        }
    )


RUN = pl.DataFrame({"query_id": ["q"] * 4, "doc_id": list("dcba"), "score": [4.0, 3.0, 2.0, 1.0]})
TRUTH = sum(ATTRACTIVE[d] / np.log2(i + 1) for i, d in enumerate("dcba", 1))


@pytest.mark.parametrize("cluster", ["page", "user"])
def test_the_truth_is_found_and_covered(cluster: str) -> None:
    actual = ir.clicks.counterfactual(
        simulated(1), RUN, "DCG", propensity=EXAMINED, estimators="naive IPS DR", by="draw", cluster=cluster
    ).summary()
    for estimator in ("IPS", "DR"):
        mine = actual.filter(pl.col("estimator") == estimator)
        error = mine["value"].mean() - TRUTH  # type: ignore[operator]
        assert abs(error) < 4 * mine["value"].std() / np.sqrt(TIMES)  # type: ignore[operator]
        covered = ((mine["low"] <= TRUTH) & (mine["high"] >= TRUTH)).mean()
        assert 0.91 <= covered <= 0.98  # type: ignore[operator]
        # The standard error is that of the spread of the estimates.
        assert mine["se"].mean() == pytest.approx(mine["value"].std(), rel=0.12)
    naive = actual.filter(pl.col("estimator") == "naive")["value"].mean()
    assert naive < 0.75 * TRUTH  # type: ignore[operator]


def test_clicks_on_what_is_not_relevant_are_put_right() -> None:
    # P(click) at k = θ_k (NOISE + (1 − NOISE) R), so α_k = θ_k (1 − NOISE) and β_k = θ_k · NOISE.
    trust = pl.DataFrame(
        {
            "position": [1, 2, 3, 4],
            "propensity": EXAMINED,
            "alpha": [t * (1 - NOISE) for t in EXAMINED],
            "beta": [t * NOISE for t in EXAMINED],
        }
    )
    log = simulated(2, noisy=True)
    actual = ir.clicks.counterfactual(log, RUN, "DCG", propensity=trust, estimators="IPS affine").summary()
    values = dict(zip(actual["estimator"], actual.iter_rows(named=True), strict=True))
    assert abs(values["affine"]["value"] - TRUTH) < 4 * values["affine"]["se"]
    assert values["IPS"]["value"] - TRUTH > 10 * values["IPS"]["se"]
