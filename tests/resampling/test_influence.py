"""What single units do to a value is what leaving them out shows."""

from __future__ import annotations

import math

import numpy as np
import polars as pl
import pytest
from sklearn.metrics import f1_score, roc_auc_score

import ireval_frames as ir
from ireval_frames.errors import NotDefined
from ireval_frames.resampling import deleting
from tests.resampling import samples


def macro_f1(frame: pl.DataFrame) -> float:
    return float(f1_score(frame["label"].to_list(), frame["prediction"].to_list(), average="macro"))


def errors(without: list[float], value: float) -> tuple[float, float]:
    """The jackknife's standard error and bias."""
    n, mean = len(without), float(np.mean(without))
    return math.sqrt((n - 1) / n * sum((v - mean) ** 2 for v in without)), (n - 1) * (mean - value)


def test_users_are_left_out_one_by_one() -> None:
    frame = samples.labels()
    j = ir.resampling.jackknife(ir.Labels(frame.drop("score")), "F1(average='macro')", cluster="user")
    users = sorted(set(frame["user"]))
    without = {u: macro_f1(frame.filter(pl.col("user") != u)) for u in users}
    actual = j.influence()
    assert actual.height == len(users)
    for row in actual.iter_rows(named=True):
        assert row["value_without"] == pytest.approx(without[row["user"]], abs=1e-12)
        assert row["influence"] == pytest.approx(without[row["user"]] - macro_f1(frame), abs=1e-12)
    assert actual["influence"].abs().is_sorted(descending=True)
    text = j.table().row(0, named=True)
    assert (text["se"], text["bias"]) == pytest.approx(errors(list(without.values()), macro_f1(frame)), abs=1e-11)


def test_items_that_look_alike_are_left_out_once() -> None:
    frame = samples.labels(60)
    j = ir.resampling.jackknife(ir.Labels(frame.drop("score"), by="site"), "F1(average='macro')")
    for site in ("x", "y"):
        here = frame.filter(site=site)
        without = [macro_f1(here.filter(pl.col("item_id") != i)) for i in here["item_id"]]
        row = j.table().row(by_predicate=pl.col("site") == site, named=True)
        assert (row["se"], row["bias"]) == pytest.approx(errors(without, macro_f1(here)), abs=1e-11)
        assert row["n_resampled"] == here.height == j.influence().filter(site=site)["n"].sum()


def test_the_jackknife_of_a_mean_is_its_standard_error() -> None:
    qrels, run, _ = samples.rankings()
    ev = ir.evaluate(qrels, run, "AP")
    j = ir.resampling.jackknife(ev)
    table = j.table()
    assert "bias" in str(j)
    expected = ev.per_unit().group_by("run_id", maintain_order=True).agg(pl.col("value").std() / pl.len().sqrt())
    np.testing.assert_allclose(table["se"], expected["value"], rtol=1e-10)
    np.testing.assert_allclose(table["bias"], 0, atol=1e-12)


