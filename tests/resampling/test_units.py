"""Units with values of their own are drawn with them: queries, users of queries, users whose items make a value."""

from __future__ import annotations

import math

import numpy as np
import polars as pl
import pytest
from polars.testing import assert_frame_equal

import ireval_frames as ir
from tests.resampling import plain, samples

B = 15


def values(measure: str) -> pl.DataFrame:
    qrels, run, queries = samples.rankings()
    return ir.evaluate(qrels, run, measure).per_unit().join(queries, on="query_id")


def drawn(frame: pl.DataFrame, ids: str, r: int, seed: int = 0) -> list[float]:
    w = plain.weights(frame[ids].to_list(), seed, r)
    return [v for one, v in frame.select(ids, "value").rows() for _ in range(w[one])]


def geometric(some: list[float]) -> float:
    return math.exp(np.mean([math.log(max(v, 1e-5)) for v in some]))


AGGREGATIONS = {"mean": np.mean, "geometric": geometric, "median": np.median, "sum": np.sum, "max": np.max}


@pytest.mark.parametrize("aggregation", AGGREGATIONS)
@pytest.mark.parametrize("ids", ["query_id", "user"])
def test_every_aggregation_is_that_of_repeated_units(aggregation: str, ids: str) -> None:
    qrels, run, queries = samples.rankings()
    how = {} if ids == "query_id" else {"cluster": "user"}
    b = ir.resampling.bootstrap(
        ir.Rankings(qrels, run, queries=queries), f"AP(aggregation='{aggregation}')", n_resamples=B, **how
    )
    frame = values("AP")
    for i, system in enumerate(["r", "s"]):
        mine = frame.filter(run_id=system)
        expected = [AGGREGATIONS[aggregation](drawn(mine, ids, r)) for r in range(B)]
        np.testing.assert_allclose(b.draws[:, i, 0], expected, rtol=1e-12)


def test_an_evaluation_is_resampled_as_its_subject() -> None:
    qrels, run, _ = samples.rankings()
    ev = ir.evaluate(qrels, run, "AP RR")
    one, other = (
        ir.resampling.bootstrap(*of, n_resamples=B).table() for of in ((ev,), (ir.Rankings(qrels, run), "AP RR"))
    )
    assert_frame_equal(one, other, abs_tol=1e-14)


@pytest.mark.parametrize("cluster", ["user", "site"])
def test_users_that_are_drawn_count_as_often_in_the_mean(cluster: str) -> None:
    frame = samples.labels()
    b = ir.resampling.bootstrap(ir.Labels(frame.drop("score")), "Accuracy", unit="user", cluster=cluster, n_resamples=B)
    right = frame.group_by("user", "site").agg(value=(pl.col("label") == pl.col("prediction")).mean())
    np.testing.assert_allclose(
        b.draws[:, 0, 0], [np.mean(drawn(right, cluster, r)) if drawn(right, cluster, r) else np.nan for r in range(B)]
    )
    assert b.table()["n_resampled"].item() == frame[cluster].n_unique()


def test_items_are_drawn_inside_their_units() -> None:
    frame = samples.labels()
    b = ir.resampling.bootstrap(ir.Labels(frame.drop("score"), unit="site"), "Accuracy", weights="hash", n_resamples=B)
    for r in range(B):
        w = plain.weights(frame["item_id"].to_list(), 0, r)
        counted = frame.with_columns(w=pl.col("item_id").replace_strict(w))
        right = (pl.col("label") == pl.col("prediction")) * pl.col("w")
        expected = counted.group_by("site").agg(v=right.sum() / pl.col("w").sum())["v"].mean()
        assert b.draws[r, 0, 0] == pytest.approx(expected, abs=1e-12)


def test_studentised_intervals_divide_by_the_error_of_each_replicate() -> None:
    frame = values("AP").filter(run_id="r")
    qrels, run, queries = samples.rankings()
    subject = ir.Rankings(qrels, run.filter(run_id="r"), queries=queries)
    for ids in ("query_id", "user"):
        how = {} if ids == "query_id" else {"cluster": "user"}
        table = ir.resampling.bootstrap(
            subject, "AP", method="studentised", n_resamples=60, confidence=0.9, **how
        ).table()
        clusters = {one: part["value"].to_list() for (one,), part in frame.group_by(ids)}

        def error(times: dict[object, int], clusters: dict[object, list[float]] = clusters) -> tuple[float, float]:
            n = sum(times[c] * len(v) for c, v in clusters.items())
            mean = sum(times[c] * sum(v) for c, v in clusters.items()) / n
            many = sum(times.values())
            squares = sum(times[c] * (sum(v) - mean * len(v)) ** 2 for c, v in clusters.items())
            return mean, math.sqrt(many / (many - 1) * squares) / n

        mean, se = error(dict.fromkeys(clusters, 1))
        t = []
        for r in range(60):
            one, its = error(plain.weights(list(clusters), 0, r))
            t.append((one - mean) / its)
        ends = mean - np.quantile(t, [0.95, 0.05]) * se
        np.testing.assert_allclose(table.select("ci_low", "ci_high").row(0), ends, rtol=1e-10)
        if ids == "query_id":
            assert se == pytest.approx(frame["value"].std() / 40**0.5, rel=1e-12)
