"""Thousands of experiments whose truth is known: intervals hold it as often as they say, tests err as often."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest
from scipy import stats

import ireval_frames as ir
from ireval_frames.experiments.analysis import heterogeneity
from ireval_frames.experiments.options import AnalysisOptions
from ireval_frames.stats.proportions.sample_ratio import chi_square, exact

DRAWS = 1000
# A share of 0.05, or 0.95, of so many draws is off by more once in a thousand times.
OFF = 3.3 * np.sqrt(0.05 * 0.95 / DRAWS)


def drawn(units: int, **columns: Any) -> ir.Experiment:
    """Experiments of so many units each, every other one of variant 1; a group for each."""
    draws = len(next(iter(columns.values())))
    rows = {"draw": np.repeat(np.arange(draws), units), "variant": np.tile(np.arange(units) % 2, draws)}
    frame = pl.DataFrame(rows | {name: np.ravel(values) for name, values in columns.items()})
    return ir.Experiment(frame, unit=None, baseline=0, by="draw")


def held(table: pl.DataFrame, low: str, truth: float, high: str) -> float:
    """How often the interval holds the truth."""
    return float(table.select(((pl.col(low) <= float(truth)) & (pl.col(high) >= float(truth))).mean()).item())


def test_intervals_hold_the_truth() -> None:
    """Of shares, capped means, quantiles, post-stratified values, and of differences as shares of the baseline."""
    rng, units = np.random.default_rng(1), 160
    size, variant = (DRAWS, units), np.arange(units) % 2
    stratum = rng.binomial(1, 0.3, size)
    spent = rng.gamma(2.0, 1.0 + 0.2 * variant, size) + 2.0 * stratum
    pages = 1 + rng.poisson(3.0 + 4.0 * stratum)
    experiment = drawn(
        units, stratum=stratum, spent=spent, pages=pages, clicks=rng.binomial(pages, 0.2 + 0.3 * stratum),
        bought=rng.random(size) < 0.15 + 0.1 * variant, plain=rng.gamma(2.0, 1.0 + 0.2 * variant, size),
    )  # fmt: skip
    both = [stats.gamma(2.0, scale=s) for s in (1.0, 1.2)]
    capped = [g.expect(lambda x: np.minimum(x, 4.0)) for g in both]
    actual = experiment.analyze(
        "Proportion(bought) Capped(plain, upper=4) Quantile(plain, 0.5) Quantile(plain, 0.9) Mean(plain)",
        correction="none",
    ).table()
    truth = {
        "Proportion(bought)": 0.1,
        "Capped(plain, upper=4)": capped[1] - capped[0],
        "Quantile(plain, 0.5)": both[1].ppf(0.5) - both[0].ppf(0.5),
        "Quantile(plain, 0.9)": both[1].ppf(0.9) - both[0].ppf(0.9),
        "Mean(plain)": 0.4,
    }
    for metric, value in truth.items():
        part = actual.filter(pl.col("metric") == metric)
        # Quantiles of 80 units are known a little less well than their interval says.
        least = 0.95 - OFF - (0.015 if metric.startswith("Q") else 0.0)
        assert least < held(part, "ci_low", value, "ci_high") < 0.95 + OFF + 0.01, metric
        # In the tail of a skewed distribution the quantiles around one lie wide, which errs on the safe side.
        apart = 0.2 if metric == "Quantile(plain, 0.9)" else 0.1
        assert part["se"].mean() == pytest.approx(part["difference"].std(), rel=apart), metric
        if metric == "Mean(plain)":
            assert abs(held(part, "relative_low", 0.2, "relative_high") - 0.95) < OFF
    strata = experiment.analyze("Mean(spent) Ratio(clicks, pages)", strata="stratum", correction="none").table()
    plain = experiment.analyze("Mean(spent) Ratio(clicks, pages)", correction="none").table()
    for metric, value in (("Mean(spent)", 0.4), ("Ratio(clicks, pages)", 0.0)):
        part, beside = (t.filter(metric=metric) for t in (strata, plain))
        assert abs(held(part, "ci_low", value, "ci_high") - 0.95) < OFF + 0.005, metric
        assert part["difference"].std() < 0.93 * beside["difference"].std()  # type: ignore[operator]
        assert part["se"].mean() == pytest.approx(part["difference"].std(), rel=0.06)


def test_quantiles_of_rows_vary_as_their_standard_errors_say() -> None:
    """Rows of a user are alike: users are drawn, and both have many rows and few."""
    rng, draws, users = np.random.default_rng(2), 400, 120
    each = 1 + rng.poisson(3.0, draws * users)
    user = np.repeat(np.arange(draws * users), each)
    slow = np.repeat(rng.normal(0.0, 0.5, draws * users), each)
    rows = pl.DataFrame({
        "user_id": user, "draw": user // users, "variant": user % 2,
        "latency": np.exp(slow + rng.normal(0.0, 0.5, len(user))),
    })  # fmt: skip
    experiment = ir.Experiment(rows, baseline=0, by="draw")
    actual = experiment.analyze("Quantile(latency, 0.75, of=rows)", correction="none").table()
    assert actual["se"].mean() == pytest.approx(actual["difference"].std(), rel=0.1)
    assert held(actual, "ci_low", 0.0, "ci_high") == pytest.approx(0.95, abs=0.04)
    apart = ir.Experiment(rows, unit=None, baseline=0, by="draw")
    short = apart.analyze("Quantile(latency, 0.75)", correction="none").table()
    assert held(short, "ci_low", 0.0, "ci_high") < 0.9
    # Few groups are asked for by quantiles, many are looked up.
    some = experiment.analyze("Quantile(latency, 0.75, of=rows)", correction="none")
    part = ir.Experiment(rows.filter(pl.col("draw") < 2), baseline=0, by="draw").analyze(
        some.metrics, correction="none"
    )
    assert part.table()["se"].to_list() == pytest.approx(actual["se"].head(2).to_list(), rel=1e-12)


def test_a_margin_is_passed_as_rarely_as_the_level_says() -> None:
    rng, units = np.random.default_rng(3), 100
    y = rng.gamma(4.0, 1.0 - 0.1 * (np.arange(units) % 2), (DRAWS, units))
    experiment = drawn(units, y=y)
    for options in ({"margin": 0.4}, {"margin": 0.1, "relative": True}):
        actual = experiment.noninferiority("Mean(y)", correction="none", **options)  # type: ignore[arg-type]
        assert abs(actual["not_worse"].mean() - 0.05) < OFF  # type: ignore[operator]
    same = drawn(units, y=y + 0.4 * (np.arange(units) % 2)).noninferiority("Mean(y)", margin=0.8, correction="none")
    assert same["not_worse"].mean() > 0.5  # type: ignore[operator]


def test_groups_that_do_not_differ_are_found_to_differ_in_one_of_twenty() -> None:
    rng, units = np.random.default_rng(4), 400
    group = np.arange(units) // 2 % 4
    y = rng.exponential(1.0 + group, (DRAWS, units)) + 0.5 * (np.arange(units) % 2)
    frame = drawn(units, y=y, group=np.tile(group, (DRAWS, 1)))
    table = frame.analyze("Mean(y)", by=["draw", "group"], correction="none").table()
    # A draw stands for a metric, of which each has a Q.
    actual = heterogeneity(table.with_columns(metric=pl.col("draw")), ["group"], AnalysisOptions(correction="none"))
    assert actual.height == DRAWS
    assert abs((actual["p_value"] <= 0.05).mean() - 0.05) < OFF + 0.01  # type: ignore[operator]


@pytest.mark.parametrize("share", [0.5, 0.1])
def test_mismatch_is_found_where_there_is_none_as_rarely_as_its_level_says(share: float) -> None:
    """All counts of two variants, each as often as it comes."""
    n, alpha = 600, 0.001
    first = np.arange(n + 1.0)
    often = stats.binom(n, share).pmf(first)
    shares = np.array([share, 1.0 - share])
    counts = np.stack([first, n - first], axis=1)
    p = np.array([exact(c, shares) for c in counts])
    assert 0.2 * alpha < often[p <= alpha].sum() <= alpha
    p = np.array([chi_square(c, shares)[1] for c in counts])
    assert 0.5 * alpha < often[p <= alpha].sum() < 2.0 * alpha


def test_looks_that_were_planned_or_not_err_in_one_of_twenty() -> None:
    """Experiments without a difference, each looked at while its units come."""
    rng, draws, units = np.random.default_rng(5), 500, 320
    looks = [0.25, 0.5, 0.75, 1.0]
    rows = pl.DataFrame({
        "draw": np.repeat(np.arange(draws), units), "variant": np.tile(np.arange(units) % 2, draws),
        "came": np.tile(np.arange(units), draws), "y": rng.gamma(3.0, 1.0, draws * units),
    })  # fmt: skip
    wrong: dict[str, set[int]] = {"once": set(), "always": set(), "obrien-fleming": set(), "pocock": set()}
    for i, look in enumerate(looks):
        seen = ir.Experiment(rows.filter(pl.col("came") < look * units), unit=None, by="draw")
        for name in wrong:
            options: dict[str, Any] = {} if name == "once" else {"sequential": 160}
            if name in ("obrien-fleming", "pocock"):
                options = {"looks": looks[: i + 1], "spending": name}
            table = seen.analyze("Mean(y)", correction="none", **options).table()
            outside = table.filter((pl.col("ci_low") > 0) | (pl.col("ci_high") < 0))
            assert outside["draw"].to_list() == table.filter("significant")["draw"].to_list()
            wrong[name] |= set(outside["draw"])
    share = {name: len(actual) / draws for name, actual in wrong.items()}
    off = 3.3 * np.sqrt(0.05 * 0.95 / draws)
    assert share["once"] > 0.07
    assert share["always"] < 0.05
    assert abs(share["obrien-fleming"] - 0.05) < off
    assert abs(share["pocock"] - 0.05) < off


def test_posteriors_are_right_on_average_over_their_priors() -> None:
    """The truth is drawn from the prior: credible intervals hold it, and the best is as often best as is said."""
    rng, draws, units = np.random.default_rng(6), 400, 60
    share = rng.beta(2.0, 5.0, (draws, 2))
    mean = rng.normal(5.0, 0.5, (draws, 2))
    of = np.arange(units) % 2
    experiment = drawn(units, hit=rng.random((draws, units)) < share[:, of], y=rng.normal(mean[:, of], 2.0))
    actual = experiment.bayes("Proportion(hit) Mean(y)", beta=(2.0, 5.0), normal=(5.0, 0.5))
    for metric, truth in (("Proportion(hit)", share), ("Mean(y)", mean)):
        part = actual.filter(metric=metric).sort("draw", "variant").with_columns(truth=truth.ravel())
        inside = part.select(((pl.col("low") <= pl.col("truth")) & (pl.col("truth") <= pl.col("high"))).mean()).item()
        assert inside == pytest.approx(0.95, abs=3.3 * np.sqrt(0.05 * 0.95 / 2 / draws))
        second = part.filter(variant=1)
        p, best = second["p_best"].to_numpy(), truth[:, 1] > truth[:, 0]
        # Σ (best − p) has the variance Σ p (1 − p), among those that are sure and those that are not.
        for some in (p < 0.3, (p >= 0.3) & (p <= 0.7), p > 0.7):
            assert abs((best - p)[some].sum()) < 3.5 * np.sqrt((p * (1 - p))[some].sum())
        lost = np.maximum(truth[:, 0] - truth[:, 1], 0.0)
        assert second["expected_loss"].mean() == pytest.approx(lost.mean(), abs=3.5 * lost.std() / np.sqrt(draws))


def test_a_planned_test_finds_its_difference_as_often_as_planned() -> None:
    rng, draws = np.random.default_rng(7), 500
    skewed = rng.gamma(2.0, 3.0, 20_000)
    history = ir.Experiment(pl.DataFrame({"y": skewed}), variant=None, unit=None)
    plan = history.plan("Mean(y)", relative=0.15, power=0.8, split=0.5).row(0, named=True)
    units = 2 * int(plan["n_variant"])
    y = rng.gamma(2.0, 3.0, (draws, units)) + plan["difference"] * (np.arange(units) % 2)
    actual = drawn(units, y=y).analyze("Mean(y)", correction="none").table()["significant"].mean()
    assert actual == pytest.approx(0.8, abs=3.3 * np.sqrt(0.8 * 0.2 / draws))


def test_trends_that_are_not_there_are_found_in_one_of_twenty() -> None:
    """The formula over arrays, which is that of the package, for units that come back on some days."""
    rng, units, days = np.random.default_rng(8), 200, 5
    taste = rng.normal(0.0, 1.0, (DRAWS, units, 1))
    there = rng.random((DRAWS, units, days)) < 0.6
    y = taste + rng.normal(0.0, 1.0, (DRAWS, units, days)) + 0.1 * np.arange(days)
    side = np.arange(units) % 2
    slopes, errors = _slopes(y, there, side)
    assert abs((np.abs(slopes / errors) > 1.96).mean() - 0.05) < OFF
    assert errors.mean() == pytest.approx(slopes.std(), rel=0.06)
    unit, day = np.nonzero(there[0])
    rows = pl.DataFrame({"user_id": unit, "day": day, "variant": side[unit], "y": y[0][unit, day]})
    row = ir.Experiment(rows, baseline=0, time="day").trend("Mean(y)").row(0, named=True)
    assert (row["slope"], row["se"]) == pytest.approx((slopes[0], errors[0]), rel=1e-9)


def _slopes(y: np.ndarray, there: np.ndarray, side: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Slopes of the differences of daily means, weighted by their precision, and standard errors over units."""
    seen = np.where(there, y, 0.0)
    means, off, precision = [], [], 0.0
    for v in (0, 1):
        own, own_there = seen[:, side == v], there[:, side == v]
        n = own_there.sum(axis=1)
        mean = own.sum(axis=1) / n
        away = np.where(own_there, own - mean[:, None], 0.0)
        means.append(mean)
        off.append(away / n[:, None])
        precision = precision + (away**2).sum(axis=1) / (n - 1) / n
    weight = 1.0 / precision
    at = np.arange(y.shape[2])
    centre = (weight @ at) / weight.sum(axis=1)
    part = weight * (at - centre[:, None])
    part /= (part * (at - centre[:, None])).sum(axis=1, keepdims=True)
    slope = (part * (means[1] - means[0])).sum(axis=1)
    variance = 0.0
    for away in off:
        shifted = (away * part[:, None]).sum(axis=2)
        came = (away != 0).any(axis=2).sum(axis=1)
        variance = variance + (shifted**2).sum(axis=1) * came / (came - 1)
    return slope, np.sqrt(variance)
