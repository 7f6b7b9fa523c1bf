"""Values, differences and their tests against loops over the rows, on both engines."""

from __future__ import annotations

import math
from typing import Any

import polars as pl
import pytest
from scipy import stats

import ireval_frames as ir
from ireval_frames.stats.distributions.tails import t_quantile
from tests.experiments.cases import events, frame, units
from tests.oracles import experiments as oracle

ENGINES = pytest.mark.parametrize("engine", ["polars", "duckdb"])
METRICS: dict[str, tuple[list[str | None], bool, bool]] = {
    "Mean(rev)": (["rev"], False, False),
    "Mean(rev, before=rev_before)": (["rev", "rev_before"], False, True),
    "Ratio(clicks, pages)": (["clicks", "pages"], True, False),
    "Ratio(rev)": (["rev", None], True, False),
    "Ratio(rev, pages, before=(rev_before, clicks))": (["rev", "pages", "rev_before", "clicks"], True, True),
}


@ENGINES
@pytest.mark.parametrize("by", [(), ("country",)])
def test_rows_of_units_are_summed_and_compared_as_loops_do(engine: str, by: tuple[str, ...]) -> None:
    rows = events()
    actual = ir.Experiment(frame(rows), baseline="a", engine=engine).analyze(list(METRICS), by=by).table()
    assert actual.height == len(METRICS) * (2 if by else 1)
    for row in actual.iter_rows(named=True):
        columns, ratio, adjusted = METRICS[row["metric"]]
        here = [r for r in rows if all(r[g] == row[g] for g in by)]
        both = [
            [u for first, u in oracle.per_unit(here, "user_id", columns) if first["variant"] == v] for v in ("a", "b")
        ]
        one, other, se, t, df = oracle.welch(both[0], both[1], ratio=ratio, adjusted=adjusted)
        assert (row["n_baseline"], row["n"]) == (len(both[0]), len(both[1]))
        expected = (one, other, other - one, se, t, df, 2 * stats.t.sf(abs(t), df))
        names = ("value_baseline", "value", "difference", "se", "statistic", "df", "p_value")
        assert [row[n] for n in names] == pytest.approx(expected, rel=1e-9)
        reach = float(t_quantile(0.975, df)) * se
        assert (row["ci_low"], row["ci_high"]) == pytest.approx((other - one - reach, other - one + reach), rel=1e-9)


@ENGINES
def test_large_means_lose_no_digits(engine: str) -> None:
    """A mean of a billion beside a spread of one, and values that are never the same number."""
    rows = frame(units()).with_columns(far=pl.col("revenue") + 1e9, tenth=pl.lit(0.1))
    experiment = ir.Experiment(rows, unit=None, engine=engine)
    near, far, flat = experiment.analyze("Mean(revenue) Mean(far) Mean(tenth)").table().iter_rows(named=True)
    assert (far["se"], far["df"]) == pytest.approx((near["se"], near["df"]), rel=1e-6)
    assert flat["status"] == "identical"
    assert flat["p_value"] == 1.0


@ENGINES
def test_strata_are_weighted_by_their_shares(engine: str) -> None:
    rows = units()
    table = ir.Experiment(frame(rows), unit=None, baseline="a", engine=engine)
    actual = table.analyze("Mean(revenue) Ratio(clicks, pages)", strata="stratum").table()
    weights = {s: sum(r["stratum"] == s for r in rows) / len(rows) for s in ("x", "y")}
    for row, (columns, ratio) in zip(
        actual.iter_rows(named=True), ((["revenue"], False), (["clicks", "pages"], True)), strict=True
    ):
        rows_of_metric = [
            oracle.stratified(
                [u for u in oracle.per_unit(rows, None, columns) if u[0]["variant"] == v],
                "stratum",
                weights,
                ratio=ratio,
            )
            for v in ("a", "b")
        ]
        assert (row["value_baseline"], row["value"]) == pytest.approx(
            (rows_of_metric[0][0], rows_of_metric[1][0]), rel=1e-10
        )
        assert row["se"] == pytest.approx(math.sqrt(rows_of_metric[0][1] + rows_of_metric[1][1]), rel=1e-10)


@ENGINES
def test_values_are_cut_off_at_a_quantile_of_all_units(engine: str) -> None:
    rows = frame(units())
    top = rows["revenue"].quantile(0.8, interpolation="linear")
    cut = rows.with_columns(cut=pl.col("revenue").clip(2.0, top))
    experiment = ir.Experiment(cut, unit=None, engine=engine)
    capped = experiment.analyze([ir.experiments.Capped("revenue", at=0.8, lower=2.0), "Mean(cut)"]).table()
    numbers = capped.select(pl.selectors.float().fill_null(float("nan"))).rows()
    assert numbers[0] == pytest.approx(numbers[1], rel=1e-12, nan_ok=True)


def test_proportions_by_scipy() -> None:
    rows = frame(units())
    (row,) = ir.Experiment(rows, unit=None, baseline="a").analyze("Proportion(bought)").table().iter_rows(named=True)
    hits = {v: int(rows.filter(pl.col("variant") == v)["bought"].sum()) for v in ("a", "b")}
    n = {v: rows.filter(pl.col("variant") == v).height for v in ("a", "b")}
    counts = [[hits[v], n[v] - hits[v]] for v in ("a", "b")]
    assert row["p_value"] == pytest.approx(stats.chi2_contingency(counts, correction=False).pvalue, rel=1e-10)
    ends = {v: stats.binomtest(hits[v], n[v]).proportion_ci(method="wilson") for v in ("a", "b")}
    p0, p1 = row["value_baseline"], row["value"]
    low = p1 - p0 - math.hypot(p1 - ends["b"].low, ends["a"].high - p0)
    high = p1 - p0 + math.hypot(ends["b"].high - p1, p0 - ends["a"].low)
    assert (row["ci_low"], row["ci_high"]) == pytest.approx((low, high), rel=1e-10)


