"""Scores, effects and orders of systems by plain loops over units, and SciPy."""

from __future__ import annotations

import math
import random
from statistics import fmean
from typing import Any

import numpy as np
import polars as pl
import pytest
import scipy.stats
from polars.testing import assert_frame_equal

import ireval_frames as ir

SYSTEMS = ("a", "b", "c")
Scores = dict[tuple[str, str], dict[int, float]]


def make_case(seed: int, *, units: range = range(30), holes: float = 0.0) -> pl.DataFrame:
    """Values of three systems by two measures in two groups, rows in any order."""
    rng = random.Random(seed)
    rows = [
        {
            "lang": ("de", "en")[q % 2],
            "run_id": s,
            "query_id": q,
            "measure": m,
            "value": min(1.0, round(0.2 + 0.1 * i + 0.5 * rng.random(), 3)),
        }
        for q in units
        for i, s in enumerate(SYSTEMS)
        for m in ("AP", "RR")
        if rng.random() >= holes
    ]
    return pl.DataFrame(rows).sample(fraction=1, shuffle=True, seed=seed)


def scores(frame: pl.DataFrame, measure: str, group: str) -> dict[str, dict[int, float]]:
    """The values of each system by unit."""
    out: dict[str, dict[int, float]] = {s: {} for s in SYSTEMS}
    for row in frame.filter(measure=measure, lang=group).iter_rows(named=True):
        out[row["run_id"]][row["query_id"]] = row["value"]
    return out


@pytest.mark.parametrize("holes", [0.0, 0.2])
def test_scores_of_the_same_units(holes: float) -> None:
    original, replica = make_case(1, holes=holes), make_case(2, holes=holes)
    r = ir.replication.reproduction(
        original, replica, by="lang", margin=0.05, missing="intersect" if holes else "error"
    )
    actual = r.table()
    assert actual.height == 2 * 2 * 3
    for row in actual.iter_rows(named=True):
        original_values, replica_values = (
            scores(side, row["measure"], row["lang"])[row["system"]] for side in (original, replica)
        )
        common = sorted(original_values.keys() & replica_values.keys())
        x, y = [original_values[q] for q in common], [replica_values[q] for q in common]
        d = [b - a for a, b in zip(x, y, strict=True)]
        assert (row["n_original"], row["n_replica"], row["n_common"]) == (
            len(original_values),
            len(replica_values),
            len(common),
        )
        rmse = math.sqrt(fmean(v * v for v in d))
        worst = math.sqrt(fmean(max(a, 1 - a) ** 2 for a in x))
        test = scipy.stats.ttest_rel(y, x)
        interval, wide_interval = test.confidence_interval(0.95), test.confidence_interval(0.9)
        p = max(
            scipy.stats.ttest_1samp(d, -0.05, alternative="greater").pvalue,
            scipy.stats.ttest_1samp(d, 0.05, alternative="less").pvalue,
        )
        expected = {
            "arp_original": fmean(x),
            "arp_replica": fmean(y),
            "difference": fmean(d),
            "ci_low": interval.low,
            "ci_high": interval.high,
            "rmse": rmse,
            "nrmse": rmse / worst,
            "statistic": test.statistic,
            "p_value": test.pvalue,
            "equivalence_low": wide_interval.low,
            "equivalence_high": wide_interval.high,
            "p_equivalence": p,
        }
        assert {k: row[k] for k in expected} == pytest.approx(expected, rel=1e-10)
        assert row["equivalent"] == (p < 0.05) == (wide_interval.low > -0.05 and wide_interval.high < 0.05)
        assert (row["design"], row["test"], row["rmse_status"], row["status"]) == ("paired", "t", "ok", "ok")


@pytest.mark.parametrize("design", [None, "unpaired"])
def test_scores_of_different_units(design: str | None) -> None:
    """Units have different names, or `design` says that they are different."""
    original, replica = make_case(1), make_case(2, units=range(100, 124) if design is None else range(24))
    actual = ir.replication.reproduction(original, replica, by="lang", design=design, margin={"AP": 0.1}).table()
    for row in actual.iter_rows(named=True):
        x, y = ([*scores(side, row["measure"], row["lang"])[row["system"]].values()] for side in (original, replica))
        test = scipy.stats.ttest_ind(y, x, equal_var=False)
        interval = test.confidence_interval(0.95)
        actual_test = [row[k] for k in ("statistic", "df", "p_value", "ci_low", "ci_high")]
        assert actual_test == pytest.approx([test.statistic, test.df, test.pvalue, interval.low, interval.high])
        if row["measure"] == "AP":
            low = scipy.stats.ttest_ind(np.add(y, 0.1), x, equal_var=False, alternative="greater").pvalue
            high = scipy.stats.ttest_ind(np.subtract(y, 0.1), x, equal_var=False, alternative="less").pvalue
            assert row["p_equivalence"] == pytest.approx(max(low, high))
        else:
            assert row["margin"] is row["p_equivalence"] is row["equivalent"] is None
        assert row["rmse"] is row["nrmse"] is None
        assert (row["design"], row["rmse_status"], row["n_common"]) == ("unpaired", "other_units", 0)


