"""What makes a test wrong is told: mismatch, units in two variants, wrong units, tiny cells, and A/A checks."""

from __future__ import annotations

import itertools
import math

import numpy as np
import polars as pl
import pytest
from scipy import stats

import ireval_frames as ir
from ireval_frames.stats.proportions.sample_ratio import chi_square, exact
from tests.experiments.cases import events, frame, units


@pytest.mark.parametrize("counts, shares", [((14, 6), (0.5, 0.5)), ((3, 20), (0.3, 0.7)), ((0, 9), (0.5, 0.5))])
def test_two_counts_are_a_binomial_test(counts: tuple[int, int], shares: tuple[float, float]) -> None:
    actual = exact(np.array(counts, dtype=float), np.array(shares))
    assert actual == pytest.approx(stats.binomtest(counts[0], sum(counts), shares[0]).pvalue, rel=1e-9)


def test_more_counts_are_counted_out() -> None:
    counts, shares = (5, 1, 3), (0.2, 0.5, 0.3)

    def probability(of: tuple[int, ...]) -> float:
        ways = math.factorial(sum(of)) / math.prod(map(math.factorial, of))
        return ways * math.prod(s**n for s, n in zip(shares, of, strict=True))

    outcomes = [o for o in itertools.product(range(10), repeat=3) if sum(o) == 9]
    expected = sum(p for o in outcomes if (p := probability(o)) <= probability(counts) * (1 + 1e-7))
    assert exact(np.array(counts, dtype=float), np.array(shares)) == pytest.approx(expected, rel=1e-9)
    statistic, p = chi_square(np.array([50.0, 30.0, 40.0]), np.array([0.4, 0.3, 0.3]))
    assert (statistic, p) == pytest.approx(tuple(stats.chisquare([50, 30, 40], [48, 36, 36])))


@pytest.mark.parametrize("engine", ["polars", "duckdb"])
def test_mismatch_is_seen_by_units_and_not_by_rows(engine: str) -> None:
    rows = frame([{"user_id": u, "variant": "ab"[u % 2], "y": 1.0} for u in range(2000) for _ in range(1 + u % 2)])
    experiment = ir.Experiment(rows, engine=engine)
    assert experiment.srm()["n"].to_list() == [1000, 1000]
    assert not experiment.srm()["mismatch"].any()
    assert experiment.srm({"a": 55, "b": 45}, method="chi2")["mismatch"].all()
    with pytest.raises(ir.errors.InvalidParameter, match="must give each variant"):
        experiment.srm({"a": 1})


def test_mismatches_of_groups_are_those_of_each_alone() -> None:
    """One group is counted out, one is large, one lacks a variant, and one has no name."""
    sizes = {"few": (7, 3, 9), "many": (3000, 2900, 3300), "gone": (0, 4, 6), None: (5, 5, 5)}
    rows = [
        (segment, name, 1.0) for segment, n in sizes.items() for name, k in zip("abc", n, strict=True) for _ in range(k)
    ]
    frame = pl.DataFrame(rows, schema=["segment", "variant", "y"], orient="row")
    actual = ir.Experiment(frame, unit=None).srm([1, 1, 2], by="segment")
    assert actual.select("segment", "variant").rows() == [(s, v) for s in (None, "few", "gone", "many") for v in "abc"]
    for segment, n in sizes.items():
        here = actual.filter(pl.col("segment").eq_missing(segment))
        counts, shares = np.array(n, dtype=float), np.array([0.25, 0.25, 0.5])
        used = "chi2" if segment == "many" else "exact"
        statistic, p = stats.chisquare(counts, counts.sum() * shares)
        assert here["n"].to_list() == list(n)
        assert here["expected"].to_numpy() == pytest.approx(counts.sum() * shares)
        assert here["share"].to_numpy() == pytest.approx(counts / counts.sum())
        assert here["method"].unique().to_list() == [used]
        assert here["statistic"].to_numpy() == pytest.approx([statistic] * 3)
        assert here["p_value"].to_numpy() == pytest.approx([p if used == "chi2" else exact(counts, shares)] * 3)
        assert here["mismatch"].to_list() == [here["p_value"][0] < 0.001] * 3


