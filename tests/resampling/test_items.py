"""Replicates are the values of tables in which rows stand as often as they were drawn."""

from __future__ import annotations

from collections.abc import Callable

import duckdb
import numpy as np
import polars as pl
import pytest
from sklearn.metrics import accuracy_score, adjusted_rand_score, f1_score, roc_auc_score

import ireval_frames as ir
from ireval_frames.resampling import draws, population
from tests.resampling import plain, samples

B = 12


def repeated(frame: pl.DataFrame, ids: str, drawn: dict[object, int]) -> pl.DataFrame:
    """Every row as often as its id was drawn."""
    return frame[[i for i, one in enumerate(frame[ids]) for _ in range(drawn[one])]]


def macro_f1(frame: pl.DataFrame) -> float:
    return float(f1_score(frame["label"].to_list(), frame["prediction"].to_list(), average="macro"))


def accuracy(frame: pl.DataFrame) -> float:
    return float(accuracy_score(frame["label"].to_list(), frame["prediction"].to_list()))


def auc(frame: pl.DataFrame) -> float:
    return float(roc_auc_score(frame["truth"].to_list(), frame["score"].to_list()))


def ari(frame: pl.DataFrame) -> float:
    return float(adjusted_rand_score(frame["label"].to_list(), frame["cluster_id"].to_list()))


def of_labels(frame: pl.DataFrame, **more: object) -> ir.Labels:
    return ir.Labels(frame.drop("truth", "score"), **more)


def of_scores(frame: pl.DataFrame) -> ir.Labels:
    return ir.Labels(frame.drop("label", "prediction"), label="truth")


CASES = {
    "macro F1 by user": (samples.labels, of_labels, "F1(average='macro')", macro_f1, "user"),
    "accuracy by item": (samples.labels, of_labels, "Accuracy", accuracy, "item_id"),
    "AUC by user": (samples.labels, of_scores, "ROCAUC", auc, "user"),
    "AUC by item": (samples.labels, of_scores, "ROCAUC", auc, "item_id"),
    "ARI by document": (samples.clusters, ir.Clusters, "AdjustedRand", ari, "doc"),
    "ARI by item": (samples.clusters, ir.Clusters, "AdjustedRand", ari, "item_id"),
}


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("engine", ["polars", "duckdb"])
def test_replicates_are_values_of_repeated_rows(case: str, engine: str) -> None:
    make, subject, measure, value, ids = CASES[case]
    frame = make()
    source = frame if engine == "polars" else duckdb.connect().from_arrow(frame.to_arrow())
    result = subject(source) if engine == "polars" else _in_duckdb(subject, source)
    how: dict[str, object] = {"weights": "hash"} if ids == "item_id" else {"cluster": ids}
    actual = ir.resampling.bootstrap(result, measure, n_resamples=B, seed=11, **how)
    expected = [value(repeated(frame, ids, plain.weights(frame[ids].to_list(), 11, r))) for r in range(B)]
    np.testing.assert_allclose(actual.replicates()["value"].to_numpy(), expected, rtol=0, atol=1e-12)
    assert actual.table()["value"].item() == pytest.approx(value(frame), abs=1e-12)


def _in_duckdb(subject: Callable[..., ir.Labels], relation: duckdb.DuckDBPyRelation) -> object:
    if subject is ir.Clusters:
        return ir.Clusters(relation)
    if subject is of_scores:
        return ir.Labels(relation.project("* EXCLUDE (label, prediction)"), label="truth")
    return ir.Labels(relation.project("* EXCLUDE (truth, score)"))


@pytest.mark.parametrize("engine", ["polars", "duckdb"])
def test_replicates_are_groups_of_one_weighted_table(engine: str) -> None:
    frame = samples.labels().drop("truth", "score")
    drawn = pl.DataFrame(
        [(r, u, w) for r in range(B) for u, w in plain.weights(frame["user"].to_list(), 0, r).items() if w],
        ["replicate", "user", "weight"],
        orient="row",
    )
    table = frame.join(drawn, on="user")
    measures = "F1(average='macro') MCC Kappa"
    ev = ir.Labels(table, by="replicate", engine=engine).evaluate(measures)
    expected = ev.summary().sort("replicate", maintain_order=True)["value"].to_numpy()
    found = ir.resampling.bootstrap(ir.Labels(frame, engine=engine), measures, cluster="user", n_resamples=B)
    np.testing.assert_allclose(found.replicates()["value"].to_numpy(), expected, rtol=0, atol=1e-12)


def test_strata_keep_their_number_of_users() -> None:
    frame = samples.labels()
    strata = dict(frame.select("user", "site").unique().rows())
    found = ir.resampling.bootstrap(
        of_labels(frame), "Accuracy", cluster="user", stratify="site", n_resamples=B, seed=2
    )
    expected = [accuracy(repeated(frame, "user", plain.stratified(strata, 2, r))) for r in range(B)]
    np.testing.assert_allclose(found.replicates()["value"].to_numpy(), expected, rtol=0, atol=1e-12)


