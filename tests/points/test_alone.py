"""Points that are clusters of their own, whatever their ids are."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest

import ireval_frames as ir
from ireval_frames.errors import InvalidValue, NotDefined
from tests.contract.kit import ENGINES

MEASURES = "SSE NumClusters NumPoints CalinskiHarabasz Silhouette"
KINDS = {"noise": ("noise=singleton", -1), "missing": ("missing=singleton", None)}


def table(ids: list[Any] | None, single: Any, name: str) -> pl.DataFrame:
    frame = pl.DataFrame({"x": [0.0, 0.1, 0.2, 100.0, 170.0, 300.0], "c": [1, 1, 1, single, single, single]})
    return frame if ids is None else frame.with_columns(pl.Series(name, ids))


def subject(frame: pl.DataFrame, kind: str, engine: str, **options: Any) -> ir.Points:
    policy, _ = KINDS[kind]
    return ir.Points(frame, "x", cluster="c", noise_cluster=-1, policy=policy, engine=engine, **options)


def found(points: ir.Points) -> list[float]:
    values: list[float] = points.evaluate(MEASURES).summary()["value"].to_list()
    return values


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("kind", KINDS)
def test_each_is_one(kind: str, engine: str) -> None:
    expected = found(subject(table([*"abcdef"], KINDS[kind][1], "item_id"), kind, engine))
    assert expected[:3] == [pytest.approx(0.02), 4.0, 6.0]
    equal = found(subject(table([7, 7, 7, 1, 2, 3], KINDS[kind][1], "id"), kind, engine))
    assert equal == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", ["id", "doc_id", "item_id", "number"])
@pytest.mark.parametrize("ids", [[5] * 6, [1, 2, 3, None, None, None], ["a", "b", "c", "a", "a", "n0"], None], ids=str)
def test_ids_do_not_make_them_one_on_polars(ids: Any, name: str, kind: str) -> None:
    expected = found(subject(table([*"abcdef"], KINDS[kind][1], "item_id"), kind, "polars"))
    points = subject(table(ids, KINDS[kind][1], name), kind, "polars")
    assert found(points) == pytest.approx(expected, rel=1e-12)
    assert points.silhouettes()["cluster_id"].null_count() == 3


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("ids", [[5] * 6, [1, 2, 3, 4, 5, 5], [1, 2, 3, None, 4, 5]], ids=str)
def test_ids_that_do_not_tell_them_apart_are_refused_on_duckdb(ids: Any, kind: str) -> None:
    """Its rows have no numbers."""
    points = subject(table(ids, KINDS[kind][1], "id"), kind, "duckdb")
    with pytest.raises(InvalidValue, match=r"Column 'id' holds (5|None) for several points, or none") as caught:
        found(points)
    assert 'item="their_name"' in str(caught.value)
    with pytest.raises(NotDefined, match="item="):
        found(subject(table(None, KINDS[kind][1], "id"), kind, "duckdb"))


@pytest.mark.parametrize("engine", ENGINES)
def test_several_clusterings(engine: str) -> None:
    """A point has the same id in each of them."""
    frame = table([*range(6)], None, "item_id").with_columns(d=pl.col("c").fill_null(2))
    points = ir.Points(frame, "x", cluster=["c", "d"], policy="missing=singleton", engine=engine)
    assert points.evaluate("NumClusters").summary()["value"].to_list() == [4.0, 2.0]


def test_a_feature_named_like_an_id() -> None:
    frame = table(None, -1, "").rename({"x": "item_id"})
    points = ir.Points(frame, "item_id", cluster="c", noise_cluster=-1, policy="noise=singleton")
    assert points.evaluate("NumClusters").summary()["value"].item() == 4.0
    assert points.silhouettes().height == 6
