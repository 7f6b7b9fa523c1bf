"""Non-inferiority, posteriors, plans, differences over time, aggregates and click logs."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from scipy import stats

import ireval_frames as ir
from ireval_frames.stats.bayes.best import Beta, Normal, best_of
from ireval_frames.stats.sequential.alpha_spending import bounds
from tests.experiments.cases import events, frame, units
from tests.oracles import experiments as oracle

ENGINES = pytest.mark.parametrize("engine", ["polars", "duckdb"])


def test_not_worse_by_a_margin_is_a_one_sided_test() -> None:
    rows = units()
    a, b = ([r["revenue"] for r in rows if r["variant"] == v] for v in ("a", "b"))
    experiment = ir.Experiment(frame(rows), unit=None, baseline="a")
    (row,) = experiment.noninferiority("Mean(revenue)", margin=1.0).iter_rows(named=True)
    reference = stats.ttest_ind([x + 1.0 for x in b], a, equal_var=False, alternative="greater")
    assert row["p_value"] == pytest.approx(reference.pvalue, rel=1e-10)
    assert row["bound"] == pytest.approx(reference.confidence_interval(0.95).low - 1.0, rel=1e-9)
    (row,) = experiment.noninferiority("Mean(revenue)", margin=0.1, relative=True).iter_rows(named=True)
    reference = stats.ttest_ind(b, [0.9 * x for x in a], equal_var=False, alternative="greater")
    assert row["p_value"] == pytest.approx(reference.pvalue, rel=1e-10)
    falling = [ir.experiments.Mean("revenue", lower_is_better=True)]
    (row,) = experiment.noninferiority(falling, margin=1.0).iter_rows(named=True)
    reference = stats.ttest_ind(b, [x + 1.0 for x in a], equal_var=False, alternative="less")
    assert row["p_value"] == pytest.approx(reference.pvalue, rel=1e-10)


def test_best_of_several_by_closed_form_and_draws() -> None:
    one, other = Normal(0.0, 1.0), Normal(0.5, 1e-4)
    s = math.hypot(1.0, 1e-4)
    loss = s * stats.norm.pdf(0.5 / s) - 0.5 * stats.norm.sf(0.5 / s)
    # Of three, the last of which is never the largest, by quadrature.
    for several in ([one, other], [one, other, Normal(-90.0, 1.0)]):
        actual = best_of(several)
        assert actual.probability[1] == pytest.approx(stats.norm.cdf(0.5 / s), abs=1e-9)
        assert actual.loss[:2] == pytest.approx([loss + 0.5, loss], abs=1e-8)
    rng = np.random.default_rng(1)
    some = [Beta(31, 71), Beta(41, 61), Beta(1, 2), Normal(0.4, 0.02)]
    draws = np.stack([
        *(rng.beta(q.a, q.b, 400_000) for q in some if isinstance(q, Beta)), rng.normal(0.4, 0.02, 400_000)
    ])  # fmt: skip
    actual = best_of(some)
    assert actual.probability == pytest.approx(np.bincount(draws.argmax(axis=0)) / 400_000, abs=0.004)
    assert actual.loss == pytest.approx((draws.max(axis=0) - draws).mean(axis=1), abs=0.002)


def test_posteriors_are_those_of_conjugate_priors() -> None:
    rows = frame(units())
    experiment = ir.Experiment(rows, unit=None)
    actual = experiment.bayes("Proportion(bought) Mean(revenue)", beta=(2.0, 3.0), normal=(5.0, 0.5))
    beta, normal = actual.filter(pl.col("variant") == "b").iter_rows(named=True)
    part = rows.filter(pl.col("variant") == "b")
    hits, n = int(part["bought"].sum()), part.height
    known = stats.beta(2 + hits, 3 + n - hits)
    assert (beta["mean"], beta["low"], beta["high"]) == pytest.approx(
        (known.mean(), *known.ppf([0.025, 0.975])), rel=1e-9
    )
    variance = part["revenue"].var() / n  # type: ignore[operator]
    precision = 1 / variance + 4.0
    assert normal["mean"] == pytest.approx((part["revenue"].mean() / variance + 20.0) / precision)  # type: ignore[operator]
    assert actual.group_by("metric").agg(pl.col("p_best").sum())["p_best"].to_list() == pytest.approx([1.0, 1.0])
    (lower, *_) = experiment.bayes([ir.experiments.Proportion("bought", lower_is_better=True)]).iter_rows(named=True)
    assert lower["p_best"] == pytest.approx(1 - experiment.bayes("Proportion(bought)")["p_best"][0], abs=1e-9)


def test_plans_reach_their_power() -> None:
    history = frame(units(400)).drop("variant")
    experiment = ir.Experiment(history, variant=None, unit=None)
    (plan,) = experiment.plan("Mean(revenue)", relative=0.1, split=0.3).iter_rows(named=True)
    se = plan["sd"] * math.sqrt(1 / plan["n_baseline"] + 1 / plan["n_variant"])
    assert plan["sd"] == pytest.approx(history["revenue"].std())
    assert stats.norm.sf(stats.norm.ppf(0.975) - plan["difference"] / se) == pytest.approx(0.8, abs=5e-3)
    (back,) = experiment.plan("Mean(revenue)", n=plan["n"], split=0.3).iter_rows(named=True)
    assert back["relative"] == pytest.approx(0.1, rel=1e-3)
    less = experiment.plan("Mean(revenue, before=revenue_before)", relative=0.1, split=0.3)["n"][0]
    assert less < 0.75 * plan["n"]


@ENGINES
def test_days_and_their_trend_against_loops(engine: str) -> None:
    rows = events(80)
    experiment = ir.Experiment(frame(rows), baseline="a", time="day", engine=engine)
    days = experiment.over_time("Ratio(clicks, pages)")
    for row in days.iter_rows(named=True):
        here = [r for r in rows if r["day"] == row["day"]]
        both = [
            [u for f, u in oracle.per_unit(here, "user_id", ["clicks", "pages"]) if f["variant"] == v] for v in "ab"
        ]
        one, other, se, *_ = oracle.welch(both[0], both[1], ratio=True)
        assert (row["difference"], row["se"]) == pytest.approx((other - one, se), rel=1e-9)
    (trend,) = experiment.trend("Ratio(clicks, pages)").iter_rows(named=True)
    weights = {row["day"]: 1.0 / row["se"] ** 2 for row in days.iter_rows(named=True)}
    slope, variance = oracle.trend(rows, ("a", "b"), "clicks", "pages", weights)
    assert (trend["slope"], trend["se"]) == pytest.approx((slope, math.sqrt(variance)), rel=1e-9)


@ENGINES
def test_aggregates_of_days_are_those_of_the_whole(engine: str, tmp_path: Path) -> None:
    metrics = "Mean(rev, before=rev_before) Ratio(clicks, pages) Capped(rev, upper=15) Proportion(bought)"
    experiment = ir.Experiment(frame(events(100)), baseline="a", time="day", engine=engine)
    retained = experiment.aggregates(metrics, by=["day", "country"]).frame
    early, late = retained.filter(pl.col("day") < 2), retained.filter(pl.col("day") >= 2)
    early.write_parquet(tmp_path / "early.parquet")
    again = ir.Experiment.of_aggregates([tmp_path / "early.parquet", late], baseline="a")
    for by in ((), ("country",)):
        one, other = (e.analyze(metrics, by=by).table().select(pl.selectors.float()) for e in (experiment, again))
        for a, b in zip(one.fill_null(-1.0).rows(), other.fill_null(-1.0).rows(), strict=True):
            assert a == pytest.approx(b, rel=1e-9)
    assert again.srm()["n"].to_list() == experiment.srm()["n"].to_list()
    assert [str(m) for m in again.analyze().metrics] == [str(m) for m in experiment.analyze(metrics).metrics]
    with pytest.raises(ir.errors.DuplicateRows, match="count twice"):
        ir.Experiment.of_aggregates([early, early])
    with pytest.raises(ir.errors.InvalidValue, match="negative"):
        ir.Experiment.of_aggregates(retained.with_columns(n=-pl.col("n")))


@ENGINES
def test_a_click_log_is_an_experiment_of_users(engine: str) -> None:
    draw = np.random.default_rng(2)
    rows = [
        {"serp_id": p, "query_id": p % 7, "doc_id": d, "position": d + 1, "user_id": p % 40,
         "click": bool(draw.random() < 0.3), "variant": "ab"[p % 40 % 2]}
        for p in range(200) for d in range(1 + p % 4)
    ]  # fmt: skip
    actual = ir.Impressions(frame(rows), engine=engine).experiment(baseline="a").analyze().table()
    pages: dict[int, list[dict[str, object]]] = {}
    for r in rows:
        pages.setdefault(int(str(r["serp_id"])), []).append(r)
    pages_as_rows = []
    for of in pages.values():
        clicks = [int(str(r["position"])) for r in of if r["click"]]
        pages_as_rows.append({
            "user_id": of[0]["user_id"], "variant": of[0]["variant"], "pages": 1, "shown": len(of),
            "clicks": len(clicks), "abandoned": int(not clicks), "first": 1 / min(clicks) if clicks else 0.0,
        })  # fmt: skip
    expected: dict[str, list[str | None]] = {
        "CTR": ["clicks", "shown"], "Abandonment": ["abandoned", "pages"], "MRRFirstClick": ["first", "pages"],
        "PagesPerUser": ["pages"],
    }  # fmt: skip
    for row in actual.filter(pl.col("metric").is_in(list(expected))).iter_rows(named=True):
        columns = expected[row["metric"]]
        both = [[u for f, u in oracle.per_unit(pages_as_rows, "user_id", columns) if f["variant"] == v] for v in "ab"]
        if row["status"] == "ok":
            one, other, se, *_ = oracle.welch(both[0], both[1], ratio=len(columns) == 2)
            assert (row["value_baseline"], row["value"], row["se"]) == pytest.approx((one, other, se), rel=1e-9)
    assert actual.filter(pl.col("status") == "ok").height >= 5
    # Pages that were randomised themselves are units; a page stands in one variant.
    pages_alone = ir.Impressions(frame(rows), engine=engine).experiment(baseline="a", unit="serp_id")
    (row,) = pages_alone.analyze("Mean(clicks)").table().iter_rows(named=True)
    both = [[(float(str(r["clicks"])),) for r in pages_as_rows if r["variant"] == v] for v in "ab"]
    assert row["se"] == pytest.approx(oracle.welch(both[0], both[1], ratio=False)[2], rel=1e-9)


def test_bounds_of_several_metrics_agree_with_what_holm_decides() -> None:
    seen = set()
    for seed in range(12):
        rng = np.random.default_rng(seed)
        m = rng.gamma(2, 1, 60) + 1
        rows = {
            "user_id": range(60),
            "variant": ["a", "b"] * 30,
            "m": m,
            "z": m * rng.random(60),
            "w": m + rng.random(60),
        }
        experiment = ir.Experiment(pl.DataFrame(rows), baseline="a")
        for relative, margin in ((True, 0.25), (False, 0.8), (False, 5.0)):
            actual = experiment.noninferiority(["Mean(m)", "Mean(z)", "Mean(w)"], margin=margin, relative=relative)
            decided = actual["not_worse"].to_list()
            assert decided == (actual["bound"] >= -actual["margin"]).to_list()
            assert actual["bound_method"].unique().to_list() == ["holm"]
            for row in actual.filter(~pl.col("not_worse")).iter_rows(named=True):
                level = 1 - 0.05 / (3 - sum(decided))
                alone = experiment.noninferiority(
                    f"{row['metric']}", margin=margin, relative=relative, confidence=level
                )
                assert row["bound"] == pytest.approx(alone["bound"][0])
            seen.add(sum(decided))
    assert len(seen) > 2
    alone = experiment.noninferiority(["Mean(m)", "Mean(z)"], margin=1.0, correction="none")
    assert alone["bound_method"].unique().to_list() == ["each alone"]


def test_plans_of_margins_and_looks() -> None:
    """Each plan is carried out on drawn values, and succeeds as often as it says."""
    history = pl.DataFrame({"y": np.random.default_rng(3).permuted(stats.norm.ppf((np.arange(2000) + 0.5) / 2000))})
    experiment = ir.Experiment(history, variant=None, unit=None)
    rng, runs = np.random.default_rng(4), 4000
    for test, size, split in (
        ("difference", 0.5, 0.5), ("difference", 30.0, 0.5), ("difference", 1.2, 0.2), ("non-inferiority", 0.5, 0.5),
        ("equivalence", 0.6, 0.3),
    ):  # fmt: skip
        (plan,) = experiment.plan("Mean(y)", difference=size, test=test, split=split).iter_rows(named=True)
        n0, n1 = plan["n_baseline"], plan["n_variant"]
        assert min(n0, n1) >= 2
        x = rng.normal(0.0, plan["sd"], (runs, n0))
        y = rng.normal(size if test == "difference" else 0.0, plan["sd"], (runs, n1))
        side = "two-sided" if test == "difference" else "greater"
        shifted = 0.0 if test == "difference" else size
        actual = stats.ttest_ind(y + shifted, x, axis=1, alternative=side).pvalue <= 0.05
        if test == "equivalence":
            actual &= stats.ttest_ind(y - shifted, x, axis=1, alternative="less").pvalue <= 0.05
        assert actual.mean() > 0.8 - 0.02, (test, size, actual.mean())
        if size < 10:
            assert actual.mean() < 0.86
        (back,) = experiment.plan("Mean(y)", n=plan["n"], test=test, split=split).iter_rows(named=True)
        assert back["difference"] <= size * (1 + 1e-9)
    for looks, spending in (([0.5, 1.0], "pocock"), ([0.2, 0.4, 0.6, 0.8, 1.0], "obrien-fleming")):
        (plan,) = experiment.plan("Mean(y)", difference=0.1, looks=looks, spending=spending).iter_rows(named=True)
        drift = 0.1 / plan["sd"] * math.sqrt(plan["n"]) / 2.0
        steps = rng.normal(size=(40_000, len(looks))) * np.sqrt(np.diff(looks, prepend=0.0))
        z = (steps.cumsum(axis=1) + drift * np.array(looks)) / np.sqrt(looks)
        stopped = (np.abs(z) >= bounds(np.array(looks), 0.05, spending)).any(axis=1)
        assert stopped.mean() == pytest.approx(0.8, abs=0.008)
    few = experiment.plan("Mean(y)", n=3).row(0, named=True)
    assert (few["difference"], few["status"]) == (None, "too_few")
    with pytest.raises(ir.errors.NotDefined, match="the last one has all units"):
        experiment.plan("Mean(y)", difference=0.1, looks=[0.5])
    with pytest.raises(ir.errors.UnknownName, match="superiority"):
        experiment.plan("Mean(y)", difference=0.1, test="superiority")
