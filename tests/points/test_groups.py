"""Groups and clusterings in one call give what each gives alone."""

from __future__ import annotations

import polars as pl
import pytest

import ireval_frames as ir
from ireval_frames.errors import InvalidParameter
from tests.contract.kit import ENGINES, assert_same, values
from tests.points.cases import FEATURES
from tests.points.suite import CASES, points

engines = pytest.mark.parametrize("engine", ENGINES)
CASE = CASES["text"]
SIDE_BY_SIDE = "NumClusters SSE Silhouette(metric='squared_euclidean') DaviesBouldin Dunn PBM"


def clusterings() -> pl.DataFrame:
    """The same points in three clusterings of different types."""
    frame = CASE.frame().filter(pl.col("part").str.contains("mixed|blobs|grid"))
    return frame.with_columns(first=pl.col("group"), second=pl.int_range(pl.len()) % 4, third=pl.lit("all"))


@engines
def test_several_clusterings(engine: str) -> None:
    frame = clusterings()
    evaluation = points(CASE, engine, frame, cluster=["first", "second", "third"]).evaluate(SIDE_BY_SIDE)
    assert evaluation.per_unit().columns == ["run_id", "part", "measure", "value"]
    assert evaluation.summary().columns == ["run_id", "part", "measure", "value", "n_units", "n_undefined"]
    actual = values(evaluation)
    for cluster in ("first", "second", "third"):
        result = values(points(CASE, engine, frame, cluster=cluster).evaluate(SIDE_BY_SIDE))
        assert_same({(m, p): v for (m, r, p), v in actual.items() if r == cluster}, result, 1e-12)
    assert len(actual) == 3 * len(result)


@engines
def test_clusterings_below_each_other(engine: str) -> None:
    """A run_id column means the same as several columns."""
    frame = clusterings().with_columns(second=pl.col("second").cast(pl.String))
    long = frame.unpivot(
        ["first", "second", "third"],
        index=["part", "item", "weight", *FEATURES],
        variable_name="run_id",
        value_name="of",
    )
    evaluation = values(points(CASE, engine, long, cluster="of").evaluate(SIDE_BY_SIDE))
    expected = values(points(CASE, engine, frame, cluster=["first", "second", "third"]).evaluate(SIDE_BY_SIDE))
    assert_same(evaluation, expected, 1e-12)
    with pytest.raises(InvalidParameter, match="run_id"):
        points(CASE, engine, long.with_columns(other="of"), cluster=["of", "other"]).evaluate("SSE")


@engines
def test_by_of_the_call_wins(engine: str) -> None:
    subject = points(CASE, engine, CASE.frame().with_columns(Day=pl.lit("x")))
    assert subject.evaluate("SSE", by=["Day", "part"]).summary().columns[:2] == ["Day", "part"]
    assert subject.evaluate("SSE", by=()).summary().height == 1


@engines
def test_counts(engine: str) -> None:
    actual = points(CASE, engine).evaluate("SSE").per_unit(counts=True)
    assert actual.columns == ["part", "measure", "value", "n_points", "n_clusters"]
    blobs = actual.filter(pl.col("part").str.contains("blobs")).row(0, named=True)
    rows = CASE.frame().filter(part=blobs["part"])
    assert blobs["n_points"] == int(rows["weight"].sum())


@engines
def test_units_are_averaged(engine: str) -> None:
    """The summary is the mean over the units whose value is defined; frames name the unit."""
    frame = CASE.frame().with_columns(day=pl.col("part").str.slice(0, 1))
    subject = points(CASE, engine, frame, unit="part", by="day")
    evaluation = subject.evaluate(SIDE_BY_SIDE)
    units, summary = evaluation.per_unit(), evaluation.summary()
    assert units.columns == ["day", "part", "measure", "value"]
    assert summary.columns == ["day", "measure", "value", "n_units", "n_undefined"]
    result = values(points(CASE, engine, frame).evaluate(SIDE_BY_SIDE))
    assert_same({(r[2], r[1]): r[3] for r in units.rows()}, result, 1e-12)
    for row in summary.iter_rows(named=True):
        actual = units.filter(day=row["day"], measure=row["measure"])["value"]
        assert row["value"] == pytest.approx(actual.mean(), rel=1e-12)
        assert (row["n_units"], row["n_undefined"]) == (actual.len(), actual.null_count())
    assert subject.silhouettes().columns[:3] == ["day", "part", "item_id"]
    assert subject.similarities().columns[:3] == ["day", "part", "cluster_id"]


def test_counts_of_one_unit_without_noise() -> None:
    evaluation = ir.Points(ir.examples.points(), ["x", "y"], cluster="k3").evaluate("SSE")
    assert evaluation.per_unit(counts=True).select("n_points", "n_clusters").rows() == [(9, 3)]
    assert evaluation.explain(counts=True).count("[0 points]") == 2