@pytest.mark.parametrize("paired", [True, False])
def test_effects(*, paired: bool) -> None:
    original = make_case(3, holes=0.1)
    replica = make_case(4, holes=0.1, units=range(30) if paired else range(50, 90))
    r = ir.replication.reproduction(original, replica, by="lang", baseline="b", missing="intersect", confidence=0.8)
    actual = r.effects()
    assert actual.select("baseline", "system").unique().sort("system").rows() == [("b", "a"), ("b", "c")]
    for row in actual.iter_rows(named=True):
        original_values, replica_values = (scores(side, row["measure"], row["lang"]) for side in (original, replica))
        units = [sorted(side["b"].keys() & side[row["system"]].keys()) for side in (original_values, replica_values)]
        if paired:
            units = [sorted(set(units[0]) & set(units[1]))] * 2
        (b, s), (b2, s2) = (
            ([side["b"][q] for q in of], [side[row["system"]][q] for q in of])
            for side, of in zip((original_values, replica_values), units, strict=True)
        )
        effect, effect2 = fmean(s) - fmean(b), fmean(s2) - fmean(b2)
        expected = {
            "n_original": len(b),
            "n_replica": len(b2),
            "effect_original": effect,
            "effect_replica": effect2,
            "effect_ratio": effect2 / effect,
            "relative_original": effect / fmean(b),
            "relative_replica": effect2 / fmean(b2),
            "relative_difference": effect / fmean(b) - effect2 / fmean(b2),
        }
        assert {k: row[k] for k in expected} == pytest.approx(expected, rel=1e-10)
        assert row["relative_low"] < row["relative_difference"] < row["relative_high"]
        if paired and row["ratio_status"] == "ok":
            d, d2 = np.subtract(s, b), np.subtract(s2, b2)
            for end in ("ratio_low", "ratio_high"):
                assert scipy.stats.ttest_1samp(d2 - row[end] * d, 0).pvalue == pytest.approx(0.2)
    assert "ok" in actual["ratio_status"]


def tau_ap(truth: dict[str, float], estimate: dict[str, float]) -> float:
    """Yilmaz et al.: the mean share of correctly ordered systems above each system but the first."""
    order = sorted(estimate, key=estimate.__getitem__, reverse=True)
    shares = [fmean(truth[a] > truth[s] for a in order[:i]) for i, s in enumerate(order) if i]
    return 2 * fmean(shares) - 1


def test_correlations_of_systems() -> None:
    rng = random.Random(5)
    systems = [f"s{i}" for i in range(9)]
    sides = [
        pl.DataFrame(
            {"query_id": range(12)} | {s: [rng.random() + i / 30 for _ in range(12)] for i, s in enumerate(systems)}
        )
        for _ in range(2)
    ]
    means = [{s: fmean(side[s]) for s in systems} for side in sides]
    actual = ir.replication.reproduction(*sides).correlations().row(0, named=True)
    assert actual["tau"] == pytest.approx(scipy.stats.kendalltau(*([m[s] for s in systems] for m in means)).statistic)
    assert actual["tau_ap"] == pytest.approx(tau_ap(*means))
    assert (actual["n_systems"], actual["n_original"], actual["n_replica"], actual["status"]) == (9, 12, 12, "ok")
    swapped = ir.replication.reproduction(*sides, lower_is_better="value").correlations().row(0, named=True)
    assert swapped["tau_ap"] == pytest.approx(tau_ap(*({s: -v for s, v in m.items()} for m in means)))
    assert swapped["tau"] == pytest.approx(actual["tau"])


def test_means_that_differ_by_rounding_are_tied() -> None:
    original = pl.DataFrame({"query_id": [1, 2, 3], "a": [0.1, 0.2, 0.3], "b": [0.3, 0.2, 0.1], "c": [0.5, 0.5, 0.5]})
    replica = pl.DataFrame({"query_id": [1, 2, 3], "a": [0.1] * 3, "b": [0.3] * 3, "c": [0.5] * 3})
    actual = ir.replication.reproduction(original, replica).correlations().row(0, named=True)
    assert actual["tau"] == pytest.approx(scipy.stats.kendalltau([1, 1, 2], [1, 2, 3]).statistic)
    tied = ir.replication.reproduction(original.select("query_id", "a", "b"), replica).correlations().row(0, named=True)
    assert (tied["tau"], tied["status"]) == (None, "tied")


