"""Tables with nothing or next to nothing in them, noise, and points in no cluster."""

from __future__ import annotations

import polars as pl
import pytest

import ireval_frames as ir
from tests.contract.kit import ENGINES, assert_same, values
from tests.oracles import points as oracle
from tests.points.cases import FEATURES
from tests.points.suite import POINTS

engines = pytest.mark.parametrize("engine", ENGINES)
ALL = POINTS.first_variants("integers")
NEVER = ("NumPoints", "NumClusters", "SSE")


def table(*rows: tuple[float, float, object]) -> pl.DataFrame:
    return pl.DataFrame(rows, schema=["x", "y", "cluster"], orient="row", strict=False)


@engines
def test_an_empty_table(engine: str) -> None:
    empty = table((1.0, 2.0, "a")).with_columns(item_id=1).clear()
    actual = ir.Points(empty, ["x", "y"], engine=engine).evaluate(ALL).summary()
    assert actual["n_units"].to_list() == [1] * len(ALL)
    assert dict(actual.select("measure", "value").rows()) == {str(m): 0.0 if m.name in NEVER else None for m in ALL}
    grouped = ir.Points(empty, ["x"], by="y", engine=engine).evaluate(ALL)
    assert grouped.summary().height == 0
    assert grouped.per_unit().columns == ["y", "measure", "value"]
    assert ir.Points(empty, ["x"], engine=engine).silhouettes().height == 0
    assert ir.Points(empty, ["x"], engine=engine).similarities().columns == [
        "cluster_id",
        "other_id",
        "n_pairs",
        "distance",
    ]


@engines
def test_one_cluster_and_all_singletons_are_undefined(engine: str) -> None:
    """scikit-learn raises an error there; a search over k wants a gap in the curve."""
    frame = table((1.0, 2.0, "a"), (2.0, 2.5, "b"), (4.0, 1.0, "c")).with_columns(one=pl.lit(1))
    actual = (
        ir.Points(frame, ["x", "y"], cluster=["one", "cluster"], engine=engine)
        .evaluate("Silhouette DaviesBouldin CalinskiHarabasz SSE")
        .wide()
    )
    assert actual.rows() == [("cluster", None, None, None, 0.0), ("one", None, None, None, pytest.approx(35 / 6))]


@engines
def test_what_scikit_learn_defines(engine: str) -> None:
    """Clusters of equal points; centroids that coincide; all points equal."""
    frame = table(*[(0.1, 0.7, "a")] * 3, *[(0.3, 0.9, "b")] * 3)
    measures = "CalinskiHarabasz DaviesBouldin Silhouette SimplifiedSilhouette"
    assert ir.Points(frame, ["x", "y"], engine=engine).evaluate(measures).wide().row(0) == (1.0, 0.0, 1.0, 1.0)
    cross = table((1.1, 0.0, "a"), (-0.9, 0.0, "a"), (0.1, 1.0, "b"), (0.1, -1.0, "b"))
    assert ir.Points(cross, ["x", "y"], engine=engine).evaluate("DaviesBouldin XieBeni").wide().row(0) == (0.0, None)
    equal = table(*[(0.1, 0.7, c) for c in "aabbc"])
    assert ir.Points(equal, ["x", "y"], engine=engine).evaluate(measures).wide().row(0) == (1.0, 0.0, 0.0, 0.0)


NOISY = table(
    (1.0, 2.0, 0), (1.5, 2.0, 0), (2.0, 1.0, 0), (8.0, 8.0, 1), (7.5, 9.0, 1), (5.0, 4.0, -1), (3.0, 9.0, -1)
).with_columns(item_id=pl.int_range(7))


@engines
@pytest.mark.parametrize("label", [-1, "-1"])
def test_noise(engine: str, label: int | str) -> None:
    frame = NOISY.with_columns(pl.col("cluster").cast(pl.String)) if isinstance(label, str) else NOISY
    as_cluster = ir.Points(frame, ["x", "y"], engine=engine)
    dropped = ir.Points(frame, ["x", "y"], noise_cluster=label, engine=engine)
    labels = ir.Points(frame, ["x", "y"], noise_cluster=label, policy="noise=singleton", engine=engine)
    same = ir.Points(frame, ["x", "y"], noise_cluster=label, policy="noise=cluster", engine=engine)
    without = [oracle.point((r[0], r[1]), r[2], 1, r[3]) for r in NOISY.rows() if r[2] != -1]
    single = [oracle.point((r[0], r[1]), ("alone", r[3]) if r[2] == -1 else r[2], 1, r[3]) for r in NOISY.rows()]
    every = [oracle.point((r[0], r[1]), r[2], 1, r[3]) for r in NOISY.rows()]
    for subject, expected in ((as_cluster, every), (dropped, without), (labels, single), (same, every)):
        evaluation = values(subject.evaluate(ALL[::2]))
        assert_same(evaluation, {(str(m),): oracle.value(m.name, expected) for m in ALL[::2]}, 1e-12)
    assert "2 points" in dropped.evaluate("SSE").explain(counts=True)
    of_points = labels.silhouettes()
    assert of_points.filter(pl.col("cluster_id").is_null())["item_id"].to_list() == [5, 6]
    assert set(of_points["silhouette"][5:].to_list()) == {0.0}
    assert dropped.silhouettes().height == 5


@engines
def test_points_in_no_cluster(engine: str) -> None:
    frame = NOISY.with_columns(pl.when(pl.col("cluster") >= 0).then("cluster"))
    with pytest.raises(ir.errors.IrevalError, match="2 points are in no cluster") as caught:
        ir.Points(frame, ["x", "y"], engine=engine).evaluate("SSE").summary()
    assert "missing=skip" in str(caught.value)
    noise = ir.Points(NOISY, ["x", "y"], noise_cluster=-1, engine=engine).evaluate(ALL[::3]).summary()
    dropped = ir.Points(frame, ["x", "y"], policy="missing=skip", engine=engine).evaluate(ALL[::3]).summary()
    assert_same(dict(dropped.select("measure", "value").rows()), dict(noise.select("measure", "value").rows()), 1e-12)
    rows = ir.Points(frame, ["x", "y"], policy="missing=singleton", engine=engine).evaluate("NumClusters").summary()
    assert rows["value"].item() == 4.0


def test_one_dimension_and_many() -> None:
    """A single feature, and many."""
    frame = NOISY.select("x", "cluster")
    assert_same(
        values(ir.Points(frame, "x").evaluate("SSE DaviesBouldin Silhouette")),
        {
            (n,): oracle.value(n, [oracle.point((r[0],), r[1]) for r in frame.rows()])
            for n in ("SSE", "DaviesBouldin", "Silhouette")
        },
        1e-12,
    )
    wide = NOISY.select("cluster", *[(pl.col("x") * (i % 7) + pl.col("y") * (i % 5)).alias(f"f{i}") for i in range(80)])
    rows = [oracle.point(r[1:], r[0]) for r in wide.rows()]
    for engine in ENGINES:
        evaluation = values(ir.Points(wide, wide.columns[1:], engine=engine).evaluate("SSE DaviesBouldin"))
        assert_same(evaluation, {(n,): oracle.value(n, rows) for n in ("SSE", "DaviesBouldin")}, 1e-12)
    assert len(FEATURES) == 3
