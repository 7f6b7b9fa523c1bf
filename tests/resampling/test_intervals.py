"""Intervals are those of SciPy from the same replicates; they hold the true value about as often as they say."""

from __future__ import annotations

import types

import numpy as np
import polars as pl
import pytest
import scipy.stats

import ireval_frames as ir
from ireval_frames.resampling.deleting import acceleration
from ireval_frames.resampling.intervals import interval, p_of_difference, wilson
from tests.resampling import samples

X = [.7, .3, .2, .6, .4, .4, 0, .7, .1, .3, .5, .4, 0, .6, .5, .3, .1, .5, .2, .1]  # fmt: skip
Y = [.5, .1, 0, .2, .4, .3, 0, .5, .3, .3, .4, .4, .1, .4, .2, .1, .1, .6, .3, .2]  # fmt: skip


def without_each(d: np.ndarray) -> np.ndarray:
    return np.array([np.delete(d, i).mean() for i in range(len(d))])


def test_acceleration_of_a_mean_is_that_of_its_skewness() -> None:
    d = np.array(X) - np.array(Y)
    ones, strata = np.ones(20), np.zeros(20, dtype=np.int64)
    actual = acceleration(without_each(d), ones, strata)
    assert actual == pytest.approx(scipy.stats.skew(d) / (6 * 20**0.5), rel=1e-12)
    assert actual == pytest.approx(0.00662961, abs=5e-9)
    # Units that look alike stand for as many.
    kinds, at = np.unique(without_each(d).round(14), return_index=True)
    times = np.array([(np.abs(without_each(d) - k) < 1e-12).sum() for k in kinds], dtype=float)
    assert acceleration(without_each(d)[at], times, strata[: len(at)]) == pytest.approx(actual, rel=1e-9)
    assert acceleration(np.ones(20), ones, strata) == 0


@pytest.mark.parametrize("method", ["percentile", "basic", "bca"])
@pytest.mark.parametrize("level", [0.95, 0.5])
def test_intervals_are_those_of_scipy(method: str, level: float) -> None:
    d = np.array(X) - np.array(Y)
    # SciPy compares replicates with the value bit by bit, so none is to be equal.
    rng = np.random.default_rng(1)
    draws = rng.choice(d, (999, 20)).mean(axis=1) + rng.uniform(0, 1e-4, 999)
    a = acceleration(without_each(d), np.ones(20), np.zeros(20, dtype=np.int64))
    actual = interval(method, d.mean(), draws, level, acceleration=a)
    source = types.SimpleNamespace(bootstrap_distribution=draws, confidence_interval=None, standard_error=None)
    expected = scipy.stats.bootstrap(
        (d,), np.mean, n_resamples=0, method=method, confidence_level=level, bootstrap_result=source
    ).confidence_interval
    assert (actual.low, actual.high) == pytest.approx((expected.low, expected.high), rel=1e-10)
    assert (actual.method, actual.status) == (method, "ok")


def test_bca_takes_its_acceleration_from_what_is_left_out() -> None:
    frame = samples.labels().drop("score", "truth")

    def found(subject: ir.Labels, **how: object) -> tuple[dict[str, object], np.ndarray, ir.resampling.Jackknife]:
        b = ir.resampling.bootstrap(subject, "F1(average='macro')", method="bca", n_resamples=200, **how)
        how.pop("weights", None)
        return (
            b.table().row(0, named=True),
            b.draws[:, 0, 0],
            ir.resampling.jackknife(subject, "F1(average='macro')", **how),
        )

    for how in ({"cluster": "user"}, {}, {"weights": "hash"}):
        row, draws, left_out = found(ir.Labels(frame), **how)
        text = left_out.influence()
        theta = np.repeat(text["value_without"].to_numpy(), text["n"].to_numpy())
        u = theta.mean() - theta
        a = (u**3).sum() / (6 * (u**2).sum() ** 1.5)
        assert abs(a) > 1e-3
        expected = interval("bca", row["value"], draws, 0.95, acceleration=a)
        assert (row["ci_low"], row["ci_high"]) == pytest.approx((expected.low, expected.high), abs=1e-12)
    runs = ir.Labels(samples.systems())
    b = ir.resampling.bootstrap(runs, "Accuracy", method="bca", n_resamples=200)
    row = b.compare("one").filter(system="two").row(0, named=True)
    text = (
        ir.resampling.jackknife(runs, "Accuracy").influence().pivot("run_id", index="item_id", values="value_without")
    )
    d = (text["two"] - text["one"]).to_numpy()
    a = ((d.mean() - d) ** 3).sum() / (6 * ((d.mean() - d) ** 2).sum() ** 1.5)
    expected = interval("bca", row["difference"], b.draws[:, 2, 0] - b.draws[:, 1, 0], 0.95, acceleration=a)
    assert (row["ci_low"], row["ci_high"]) == pytest.approx((expected.low, expected.high), abs=1e-12)