@ENGINES
def test_quantiles_of_units_and_of_rows(engine: str) -> None:
    rows = events(300, seed=5)
    metrics = "Quantile(rev, 0.8) Quantile(rev, 0.8, of=rows)"
    actual = ir.Experiment(frame(rows), baseline="a", engine=engine).analyze(metrics).table()
    of_units, of_rows = actual.iter_rows(named=True)
    for row, values in (
        (
            of_units,
            {v: [u[0] for f, u in oracle.per_unit(rows, "user_id", ["rev"]) if f["variant"] == v] for v in "ab"},
        ),
        (of_rows, {v: [r["rev"] for r in rows if r["variant"] == v and r["rev"] is not None] for v in "ab"}),
    ):
        expected = [pl.Series(values[v]).quantile(0.8, interpolation="linear") for v in "ab"]
        assert (row["value_baseline"], row["value"]) == pytest.approx(expected, rel=1e-12)
    assert of_rows["n"] == of_units["n"]
    # The standard error of a bootstrap over users, which draws all rows of a user, is near.
    draws = _bootstrapped(rows, 400)
    assert of_rows["se"] == pytest.approx(float(pl.Series(draws).std() or 0.0), rel=0.2)


def _bootstrapped(rows: list[dict[str, Any]], draws: int) -> list[float]:
    import numpy as np

    rng = np.random.default_rng(0)
    users: dict[str, list[list[float]]] = {"a": [], "b": []}
    for v in users:
        mine: dict[int, list[float]] = {}
        for r in rows:
            if r["variant"] == v and r["rev"] is not None:
                mine.setdefault(r["user_id"], []).append(r["rev"])
        users[v] = list(mine.values())
    out = []
    for _ in range(draws):
        at = [
            np.quantile(np.concatenate([users[v][i] for i in rng.integers(0, len(users[v]), len(users[v]))]), 0.8)
            for v in ("a", "b")
        ]
        out.append(float(at[1] - at[0]))
    return out


def test_several_variants_groups_and_directions() -> None:
    rows = frame(units(90)).with_row_index().with_columns(arm=pl.col("index") % 3)
    experiment = ir.Experiment(rows, "arm", None, baseline=0)
    up = experiment.analyze("Mean(revenue)", correction="bonferroni", by="stratum").table()
    assert up.select("stratum", "baseline", "variant").rows() == [(s, 0, v) for s in ("x", "y") for v in (1, 2)]
    assert up["family_size"].unique().to_list() == [4]
    assert up["p_adjusted"].to_list() == pytest.approx([min(1.0, 4 * p) for p in up["p_value"]])
    every = ir.Experiment(rows, "arm", None).analyze("Mean(revenue)").table()
    assert every.select("baseline", "variant").rows() == [(0, 1), (0, 2), (1, 2)]
    low = [ir.experiments.Mean("revenue", lower_is_better=True)]
    shifted = ir.Experiment(
        rows.with_columns(revenue=pl.col("revenue") + 9 * (pl.col("arm") == 1)), "arm", None, baseline=0
    )
    verdicts = [shifted.analyze(m).table()["verdict"].to_list()[0] for m in ("Mean(revenue)", low)]
    assert verdicts == ["better", "worse"]
    both = [shifted.analyze(low, alternative=a).table()["p_value"][0] for a in ("greater", "less")]
    assert sum(both) == pytest.approx(1.0)
    assert both[0] > 0.99


def test_groups_that_differ() -> None:
    rows = frame(units(200))
    analysis = ir.Experiment(rows, unit=None, baseline="a").analyze("Mean(revenue)", by="stratum")
    (row,) = analysis.heterogeneity().iter_rows(named=True)
    d, se = (analysis.table()[c].to_list() for c in ("difference", "se"))
    z = (d[0] - d[1]) / math.hypot(*se)
    assert row["p_value"] == pytest.approx(2 * stats.norm.sf(abs(z)), rel=1e-9)


def test_it_reads_as_a_table() -> None:
    analysis = ir.Experiment(frame(units()), unit=None, baseline="a").analyze("Mean(revenue) Ratio(clicks, pages)")
    text = str(analysis)
    assert "Ratio(clicks, pages)" in text
    assert "▲ ▼" in text
    assert analysis.to_markdown().startswith("|")
    assert "<table" in analysis.to_html()
    assert "tabular" in analysis.to_latex()
    assert "each variant with 'a'" in analysis.explain()


def test_it_is_drawn() -> None:
    analysis = ir.Experiment(frame(units()), unit=None, baseline="a").analyze(
        "Mean(revenue) Ratio(clicks, pages)", by="stratum"
    )
    rows = ir.plots.effects.frame(analysis, "Mean(revenue)")
    assert rows["group"].to_list() == ["stratum = x", "stratum = y"]
    assert rows.select("difference", "low").rows() == analysis.table().head(2).select("difference", "ci_low").rows()
    assert analysis.plot(margin=0.5).to_dict()