def test_engines_and_shapes_of_tables_agree() -> None:
    import duckdb

    original, replica = make_case(6), make_case(7)
    expected = ir.replication.reproduction(original, replica, by="lang", margin=0.05)
    with duckdb.connect() as con:
        con.register("first_table", original)
        con.register("replica_table", replica)
        for r in (
            ir.replication.reproduction(
                "first_table", "SELECT * FROM replica_table ORDER BY value", by="lang", margin=0.05, con=con
            ),
            ir.replication.reproduction(original.to_pandas(), replica, by="lang", margin=0.05),
            ir.replication.reproduction(
                original.pivot(on="run_id", index=["query_id", "lang", "measure"], values="value"),
                replica,
                by="lang",
                margin=0.05,
            ),
        ):
            assert_frame_equal(r.table(), expected.table(), abs_tol=1e-12)
            assert_frame_equal(r.effects(), expected.effects(), abs_tol=1e-12)


def test_units_are_matched_by_id() -> None:
    """Pairing by the order of rows, as in repro_eval, gives another p-value."""
    rng = np.random.default_rng(8)
    x = rng.random(30)
    y = x + 0.02 + 0.05 * rng.random(30)
    original = pl.DataFrame({"query_id": range(30), "value": x})
    replica = pl.DataFrame({"query_id": range(30), "value": y}).sample(fraction=1, shuffle=True, seed=1)
    actual = ir.replication.reproduction(original, replica).table().row(0, named=True)
    assert actual["p_value"] == pytest.approx(scipy.stats.ttest_rel(y, x).pvalue)
    assert actual["p_value"] < 1e-9 < scipy.stats.ttest_rel(replica["value"], x).pvalue


def test_an_experiment_reproduces_itself() -> None:
    frame = make_case(13)
    r = ir.replication.reproduction(frame, frame.sample(fraction=1, shuffle=True, seed=2), margin=1e-6)
    assert r.table().select("status", "rmse", "p_value", "equivalent").unique().rows() == [
        ("identical", 0.0, 1.0, True)
    ]
    actual = r.effects()
    assert actual.select("effect_ratio", "relative_difference").unique().rows() == [(1.0, 0.0)]
    bounded = actual.filter(ratio_status="ok")
    assert bounded.height > 0
    assert bounded.select("ratio_low", "ratio_high").unique().rows() == [(1.0, 1.0)]
    assert r.correlations().select("tau", "tau_ap").unique().rows() == [(1.0, 1.0)]


def test_renamed_systems_are_mapped() -> None:
    original = make_case(9)
    replica = make_case(10).with_columns(pl.col("run_id").replace({"a": "A", "b": "B"}))
    r = ir.replication.reproduction(original, replica, systems={"a": "A", "b": "B"})
    assert r.table().select("system", "replica").unique(maintain_order=True).rows() == [("a", "A"), ("b", "B")]
    expected = ir.replication.reproduction(original, make_case(10)).table().filter(pl.col("system") != "c")
    assert_frame_equal(r.table().drop("replica"), expected.drop("replica"))
    without_mapping = ir.replication.reproduction(original, replica)
    assert without_mapping.table()["system"].unique().to_list() == ["c"]
    assert "systems of one side only: a, b, A, B" in without_mapping.explain()
    one = ir.replication.reproduction(original.filter(run_id="a"), replica.filter(run_id="A"))
    assert one.table().select("system", "replica").unique().rows() == [("a", "A")]


def pair(*values: float | None) -> pl.DataFrame:
    return pl.DataFrame({"query_id": range(len(values)), "value": values}, schema_overrides={"value": pl.Float64})