@pytest.mark.parametrize("engine", ["polars", "duckdb"])
def test_each_trap_is_reported(engine: str) -> None:
    rows = frame(events(400))
    mixed = rows.with_columns(
        variant=pl.when((pl.col("user_id") == 0) & (pl.int_range(pl.len()) == 0))
        .then(pl.lit("b"))
        .otherwise("variant"),
        flat=pl.lit(2.0),
        pages=pl.when(pl.int_range(pl.len()) == 5).then(-9).otherwise("pages"),
        gone=pl.when((pl.col("variant") == "a") & (pl.col("user_id") % 2 == 0)).then(None).otherwise(1.0),
    )
    first = mixed["variant"].to_list()[:2]
    actual = ir.Experiment(mixed, engine=engine).check("Ratio(clicks, pages) Mean(flat) Mean(gone)", by="country")
    statuses = {(c, m): s for c, m, s in actual.select("check", "metric", "status").rows()}
    assert statuses["missing values", "Mean(gone)"] == "wrong"
    assert statuses["negative counts", "Ratio(clicks, pages)"] == "wrong"
    if len(set(first)) > 1:
        assert statuses["units in two variants", None] == "wrong"
    rowwise = ir.Experiment(mixed, one_row=True, engine=engine).check("Mean(flat)")
    statuses = {(c, m): s for c, m, s in rowwise.select("check", "metric", "status").rows()}
    assert statuses["one row per unit", None] == "wrong"
    assert statuses["zero variance", "Mean(flat)"] == "doubtful"
    few = ir.Experiment(frame(units()), unit=None, engine=engine).check("Proportion(bought)", by="stratum")
    assert few.filter(pl.col("check") == "tiny cells").height == 2
    one = ir.Experiment(frame(units()).with_columns(variant=pl.lit("a")), unit=None, engine=engine).check()
    assert "one variant" in one.filter(pl.col("status") == "wrong")["message"].item()


def test_what_differed_before_is_reported() -> None:
    rows = frame(units(400)).with_columns(
        revenue_before=pl.col("revenue_before") + pl.when(pl.col("variant") == "b").then(3.0).otherwise(0.0)
    )
    actual = ir.Experiment(rows, unit=None).check("Mean(revenue, before=revenue_before)")
    assert actual.filter(pl.col("check") == "before")["status"].item() == "wrong"


def clustered() -> pl.DataFrame:
    """Pages of users that have their own taste: pages are no independent units."""
    rng = np.random.default_rng(9)
    taste = rng.beta(0.6, 0.6, 600)
    user = np.repeat(np.arange(600), 8)
    return pl.DataFrame(
        {
            "user_id": user,
            "page_id": np.arange(len(user)),
            "variant": np.where(user % 2 == 0, "a", "b"),
            "click": rng.random(len(user)) < taste[user],
        }
    )


def test_a_unit_that_was_not_randomised_is_reported() -> None:
    rows = clustered()
    actual = ir.Experiment(rows, unit="page_id", one_row=True).check("Mean(click)", randomised="user_id")
    messages = dict(actual.filter(pl.col("status") == "wrong").select("check", "message").rows())
    assert "8 units of analysis" in messages["unit of analysis"]
    right = ir.Experiment(rows).analyze("Ratio(click)").table()["se"][0]
    short = ir.Experiment(rows, "variant", "page_id", one_row=True).analyze("Mean(click)").table()["se"][0]
    assert f"{right / short:.3g} times" in messages["standard error"]
    assert ir.Experiment(rows).check("Ratio(click)", randomised="user_id")["status"].unique().to_list() == ["ok"]


@pytest.mark.parametrize("engine", ["polars", "duckdb"])
def test_aa_checks_tell_units_that_are_not_independent(engine: str) -> None:
    """Units are dealt out as they are named: halves of rows of a few heavy users are no halves of users."""
    rows = clustered()
    (row,) = ir.Experiment(rows, engine=engine).aa("Ratio(click)", n_resamples=1000, seed=1).iter_rows(named=True)
    assert row["verdict"] == "as expected"
    assert row["low"] < 0.05 < row["high"]
    assert row["n"] == 600
    # One unit holds nearly all: no t test of that keeps its level.
    heavy = rows.with_columns(y=pl.when(pl.col("user_id") == 0).then(1e6).otherwise(pl.col("click").cast(pl.Float64)))
    (row,) = ir.Experiment(heavy, engine=engine).aa("Mean(y)", n_resamples=1000).iter_rows(named=True)
    assert row["verdict"] == "too rarely"