def test_normal_intervals_and_p_values_that_turn_intervals_round() -> None:
    draws = np.random.default_rng(1).normal(1, 2, 500)
    actual = interval("normal", 1.5, draws, 0.9)
    half = scipy.stats.norm.ppf(0.95) * draws.std(ddof=1)
    assert (actual.low, actual.high) == pytest.approx((3 - draws.mean() - half, 3 - draws.mean() + half))
    for method in ("percentile", "basic", "normal", "bca"):
        p = p_of_difference(method, 1.5, draws, 0.03)
        # The interval of confidence 1 − p ends at 0.
        ends = interval(method, 1.5, draws, 1.0 - p, acceleration=0.03)
        assert min(abs(ends.low), abs(ends.high)) == pytest.approx(0.0, abs=1e-8), method
    assert p_of_difference("percentile", 9.0, draws + 9) == 2 / 501


def test_replicates_beside_the_value_are_reported() -> None:
    rng = np.random.default_rng(5)
    users = {"user": np.repeat(np.arange(30), 6), "label": rng.random(180) < 0.4, "score": rng.random(180)}
    frame = pl.DataFrame(users)
    subject = ir.Labels(frame, unit="user")
    statuses = {
        name: ir.resampling.bootstrap(subject, "AveragePrecision", n_resamples=300, **more).table()["status"][0]  # type: ignore[arg-type]
        for name, more in {
            "items": {},
            "users": {"cluster": "user"},
        }.items()
    }
    assert statuses == {"items": "biased", "users": "ok"}


@pytest.mark.parametrize("k, n", [(0, 7), (7, 7), (3, 10), (250, 1000)])
def test_wilson_is_that_of_scipy(k: int, n: int) -> None:
    expected = scipy.stats.binomtest(k, n).proportion_ci(0.9, method="wilson")
    assert wilson(k, n, 0.9) == pytest.approx((expected.low, expected.high), abs=1e-12)


def test_intervals_without_spread_say_so() -> None:
    right = pl.DataFrame({"label": ["a", "b"] * 30, "prediction": ["a", "b"] * 30})
    for method in ("percentile", "basic", "normal", "bca"):
        row = (
            ir.resampling.bootstrap(ir.Labels(right), "Accuracy", method=method, n_resamples=50)
            .table()
            .row(0, named=True)
        )
        assert (row["ci_low"], row["ci_high"], row["method"], row["status"]) == (1.0, 1.0, "percentile", "degenerate")
    row = ir.resampling.bootstrap(ir.Labels(right), "Accuracy", method="wilson").table().row(0, named=True)
    assert (row["ci_low"], row["ci_high"]) == pytest.approx(wilson(60, 60, 0.95))


def test_shares_of_items_have_wilson_intervals_and_others_none() -> None:
    frame = samples.labels()
    binary = frame.select("site", label=pl.col("label") == "a", prediction=pl.col("prediction") == "a")
    b = ir.resampling.bootstrap(
        ir.Labels(binary, by="site"), "Accuracy Precision Recall Specificity F1 MCC", method="wilson"
    )
    for row in b.table().iter_rows(named=True):
        here = binary.filter(site=row["site"])
        is_a, got_a = here["label"], here["prediction"]
        of = {
            "Accuracy": (is_a == got_a, is_a | ~is_a),
            "Precision": (is_a & got_a, got_a),
            "Recall": (is_a & got_a, is_a),
            "Specificity": (~is_a & ~got_a, ~is_a),
        }.get(row["measure"])
        if of is None:
            assert (row["ci_low"], row["status"]) == (None, "no_share")
        else:
            expected = scipy.stats.binomtest(of[0].sum(), of[1].sum()).proportion_ci(method="wilson")
            assert (row["ci_low"], row["ci_high"]) == pytest.approx((expected.low, expected.high), abs=1e-12)


def test_intervals_of_clusters_cover() -> None:
    """Accuracy over 40 users of unequal numbers, whose items hang together."""
    rng, tries, methods = np.random.default_rng(1), 60, ("percentile", "basic", "normal", "bca", "delta")
    size = 1 + np.arange(40) % 9
    user = np.repeat(np.arange(40), size)
    held = dict.fromkeys(methods, 0)
    for i in range(tries):
        right = rng.random(len(user)) < rng.beta(3.5, 1.5, 40)[user]
        frame = pl.DataFrame({"user": user, "label": True, "prediction": right})
        b = ir.resampling.bootstrap(ir.Labels(frame), "Accuracy", cluster="user", n_resamples=200, seed=i)
        for method in methods:
            row = b.table(method=method).row(0, named=True)
            held[method] += row["ci_low"] <= 0.7 <= row["ci_high"]
    # 95 %, less what 40 clusters cost, less 3 errors of 60 tries.
    assert min(held.values()) / tries >= 0.93 - 3 * (0.07 * 0.93 / tries) ** 0.5, held