def test_groups_of_units_have_the_acceleration_of_units(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(1)
    # Few users, of whom some are much worse: a skewed influence.
    user = np.repeat(np.arange(3000), 2)
    right = rng.random(6000) < np.where(rng.random(3000) < 0.05, 0.05, 0.97)[user]
    subject = ir.Labels(pl.DataFrame({"user": user, "label": 1, "prediction": right.astype(int)}))
    plainly = deleting.deleted(ir.resampling.bootstrap(subject, "Accuracy", cluster="user").population)
    monkeypatch.setattr(deleting, "MAX_ROWS", 1000)
    grouped = deleting.deleted(ir.resampling.bootstrap(subject, "Accuracy", cluster="user").population)
    assert (len(plainly.values), len(grouped.values), grouped.size) == (3000, 200, 15)
    a, b = (deleting.acceleration(d.of(0).values[:, 0], d.of(0).times, d.of(0).stratum) for d in (plainly, grouped))
    assert a == pytest.approx(b, rel=0.5)
    assert abs(a) > 0.005
    monkeypatch.setattr(deleting, "MAX_ROWS", 10)
    with pytest.raises(NotDefined, match="Leaving out 3000 units"):
        ir.resampling.jackknife(subject, "Accuracy", cluster="user").table()


def delta_of_a_ratio(parts: list[tuple[float, float]]) -> float:
    """√(C/(C − 1) Σ(N − R·D)²) / ΣD."""
    top, below, c = sum(n for n, _ in parts), sum(d for _, d in parts), len(parts)
    ratio = top / below
    return math.sqrt(c / (c - 1) * sum((n - ratio * d) ** 2 for n, d in parts)) / below


def test_the_delta_method_of_ratios_of_sums() -> None:
    frame = samples.labels().select("user", label=pl.col("label") == "a", prediction=pl.col("prediction") == "a")
    b = ir.resampling.bootstrap(ir.Labels(frame), "Accuracy Precision Recall F1", cluster="user", method="delta")
    is_a, got_a = pl.col("label"), pl.col("prediction")
    of = {
        "Accuracy": ((is_a == got_a).sum(), pl.len()),
        "Precision": ((is_a & got_a).sum(), got_a.sum()),
        "Recall": ((is_a & got_a).sum(), is_a.sum()),
        "F1": (2 * (is_a & got_a).sum(), is_a.sum() + got_a.sum()),
    }
    for row in b.table().iter_rows(named=True):
        top, below = (e.cast(pl.Float64) for e in of[row["measure"]])
        parts = frame.group_by("user").agg(n=top, d=below).select("n", "d").rows()
        assert row["se"] == pytest.approx(delta_of_a_ratio(parts), rel=1e-8)
    half = (b.table()["ci_high"] - b.table()["ci_low"]) / 2
    # Student's t of 24 degrees of freedom.
    np.testing.assert_allclose(half, b.table()["se"] * 2.0638985616280205, rtol=1e-9)


def two_recommenders() -> ir.Recommendations:
    """Lists of two items of a catalogue of forty for each of 25 users, by two systems."""
    lists = [
        (run, user, (3 * user * k % 30, 30 + (user + k) % 7)) for run, k in (("a", 1), ("b", 2)) for user in range(25)
    ]
    recs = pl.DataFrame(lists, ["run_id", "user_id", "item_id"], orient="row").explode("item_id")
    return ir.Recommendations(recs.with_columns(rank=pl.col("item_id")), catalogue=range(40))


def test_the_delta_method_of_items_and_of_what_is_no_ratio() -> None:
    frame = samples.labels(400)
    subject = ir.Labels(frame.drop("score"))
    table = ir.resampling.bootstrap(subject, "Accuracy F1(average='macro') MCC", method="delta").table()
    p = table["value"][0]
    assert table["se"][0] == pytest.approx(math.sqrt(p * (1 - p) / 399), rel=1e-9)
    jackknifed = ir.resampling.jackknife(subject, "Accuracy F1(average='macro') MCC").table()
    np.testing.assert_allclose(table["se"], jackknifed["se"], rtol=0.02)
    # Where all are right no item changes anything, as the replicates of other methods tell, too.
    right = ir.Labels(frame.select("item_id", "label", prediction="label"))
    table = ir.resampling.bootstrap(right, "Accuracy", method="delta").table()
    assert table.select("ci_low", "ci_high", "status").row(0) == (1.0, 1.0, "degenerate")
    # Fewer or more lists of a user reach the same items, and none of them reach fewer.
    b = ir.resampling.bootstrap(two_recommenders(), "CatalogCoverage@2 ItemGini@2", method="delta")
    ends = ("ci_low", "ci_high", "se", "status")
    assert b.table().filter(measure="CatalogCoverage@2").select(ends).rows() == [(None, None, None, "not_smooth")] * 2
    assert b.table().filter(measure="ItemGini@2")["status"].to_list() == ["ok", "ok"]
    differences = b.compare("a").select(*ends, "p_value").rows()
    assert differences[0] == (None, None, None, "not_smooth", None)
    assert differences[1][3] == "ok"
    clustered = samples.clusters()
    table = ir.resampling.bootstrap(
        ir.Clusters(clustered), "BCubedF AdjustedRand", cluster="doc", method="delta"
    ).table()
    jackknifed = ir.resampling.jackknife(ir.Clusters(clustered), "BCubedF AdjustedRand", cluster="doc").table()
    np.testing.assert_allclose(table["se"], jackknifed["se"], rtol=0.1)


def test_the_delta_method_of_an_area_is_delong() -> None:
    frame = samples.labels(100)
    truth, score = frame["truth"].to_numpy(), frame["score"].to_numpy()
    higher = (score[truth == 1][:, None] > score[truth == 0]) + 0.5 * (score[truth == 1][:, None] == score[truth == 0])
    m, n = higher.shape
    # DeLong's components, without the corrections of m and n, as drawn items vary in both.
    variance = higher.mean(axis=1).var() / m + higher.mean(axis=0).var() / n
    b = ir.resampling.bootstrap(ir.Labels(frame.drop("label", "prediction"), label="truth"), "ROCAUC", method="delta")
    row = b.table().row(0, named=True)
    assert row["value"] == pytest.approx(roc_auc_score(truth, score), abs=1e-12)
    assert row["se"] == pytest.approx(math.sqrt(variance * 100 / 99), rel=1e-7)


@pytest.mark.parametrize("engine", ["polars", "duckdb"])
def test_delong_is_that_of_all_pairs(engine: str) -> None:
    frame = samples.labels(200)
    subject = ir.Labels(frame.select("site", "score", label="truth"), by="site", engine=engine)
    table = ir.resampling.bootstrap(subject, "ROCAUC AveragePrecision", method="delong", confidence=0.9).table()
    for row in table.iter_rows(named=True):
        here = frame.filter(site=row["site"])
        if row["measure"] == "AveragePrecision":
            assert (row["ci_low"], row["status"]) == (None, "no_area")
            continue
        high, low = (here.filter(truth=t)["score"].to_numpy() for t in (1, 0))
        wins = (high[:, None] > low) + 0.5 * (high[:, None] == low)
        se = math.sqrt(wins.mean(axis=1).var(ddof=1) / len(high) + wins.mean(axis=0).var(ddof=1) / len(low))
        assert (row["value"], row["se"]) == pytest.approx((wins.mean(), se), abs=1e-12)
        half = 1.6448536269514722 * se / (wins.mean() * (1 - wins.mean()))
        ends = [1 / (1 + math.exp(-(math.log(wins.mean() / (1 - wins.mean())) + s * half))) for s in (-1, 1)]
        assert [row["ci_low"], row["ci_high"]] == pytest.approx(ends, abs=1e-12)


def test_the_delta_method_of_means_and_its_limits() -> None:
    qrels, run, queries = samples.rankings()
    subject = ir.Rankings(qrels, run, queries=queries)
    ev = ir.evaluate(qrels, run, "AP")
    table = ir.resampling.bootstrap(ev, method="delta").table()
    expected = ev.per_unit().group_by("run_id", maintain_order=True).agg(pl.col("value").std() / pl.len().sqrt())
    np.testing.assert_allclose(table["se"], expected["value"], rtol=1e-8)
    with pytest.raises(NotDefined, match="means of units"):
        ir.resampling.bootstrap(subject, "AP(aggregation='median')", method="delta").table()
