"""What may be handed in, and what is refused with the line to write."""

from __future__ import annotations

import math

import duckdb
import polars as pl
import pytest

import ireval_frames as ir
from ireval_frames.errors import (
    EngineError,
    InvalidParameter,
    InvalidValue,
    IrevalError,
    MissingColumn,
    NotDefined,
    UnknownName,
    WrongType,
)
from tests.contract.kit import ENGINES, assert_same, values
from tests.points.cases import FEATURES
from tests.points.suite import CASES, POINTS, points

engines = pytest.mark.parametrize("engine", ENGINES)
CASE = CASES["text"]
FRAME = ir.examples.points()
MEASURES = "SSE DaviesBouldin Silhouette Dunn"


@engines
@pytest.mark.parametrize(
    "kind", [pl.List(pl.Float64), pl.Array(pl.Float64, 3), pl.List(pl.Float32), pl.Array(pl.Int16, 3)]
)
def test_vectors(kind: pl.DataType, engine: str) -> None:
    frame = (
        CASE.frame().filter(~pl.col("part").str.contains("far|outlier")).with_columns((pl.col(FEATURES) * 64).round())
    )
    vectors = frame.with_columns(v=pl.concat_list(FEATURES).cast(pl.List(kind.inner)).cast(kind)).drop(FEATURES)
    evaluation = values(ir.Points(vectors, "v", cluster="group", by="part", engine=engine).evaluate(MEASURES))
    assert_same(evaluation, values(points(CASE, engine, frame).evaluate(MEASURES)), 1e-12)


@engines
def test_columns_beside_a_vector(engine: str) -> None:
    both = FRAME.select("item_id", "k3", v=pl.concat_list("x"), y=pl.col("y").cast(pl.Float32))
    evaluation = values(ir.Points(both, ["v", "y"], cluster="k3", engine=engine).evaluate(MEASURES))
    assert_same(evaluation, values(ir.Points(FRAME, ["x", "y"], cluster="k3").evaluate(MEASURES)), 1e-12)


def test_tables_of_many_kinds(tmp_path: object) -> None:
    expected = values(ir.Points(FRAME, ["x", "y"], cluster="k3").evaluate(MEASURES))
    FRAME.write_parquet(f"{tmp_path}/p.parquet")
    FRAME.write_csv(f"{tmp_path}/p.csv")
    with duckdb.connect() as con:
        con.from_arrow(FRAME.to_arrow()).create("pts")
        subjects = [
            FRAME.lazy(),
            FRAME.to_pandas(),
            FRAME.to_arrow(),
            con.table("pts"),
            f"{tmp_path}/p.parquet",
            f"{tmp_path}/p.csv",
        ]
        for source in subjects:
            assert_same(values(ir.Points(source, ["x", "y"], cluster="k3").evaluate(MEASURES)), expected, 1e-12)
        named = ir.Points("pts", ["x", "y"], cluster="k3", con=con)
        assert_same(values(named.evaluate(MEASURES)), expected, 1e-12)
        assert named.evaluate("SSE").per_unit.to_native().columns == ["measure", "value"]


@engines
@pytest.mark.parametrize("bad, shown", [(math.nan, "nan"), (math.inf, "inf"), (None, "null")])
def test_values_that_are_no_numbers(bad: float | None, shown: str, engine: str) -> None:
    frame = FRAME.with_columns(y=pl.when(pl.col("item_id") == 4).then(pl.lit(bad, dtype=pl.Float64)).otherwise("y"))
    for measure in ("SSE", "Silhouette"):
        with pytest.raises(InvalidValue, match=f"Column 'y' of the points table holds {shown}") as caught:
            ir.Points(frame, ["x", "y"], cluster="k3", engine=engine).evaluate(measure).summary()
        assert "is_infinite" in str(caught.value)
    with pytest.raises(InvalidValue):
        ir.Points(frame, ["x", "y"], cluster="k3", engine=engine).silhouettes()


@engines
def test_refused_data(engine: str) -> None:
    ragged = pl.DataFrame({"v": [[1.0, 2.0], [1.0], [3.0, 4.0]], "cluster": [1, 1, 2]})
    with pytest.raises(InvalidValue, match="vectors of 2 and of 1"):
        ir.Points(ragged, "v", engine=engine).evaluate("SSE").summary()
    with pytest.raises(InvalidValue, match="weights"):
        ir.Points(FRAME.with_columns(weight=-1.0), ["x"], cluster="k3", engine=engine).evaluate("SSE").summary()
    zero = FRAME.with_columns(pl.col("x", "y") - 1)
    with pytest.raises(InvalidValue, match="vector 0"):
        ir.Points(zero, ["x", "y"], cluster="k3", metric="cosine", engine=engine).evaluate("Silhouette").summary()


def test_refused_calls() -> None:
    with pytest.raises(MissingColumn, match="'z'"):
        ir.Points(FRAME, ["x", "z"], cluster="k3").evaluate("SSE")
    with pytest.raises(MissingColumn, match="cluster="):
        ir.Points(FRAME, ["x", "y"]).evaluate("SSE")
    with pytest.raises(MissingColumn, match="'k9'"):
        ir.Points(FRAME, ["x", "y"], cluster=["k3", "k9"]).evaluate("SSE")
    with pytest.raises(WrongType, match="String"):
        ir.Points(FRAME, ["x", "k2"], cluster="k3").evaluate("SSE")
    for features in ([], ["x", "x"]):
        with pytest.raises(InvalidParameter):
            ir.Points(FRAME, features, cluster="k3")
    with pytest.raises(InvalidParameter, match="metric"):
        ir.Points(FRAME, ["x"], cluster="k3", metric="hamming")
    with pytest.raises(InvalidParameter, match="metric"):
        ir.Points(FRAME, ["x"], cluster="k3").evaluate("Silhouette(metric='hamming')")
    with pytest.raises(UnknownName, match="Silhouete"):
        ir.Points(FRAME, ["x"], cluster="k3").evaluate("Silhouete")
    with pytest.raises(NotDefined, match="weights"):
        ir.Points(FRAME.with_columns(weight=1.0), ["x"], cluster="k3").evaluate("Gamma")
    with pytest.raises(EngineError):
        ir.Points(FRAME, ["x"], cluster="k3", con="no connection")


def test_too_many_pairs() -> None:
    frame = pl.DataFrame({"x": range(7000), "cluster": [0, 1] * 3500})
    with pytest.raises(NotDefined, match="24496500") as caught:
        ir.Points(frame, "x").evaluate("Tau").summary()
    assert "frame.sample(6300" in str(caught.value)


def test_rows_without_ids() -> None:
    """Their numbers are ids; a DuckDB table has none."""
    frame = FRAME.drop("item_id")
    assert ir.Points(frame, ["x", "y"], cluster="k3").silhouettes()["item_id"].to_list() == list(range(9))
    with pytest.raises(NotDefined, match="order") as caught:
        ir.Points(frame, ["x", "y"], cluster="k3", engine="duckdb").silhouettes()
    assert "item=" in str(caught.value)
    assert isinstance(caught.value, IrevalError)


def test_a_feature_is_nothing_else() -> None:
    """Columns whose names mean something are features where they are named so."""
    frame = FRAME.rename({"x": "weight", "y": "run"})
    evaluation = values(ir.Points(frame, ["weight", "run"], cluster="k3").evaluate(MEASURES))
    assert_same(evaluation, values(ir.Points(FRAME, ["x", "y"], cluster="k3").evaluate(MEASURES)), 1e-12)
    assert len(POINTS.first_variants("text")) > 20