@pytest.mark.parametrize(
    "original, replica, expected",
    [
        (
            [0.2, 0.4],
            [0.2, 0.4],
            {
                "status": "identical",
                "p_value": 1.0,
                "rmse": 0.0,
                "nrmse": 0.0,
                "p_equivalence": 0.0,
                "equivalent": True,
            },
        ),
        (
            [0.2, 0.4],
            [0.25, 0.45],
            {"status": "constant_shift", "p_value": None, "p_equivalence": None, "equivalent": True},
        ),
        ([0.2, 0.4], [0.5, 0.7], {"status": "constant_shift", "p_value": None, "equivalent": False}),
        ([0.2], [0.4], {"status": "one_unit", "p_value": None, "equivalent": None, "nrmse": 0.25}),
        ([2.0, 4.0], [2.5, 4.1], {"status": "ok", "nrmse": None, "rmse_status": "outside_0_1"}),
        ([0.1, 1.0 + 1e-15], [0.2, -1e-17], {"nrmse": round(math.sqrt(1.01 / 1.81), 12), "rmse_status": "ok"}),
        ([0.2, -0.1], [0.2, 0.1], {"nrmse": None, "rmse_status": "outside_0_1"}),
    ],
)
def test_degenerate(original: list[float], replica: list[float], expected: dict[str, Any]) -> None:
    r = ir.replication.reproduction(pair(*original), pair(*replica), margin=0.1, design="paired", missing="intersect")
    row = r.table().row(0, named=True)
    actual = {k: round(v, 12) if isinstance(v, float) else v for k, v in row.items()}
    assert {k: actual[k] for k in expected} == expected
    assert not any(isinstance(v, float) and math.isnan(v) for v in row.values())
    assert str(r)


def test_a_system_without_common_units() -> None:
    original, replica = (
        pl.DataFrame({"query_id": [1, 2], "a": [0.2, 0.3], "b": b}) for b in ([None, 0.5], [0.5, None])
    )
    actual = ir.replication.reproduction(original, replica, missing="intersect").table().row(1, named=True)
    expected = {"system": "b", "n_common": 0, "status": "no_units", "rmse": None, "rmse_status": "no_common_units"}
    assert {k: actual[k] for k in expected} == expected


def test_no_effect_has_no_ratio() -> None:
    original = pl.DataFrame({"query_id": [1, 2, 3], "a": [0.1, 0.2, 0.3], "b": [0.3, 0.2, 0.1], "c": [0.0, 0.0, 0.0]})
    effects = ir.replication.reproduction(original, original).effects()
    status = {(r["baseline"], r["system"]): (r["ratio_status"], r["relative_status"]) for r in effects.rows(named=True)}
    assert status == {("a", "b"): ("zero", "ok"), ("a", "c"): ("unbounded", "ok"), ("b", "c"): ("unbounded", "ok")}
    by_baseline = ir.replication.reproduction(original, original, baseline="c").effects()
    assert by_baseline["relative_status"].unique().to_list() == ["zero"]
    assert by_baseline["relative_difference"].to_list() == [None, None]


def test_fills_missing_values() -> None:
    original, replica = pair(0.5, 0.25, None), pair(0.5, None, 0.25)
    row = ir.replication.reproduction(original, replica, missing=0.0).table().row(0, named=True)
    assert (row["n_common"], row["arp_original"], row["arp_replica"]) == (3, 0.25, 0.25)
    assert row["rmse"] == pytest.approx(math.sqrt(2 * 0.25**2 / 3))


def test_evaluations_without_units() -> None:
    """The whole data set is one unit; groups are matched."""
    labels = pl.DataFrame({"part": [1, 1, 2, 2], "label": [0, 1, 0, 1], "prediction": [0, 1, 1, 1]})
    original, replica = (
        ir.Labels(f).evaluate("Accuracy", by="part") for f in (labels, labels.filter(pl.col("part") < 3))
    )
    actual = ir.replication.reproduction(original, replica).table()
    assert actual["part"].to_list() == [1, 2]
    assert actual["status"].to_list() == ["one_unit", "one_unit"]
    assert actual["rmse"].to_list() == [0.0, 0.0]


@pytest.mark.parametrize("dtype", [pl.String, pl.Categorical, pl.Enum(SYSTEMS)])
def test_systems_of_any_type_and_groups_of_null(dtype: Any) -> None:
    frames = [
        make_case(seed).with_columns(pl.col("run_id").cast(dtype), lang=pl.when(pl.col("lang") == "de").then("lang"))
        for seed in (11, 12)
    ]
    r = ir.replication.reproduction(*frames, by="lang", baseline="b")
    plain = ir.replication.reproduction(make_case(11), make_case(12), by="lang", baseline="b")
    assert r.table()["lang"].unique(maintain_order=True).to_list() == [None, "de"]
    columns = ["measure", "difference", "rmse", "p_value"]
    expected = plain.table().filter(lang="en").select(columns)
    assert_frame_equal(r.table().filter(pl.col("lang").is_null()).select(columns), expected)
    assert r.effects().height == plain.effects().height
    assert r.correlations()["lang"].to_list() == [None, "de"] * 2
    assert "design = paired" in r.explain()
