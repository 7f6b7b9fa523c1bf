"""Errors of the first kind and coverage by simulation, and bounds against published ones."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from scipy import stats

import ireval_frames as ir
from ireval_frames.stats.sequential.alpha_spending import bounds, nominal_level, overall_level
from ireval_frames.stats.sequential.always_valid import sequence_p, sequence_width

DRAWS, UNITS = 2000, 120


def test_tests_keep_their_level_and_intervals_cover() -> None:
    """Users of different activity, whose clicks depend on each other, in 2,000 experiments with a known difference."""
    rng = np.random.default_rng(4)
    size = (DRAWS, UNITS)
    taste = rng.normal(0.0, 0.8, size)
    variant = np.arange(UNITS) % 2
    share = 1.0 / (1.0 + np.exp(-taste))
    pages, before = (1 + rng.poisson(4.0, size) for _ in range(2))
    clicks, clicks_before = (rng.binomial(p, share) for p in (pages, before))
    spent_before = rng.gamma(2.0, 1.0, size)
    spent = spent_before + rng.gamma(1.0, 1.0, size) + 0.3 * variant
    rows = pl.DataFrame({
        "draw": np.repeat(np.arange(DRAWS), UNITS),
        "variant": np.tile(variant, DRAWS),
        **{n: v.ravel() for n, v in {
            "pages": pages, "clicks": clicks, "pages_before": before, "clicks_before": clicks_before,
            "spent": spent, "spent_before": spent_before,
        }.items()},
    })  # fmt: skip
    truth = {
        "Mean(spent)": 0.3,
        "Mean(spent, before=spent_before)": 0.3,
        "Ratio(clicks, pages)": 0.0,
        "Ratio(clicks, pages, before=(clicks_before, pages_before))": 0.0,
    }
    table = ir.Experiment(rows, unit=None, baseline=0).analyze(list(truth), by="draw", correction="none").table()
    covered = table.group_by("metric", maintain_order=True).agg(
        covered=((pl.col("ci_low") <= (t := pl.col("metric").replace_strict(truth))) & (t <= pl.col("ci_high"))).mean(),
        se=pl.col("se").mean(),
        spread=pl.col("difference").std(),
    )
    for row in covered.iter_rows(named=True):
        # Of 2,000 draws three standard errors of 0.95 are 0.0146.
        assert abs(row["covered"] - 0.95) < 0.0146, row
        assert row["se"] == pytest.approx(row["spread"], rel=0.06)
    se = dict(zip(covered["metric"], covered["se"], strict=True))
    assert se["Mean(spent, before=spent_before)"] < 0.75 * se["Mean(spent)"]


def test_always_valid_p_values_hold_at_every_look() -> None:
    """A t test looked at 400 times finds a difference where there is none far too often; a sequence does not."""
    rng = np.random.default_rng(5)
    n = np.arange(20, 2000, 5)
    z = rng.normal(size=(DRAWS, 2000)).cumsum(axis=1)[:, n - 1] / np.sqrt(n)
    fixed = (np.abs(z) > stats.norm.ppf(0.975)).any(axis=1).mean()
    always = (sequence_p(z, n.astype(float), 0.05, 500.0) <= 0.05).any(axis=1).mean()
    assert fixed > 0.3
    assert always < 0.05
    width = sequence_width(n.astype(float), 0.05, 500.0)
    assert ((np.abs(z) >= width) == (sequence_p(z, n.astype(float), 0.05, 500.0) <= 0.05 + 1e-12)).all()


@pytest.mark.parametrize("spending, published", [
    # ldbounds 1.1 and Lan and DeMets 1983, of two to five equal looks.
    ("obrien-fleming", [2.9626, 1.9686]),
    ("obrien-fleming", [3.7103, 2.5114, 1.9930]),
    ("obrien-fleming", [4.3326, 2.9631, 2.3590, 2.0141]),
    ("pocock", [2.157, 2.201]),
    ("pocock", [2.279, 2.295, 2.296]),
    ("obrien-fleming", [4.8769, 3.3569, 2.6803, 2.2898, 2.0310]),
    ("pocock", [2.4380, 2.4268, 2.4101, 2.3966, 2.3859]),
])  # fmt: skip
def test_bounds_are_the_published_ones(spending: str, published: list[float]) -> None:
    n = len(published)
    actual = bounds(np.arange(1, n + 1) / n, 0.05, spending)
    assert actual == pytest.approx(published, abs=5e-4)


def test_looks_spend_alpha() -> None:
    """A Brownian motion leaves the bounds as often as α says."""
    rng = np.random.default_rng(6)
    t = np.array([0.3, 0.5, 1.0])
    steps = rng.normal(size=(200_000, 3)) * np.sqrt(np.diff(t, prepend=0.0))
    z = steps.cumsum(axis=1) / np.sqrt(t)
    for spending, exponent in (("obrien-fleming", 1.0), ("pocock", 1.0), ("power", 2.0)):
        beyond = np.abs(z) >= bounds(t, 0.05, spending, exponent)
        assert beyond.any(axis=1).mean() == pytest.approx(0.05, abs=0.0016)
        if spending == "power":
            assert beyond[:, 0].mean() == pytest.approx(0.05 * 0.09, abs=0.0005)


def test_a_look_has_the_level_of_its_bound() -> None:
    rows = pl.DataFrame({"variant": [0, 1] * 50, "y": np.random.default_rng(7).normal(size=100)})
    (row,) = ir.Experiment(rows, unit=None).analyze("Mean(y)", looks=[0.2, 0.4]).table().iter_rows(named=True)
    assert row["level"] == pytest.approx(2 * stats.norm.sf(3.3569), rel=1e-3)
    assert row["ci_high"] - row["difference"] == pytest.approx(3.3569 * row["se"], rel=1e-4)


def test_delta_method_against_a_bootstrap_of_users() -> None:
    rng = np.random.default_rng(8)
    n = 400
    pages = 1 + rng.geometric(0.2, n)
    clicks = rng.binomial(pages, rng.beta(2, 3, n))
    rows = pl.DataFrame({"variant": np.arange(n) % 2, "pages": pages, "clicks": clicks})
    se = ir.Experiment(rows, unit=None).analyze("Ratio(clicks, pages)").table()["se"][0]
    draws = []
    for v in (0, 1):
        own = np.flatnonzero(np.arange(n) % 2 == v)
        at = rng.choice(own, size=(4000, len(own)))
        draws.append(clicks[at].sum(axis=1) / pages[at].sum(axis=1))
    assert se == pytest.approx((draws[1] - draws[0]).std(), rel=0.05)


@pytest.mark.parametrize("spending", ["obrien-fleming", "pocock"])
def test_looks_of_several_metrics_have_the_bounds_of_their_step(spending: str) -> None:
    """Holm's step j of N is held against the bounds of level α / (N − j + 1), and not against α's own divided."""
    rng = np.random.default_rng(9)
    n, m, looks = 400, 20, [0.5, 0.75]
    shift = np.linspace(0.0, 0.45, m)
    values = rng.normal(size=(n, m)) + shift * (np.arange(n) % 2)[:, None]
    rows = pl.DataFrame({"variant": np.arange(n) % 2} | {f"y{i}": values[:, i] for i in range(m)})
    metrics = [f"Mean(y{i})" for i in range(m)]
    options = {"looks": looks, "spending": spending}
    table = ir.Experiment(rows, unit=None).analyze(metrics, family="all", **options).table()  # type: ignore[arg-type]
    z = np.abs(table["statistic"].to_numpy())
    order, going, expected = np.argsort(-z), True, np.zeros(m, dtype=bool)
    for j, i in enumerate(order):
        going = going and z[i] >= bounds(np.array(looks), 0.05 / (m - j), spending)[-1]
        expected[i] = going
    assert table["significant"].to_list() == expected.tolist()
    assert 0 < expected.sum() < m
    assert (table["p_adjusted"] >= table["p_value"]).all()
    alone = ir.Experiment(rows, unit=None).analyze(metrics[-1:], **options).table()  # type: ignore[arg-type]
    assert alone["p_adjusted"].to_list() == alone["p_value"].to_list()


def test_families_of_looks_err_in_one_of_twenty() -> None:
    """20 metrics without a difference, each looked at twice by Pocock's bounds: Bonferroni's family error is 0.05."""
    rng = np.random.default_rng(10)
    t = (0.5, 1.0)
    steps = rng.normal(size=(20_000, 20, 2)) * np.sqrt(0.5)
    p = 2 * stats.norm.sf(np.abs(steps.cumsum(axis=2) / np.sqrt(t)))
    for most in (0.05, 0.2):
        levels = [nominal_level(t[: k + 1], most / 20, "pocock") for k in range(2)]
        assert (p <= levels).any(axis=(1, 2)).mean() == pytest.approx(1 - (1 - most / 20) ** 20, abs=0.006)
        # The same in p-values of the whole tests.
        for k in range(2):
            assert overall_level(t[: k + 1], levels[k], "pocock") == pytest.approx(most / 20, rel=1e-8)