def test_groups_and_weights_and_sets_of_labels() -> None:
    frame = samples.labels().with_columns(weight=pl.col("score").abs() + 0.5)
    found = ir.resampling.bootstrap(of_labels(frame, by="site"), "F1(average='micro')", cluster="user", n_resamples=B)
    for r in range(B):
        sample = repeated(frame, "user", plain.weights(frame["user"].to_list(), 0, r))
        for site in ("x", "y"):
            here = sample.filter(site=site)
            expected = accuracy_score(here["label"], here["prediction"], sample_weight=here["weight"])
            value = found.replicates().filter(replicate=r, site=site)["value"].item()
            assert value == pytest.approx(expected, abs=1e-12)
    listed = frame.select("item_id", "user", pl.concat_list("label"), pl.concat_list("prediction"))
    one, other = (
        ir.resampling.bootstrap(ir.Labels(f), "F1(average='macro')", cluster="user", n_resamples=B).draws
        for f in (frame.drop("truth", "score", "weight"), listed)
    )
    np.testing.assert_allclose(one, other, rtol=0, atol=1e-12)


def test_probabilities_come_with_their_items() -> None:
    frame = samples.labels(80).with_columns(p=1 / (1 + (-pl.col("score")).exp()))
    wide = frame.select("item_id", "user", label="truth", q=1 - pl.col("p"), p="p")
    found = ir.resampling.bootstrap(
        ir.Labels(wide, probabilities={0: "q", 1: "p"}), "ROCAUC(average='macro')", cluster="user", n_resamples=B
    )
    expected = ir.resampling.bootstrap(of_scores(frame), "ROCAUC", cluster="user", n_resamples=B)
    np.testing.assert_allclose(found.draws, expected.draws, rtol=0, atol=1e-12)


def test_items_that_are_clusters_of_their_own_stay_apart() -> None:
    frame = samples.clusters(60).with_columns(cluster_id=pl.when(pl.col("item_id") % 3 > 0).then(pl.col("cluster_id")))
    found = ir.resampling.bootstrap(
        ir.Clusters(frame, policy="missing=singleton"), "BCubedF AdjustedRand", cluster="doc", n_resamples=B
    )
    # Each in a cluster with a name of its own, in which its copies are.
    named = frame.with_columns(cluster_id=pl.coalesce("cluster_id", pl.col("item_id") + 100))
    expected = ir.resampling.bootstrap(ir.Clusters(named), "BCubedF AdjustedRand", cluster="doc", n_resamples=B)
    np.testing.assert_allclose(found.draws, expected.draws, rtol=0, atol=1e-12)


def test_numbers_depend_on_ids_and_seed_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    frame = samples.labels()

    def found(source: pl.DataFrame, **how: object) -> np.ndarray:
        return ir.resampling.bootstrap(of_labels(source, by="site"), "F1(average='macro') MCC", **how).draws

    for how in ({"cluster": "user"}, {"weights": "hash"}, {"weights": "cells"}, {"stratify": "site"}):
        plainly = found(frame, n_resamples=20, **how)
        # Sums of the same numbers in another order may differ in the last bit.
        np.testing.assert_allclose(
            found(frame.sort("score", "item_id"), n_resamples=20, **how), plainly, rtol=0, atol=1e-15
        )
        np.testing.assert_allclose(found(frame, n_resamples=40, **how)[:20], plainly, rtol=0, atol=1e-15)
        assert (found(frame, n_resamples=20, seed=1, **how) != plainly).any()
        with monkeypatch.context() as small:
            small.setattr(population, "MAX_ROWS", 30)
            small.setattr(draws, "BLOCK", 16)
            np.testing.assert_allclose(found(frame, n_resamples=20, **how), plainly, rtol=0, atol=1e-14)


def test_cells_are_drawn_as_items_are() -> None:
    frame = samples.labels(2000)
    by_cells, by_items = (
        ir.resampling.bootstrap(of_labels(frame), "Accuracy F1(average='macro')", n_resamples=1500, weights=w)
        for w in ("cells", "hash")
    )
    ratio = by_cells.draws.std(axis=0) / by_items.draws.std(axis=0)
    # The ratio of two standard deviations of 1,500 each has an error of √(1/1500).
    np.testing.assert_allclose(ratio, 1, atol=4 * 1500**-0.5)
    p = accuracy(frame)
    assert by_cells.table()["se"][0] == pytest.approx((p * (1 - p) / 2000) ** 0.5, rel=4 * 3000**-0.5)


def test_strata_of_labels_are_labels_whatever_they_are_called() -> None:
    frame = samples.labels().drop("truth", "score")
    named = frame.rename({"label": "y_true", "prediction": "y_pred"})
    for engine in ("polars", "duckdb"):
        for column, reference in (("label", "y_true"), ("prediction", "y_pred")):
            one = ir.resampling.bootstrap(ir.Labels(frame), "Accuracy", stratify=column, n_resamples=30).table()
            other = ir.resampling.bootstrap(
                ir.Labels(named, engine=engine), "Accuracy", stratify=reference, n_resamples=30
            )
            assert other.table().equals(one)
    clusters = frame.rename({"label": "class", "prediction": "cluster"})
    result = [
        ir.resampling.bootstrap(ir.Clusters(some), "Purity", stratify=column, n_resamples=30).table()
        for some, column in ((clusters, "class"), (clusters.rename({"class": "label"}), "label"))
    ]
    assert result[0].equals(result[1])
    left_out = ir.resampling.jackknife(ir.Labels(named), "Accuracy", cluster="y_true").table()
    assert left_out.equals(ir.resampling.jackknife(ir.Labels(frame), "Accuracy", cluster="label").table())


def test_cells_of_strata_keep_their_number_of_items() -> None:
    frame = samples.labels()
    b = ir.resampling.bootstrap(of_labels(frame), "NumItems Recall(average='macro')", stratify="label", n_resamples=30)
    assert (b.draws[:, 0, 0] == frame.height).all()
    assert b.table()["status"].to_list() == ["degenerate", "ok"]
