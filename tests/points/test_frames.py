"""Silhouettes by point and distances by pair of clusters, against the plain loops."""

from __future__ import annotations

import polars as pl
import pytest

import ireval_frames as ir
from ireval_frames.errors import InvalidParameter
from ireval_frames.points.distances import METRICS
from tests.contract.kit import ENGINES
from tests.oracles import points as oracle
from tests.points.suite import CASES, PARALLEL, points

engines = pytest.mark.parametrize("engine", ENGINES)
CASE = CASES["text"]


def near(metric: str, part: str) -> float:
    return PARALLEL if metric == "cosine" and ("far" in part or "outlier" in part) else 1e-12


@engines
@pytest.mark.parametrize("metric", METRICS)
def test_silhouettes(metric: str, engine: str) -> None:
    frame = points(CASE, engine, metric=metric).silhouettes()
    assert frame.columns == ["part", "item_id", "cluster_id", "a", "b", "silhouette", "nearest_id"]
    assert frame.height == CASE.frame().filter(pl.col("weight") > 0).height
    for (part,), rows in frame.group_by("part"):
        clustering = oracle.Clustering(CASE.points(str(part)))
        of = {p.item: p for p in clustering.points}
        for row in rows.iter_rows(named=True):
            p = of[row["item_id"]]
            assert row["cluster_id"] == p.cluster
            if not clustering.separable:
                assert row["silhouette"] is None
                assert (row["nearest_id"] is None) == (clustering.k < 2)
                continue
            assert row["silhouette"] == pytest.approx(
                oracle.silhouette_of(clustering, p, metric), abs=near(metric, str(part))
            )
            assert row["nearest_id"] in clustering.clusters
            assert row["nearest_id"] != p.cluster
            assert (row["a"] is None) == (clustering.size[p.cluster] <= 1)
            if row["a"] is not None:
                larger = max(row["a"], row["b"])
                assert row["silhouette"] == pytest.approx((row["b"] - row["a"]) / larger if larger else 0.0)


@engines
@pytest.mark.parametrize("metric", METRICS)
def test_similarities(metric: str, engine: str) -> None:
    frame = points(CASE, engine).similarities(metric=metric)
    assert frame.columns == [
        "part",
        "cluster_id",
        "other_id",
        "n_pairs",
        "distance",
        *(["similarity"] if metric == "cosine" else []),
    ]
    for row in frame.iter_rows(named=True):
        clustering = oracle.Clustering(
            [p for p in CASE.points(row["part"]) if p.cluster in (row["cluster_id"], row["other_id"])]
        )
        actual = oracle.pairs(clustering, metric)
        n, total = (
            (actual.inside, actual.inside_sum)
            if row["cluster_id"] == row["other_id"]
            else (actual.between, actual.between_sum)
        )
        assert row["n_pairs"] == pytest.approx(float(n))
        expected = total / float(n) if n > 0 else None
        assert row["distance"] == (
            None if expected is None else pytest.approx(expected, rel=1e-11, abs=near(metric, row["part"]))
        ), row
        if metric == "cosine":
            assert row["similarity"] == (None if expected is None else pytest.approx(1 - expected, abs=1e-9))
    for (part,), rows in frame.group_by("part"):
        k = oracle.Clustering(CASE.points(str(part))).k
        assert rows.height == k * (k + 1) // 2


@engines
def test_several_clusterings(engine: str) -> None:
    subject = ir.Points(ir.examples.points(), ["x", "y"], cluster=["k3", "k2"], engine=engine)
    frame = subject.silhouettes(self_in_mean=True)
    assert frame.columns[0] == "run_id"
    assert frame["run_id"].to_list() == ["k2"] * 9 + ["k3"] * 9
    expected = dict(subject.evaluate("Silhouette(self_in_mean=True)").summary().select("run_id", "value").rows())
    for (run,), rows in frame.group_by("run_id"):
        assert rows["silhouette"].mean() == pytest.approx(expected[run])
    assert subject.similarities()["run_id"].to_list() == ["k2"] * 3 + ["k3"] * 6
    with pytest.raises(InvalidParameter, match="metric"):
        subject.silhouettes(metric="hamming")


def test_a_text_that_counts_the_point_itself() -> None:
    """Mean distances over the whole cluster: 1/|C|, of two points 1 and 5 apart from a third one."""
    frame = pl.DataFrame({"x": [0.0, 1.0, 5.0], "cluster": [0, 0, 1]})
    actual = ir.Points(frame, "x").silhouettes(self_in_mean=True)
    assert actual["a"].to_list() == [0.5, 0.5, None]
    assert actual["silhouette"].to_list() == pytest.approx([0.9, 0.875, 0.0])


def test_long_tables_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Blocks, threads and parts change nothing."""
    from ireval_frames.points import distances, geometry, neighbours, steps

    rng = __import__("random").Random(4)
    rows = [(rng.gauss(k % 3, 1), rng.gauss(k % 5, 1), k % 7) for k in range(300)]
    frame = pl.DataFrame(rows, schema=["x", "y", "cluster"], orient="row")
    measures = [f"Silhouette(metric={m!r})" for m in METRICS] + [
        "Silhouette(sample=50)",
        "Dunn",
        "PointBiserial",
        "McClainRao",
        "SimplifiedSilhouette",
    ]
    measures += [
        "Dunn(separation='farthest')",
        "Dunn(separation='average', diameter='average')",
        "PointBiserial(scaled=False)",
    ]
    whole = ir.Points(frame, ["x", "y"], metric="euclidean").evaluate(measures).summary()["value"].to_list()
    for block, cells, few in ((7, 50, 1), (64, 10_000, 16), (13, 900, 3)):
        for module in (distances, geometry, neighbours):
            monkeypatch.setattr(module, "BLOCK", block)
        monkeypatch.setattr(distances, "SHARED", 10)
        monkeypatch.setattr(distances, "THREADS", 3)
        monkeypatch.setattr(neighbours, "CELLS", cells)
        monkeypatch.setattr(neighbours, "ROWS", 11)
        monkeypatch.setattr(neighbours, "SYMMETRIC", cells)
        monkeypatch.setattr(steps, "ROWS", 11)
        monkeypatch.setattr("ireval_frames.points.collectors.FEW", few)
        monkeypatch.setattr("os.cpu_count", lambda: 3)
        assert ir.Points(frame, ["x", "y"]).evaluate(measures).summary()["value"].to_list() == pytest.approx(
            whole, rel=1e-12
        )
    items = [oracle.point(r[:2], r[2]) for r in rows]
    assert whole[0] == pytest.approx(oracle.value("Silhouette", items), rel=1e-12)


def test_the_bar_is_shown_on_a_terminal_only(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from ireval_frames.kernels import progress

    ir.Points(ir.examples.points(), ["x", "y"], cluster="k3").evaluate("Silhouette").summary()
    assert capsys.readouterr().err == ""
    monkeypatch.setattr(progress, "PATIENCE", -1.0)
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    monkeypatch.setenv("TERM", "xterm")
    ir.Points(ir.examples.points(), ["x", "y"], cluster="k3").evaluate("Silhouette").summary()
    assert "distances" in capsys.readouterr().err
