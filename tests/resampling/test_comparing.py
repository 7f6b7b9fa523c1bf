"""Differences of systems over the same draws."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
import scipy.stats
from polars.testing import assert_frame_equal
from sklearn.metrics import f1_score

import ireval_frames as ir
from ireval_frames.errors import NotDefined, UnknownName
from tests.resampling import plain, samples

B = 40
F1 = "F1(average='macro')"


def macro(frame: pl.DataFrame, drawn: dict[object, int] | None = None) -> float:
    w = None if drawn is None else [drawn[i] for i in frame["item_id"]]
    kept = [True] * frame.height if w is None else [x > 0 for x in w]
    some = frame.filter(pl.Series(kept))
    return float(
        f1_score(
            some["label"], some["prediction"], average="macro", sample_weight=None if w is None else [x for x in w if x]
        )
    )


def test_differences_are_of_the_same_items() -> None:
    frame = samples.systems()
    c = ir.resampling.bootstrap(ir.Labels(frame), F1, n_resamples=B, seed=5).compare("one")
    assert c["system"].to_list() == ["copy", "two"]
    one, two = (frame.filter(run_id=s) for s in ("one", "two"))
    d = np.array([macro(two, w) - macro(one, w) for r in range(B) if (w := plain.weights(one["item_id"], 5, r))])
    theta = macro(two) - macro(one)
    row = c.row(1, named=True)
    assert row["difference"] == pytest.approx(theta, abs=1e-12)
    assert (row["ci_low"], row["ci_high"]) == pytest.approx(tuple(np.quantile(d, [0.025, 0.975])), abs=1e-12)
    assert (row["se"], row["bias"]) == pytest.approx((d.std(ddof=1), d.mean() - theta), abs=1e-12)
    # All replicates are on one side of 0, so that no interval of theirs holds it.
    assert (d < 0).all() or (d > 0).all()
    assert row["p_value"] == 2 / (B + 1)
    assert (row["n_resampled"], row["n_resamples"], row["status"]) == (120, B, "ok")


def test_a_system_and_its_copy_are_identical() -> None:
    for method in ("percentile", "basic", "normal", "bca"):
        b = ir.resampling.bootstrap(ir.Labels(samples.systems()), F1, n_resamples=B, method=method)
        row = b.compare("one").row(0, named=True)
        assert (row["difference"], row["ci_low"], row["ci_high"], row["p_value"]) == (0.0, 0.0, 0.0, 1.0)
        assert row["status"] == "identical"


def test_pairs_change_sides_with_their_signs() -> None:
    b = ir.resampling.bootstrap(ir.Labels(samples.systems()), F1, n_resamples=B, method="bca")
    there, back = (
        b.compare(s).filter(pl.col("system") == o).row(0, named=True) for s, o in (("one", "two"), ("two", "one"))
    )
    assert there["difference"] == -back["difference"]
    assert there["p_value"] == back["p_value"]
    assert (there["ci_low"], there["ci_high"]) == pytest.approx((-back["ci_high"], -back["ci_low"]), abs=1e-9)
    every = b.compare()
    assert every.select("baseline", "system").rows() == [("copy", "one"), ("copy", "two"), ("one", "two")]


def test_systems_may_be_any_column_and_stand_in_groups() -> None:
    frame = samples.systems().with_columns(half=pl.col("item_id") % 2)
    by_run = ir.resampling.bootstrap(ir.Labels(frame, by="half"), F1, n_resamples=B).compare("one")
    renamed = frame.rename({"run_id": "variant"})
    by_name = ir.resampling.bootstrap(ir.Labels(renamed, by="half"), F1, n_resamples=B, system="variant").compare("one")
    assert by_run.columns[:4] == ["half", "measure", "baseline", "system"]
    assert by_run.height == 4
    assert_frame_equal(by_run, by_name, abs_tol=1e-14)
    named = ir.resampling.bootstrap(ir.Labels(frame), F1, by="half", system="run_id", n_resamples=B).compare("one")
    assert_frame_equal(by_run, named, abs_tol=1e-14)


def test_systems_of_rankings_share_their_queries() -> None:
    qrels, run, _ = samples.rankings()
    ev = ir.evaluate(qrels, run, "AP")
    row = ir.resampling.bootstrap(ev, n_resamples=B).compare("r").row(0, named=True)
    d = ev.per_unit().pivot("run_id", index="query_id", values="value").select("query_id", d=pl.col("s") - pl.col("r"))
    means = []
    for r in range(B):
        w = plain.weights(d["query_id"].to_list(), 0, r)
        means.append(sum(w[q] * x for q, x in d.rows()) / sum(w.values()))
    assert (row["ci_low"], row["ci_high"]) == pytest.approx(tuple(np.quantile(means, [0.025, 0.975])), abs=1e-12)


def test_what_cannot_be_compared_is_reported() -> None:
    one = ir.resampling.bootstrap(ir.Labels(samples.labels().drop("score")), F1, n_resamples=B)
    with pytest.raises(NotDefined, match="one system"):
        one.compare()
    with pytest.raises(NotDefined, match="drawn separately"):
        ir.resampling.bootstrap(ir.Labels(samples.systems().drop("item_id")), F1, n_resamples=B).compare()
    with pytest.raises(UnknownName, match="no system 'three'"):
        ir.resampling.bootstrap(ir.Labels(samples.systems()), F1, n_resamples=B).compare("three")


def test_the_delta_method_subtracts_influences() -> None:
    """Micro-averaged F1 of two systems over users, as the ratio of sums that it is."""
    frame = samples.systems().with_columns(user=pl.col("item_id") % 30)
    b = ir.resampling.bootstrap(ir.Labels(frame), "F1(average='micro') Accuracy", cluster="user", method="delta")
    row, same = (b.compare("one").filter(measure="Accuracy", system=s).row(0, named=True) for s in ("two", "copy"))
    parts = (
        frame.group_by("run_id", "user")
        .agg(n=(pl.col("label") == pl.col("prediction")).sum(), d=pl.len())
        .with_columns(pl.col("n", "d").cast(pl.Float64))
        .with_columns(z=(pl.col("n") - pl.col("d") * pl.col("n").sum() / pl.col("d").sum()).over("run_id"))
        .with_columns(z=pl.col("z") / pl.col("d").sum().over("run_id"))
    )
    z = {(r, u): v for r, u, v in parts.select("run_id", "user", "z").rows()}
    se = (30 / 29 * sum((z["two", u] - z["one", u]) ** 2 for u in range(30))) ** 0.5
    assert row["se"] == pytest.approx(se, rel=1e-8)
    assert row["p_value"] == pytest.approx(2 * scipy.stats.t.sf(abs(row["difference"]) / se, 29), rel=1e-7)
    half = scipy.stats.t.ppf(0.975, 29) * se
    assert (row["ci_low"], row["ci_high"]) == pytest.approx((row["difference"] - half, row["difference"] + half))
    assert (same["p_value"], same["se"], same["status"]) == (1.0, 0.0, "identical")
    resampled = ir.resampling.bootstrap(ir.Labels(frame), "Accuracy", cluster="user").compare("one")["se"][1]
    assert resampled == pytest.approx(se, rel=0.1)


def test_what_is_in_force_is_explained() -> None:
    b = ir.resampling.bootstrap(ir.Labels(samples.systems()), F1, n_resamples=7, seed=3)
    text = b.explain()
    for words in ("drawn: item_id", "units: 120", "n_resamples: 7; seed: 3", "Poisson(1)", "undefined = "):
        assert words in text
