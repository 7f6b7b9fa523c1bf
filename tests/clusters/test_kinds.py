"""Kinds of columns: what may name classes, clusters and items."""

from __future__ import annotations

import polars as pl
import pytest

import ireval_frames as ir
from ireval_frames.errors import InvalidParameter, MismatchedTables
from tests.clusters.test_inputs import FRAME, same, summary
from tests.contract.kit import ENGINES

engines = pytest.mark.parametrize("engine", ENGINES)


@engines
def test_kinds_of_columns(engine: str) -> None:
    same(summary(FRAME, engine=engine))
    same(summary(FRAME.with_columns(pl.col("label").cast(pl.Enum(["x", "o", "d"]))), engine=engine))
    same(summary(FRAME.with_columns(pl.col("label").cast(pl.Categorical), pl.col("cluster_id") * 0.5), engine=engine))
    same(summary(FRAME.rename({"label": "gold", "cluster_id": "y_pred"}), engine=engine))
    odd = FRAME.rename({"label": "the class", "cluster_id": "k"}).drop("item_id")
    same(summary(odd, label="the class", cluster="k", engine=engine))


@engines
def test_hashes_of_64_bits(engine: str) -> None:
    high = pl.Series([2**64 - 1, 2**64 - 2, 2**63, 7], dtype=pl.UInt64)
    frame = FRAME.with_columns(
        cluster_id=pl.col("cluster_id").replace_strict({k: high[k] for k in (1, 2, 3)}, return_dtype=pl.UInt64)
    )
    same(summary(frame, engine=engine))
    same(summary(frame, noise_cluster=-1, engine=engine))
    assert ir.Clusters(frame, noise_cluster=2**63, engine=engine).evaluate("NumClusters").summary()["value"].item() > 3
    actual = ir.Clusters(frame, engine=engine).contingency()["cluster_id"].unique().sort()
    assert actual.to_list() == [7, 2**63, 2**64 - 2]


@engines
def test_kinds_of_text_and_sizes_of_integers_are_joined(engine: str) -> None:
    gold, system = FRAME.select("item_id", "label"), FRAME.select("item_id", "cluster_id")
    same(summary(gold, system.with_columns(pl.col("item_id").cast(pl.Int8)), engine=engine))
    texts = pl.col("item_id").cast(pl.String)
    names = FRAME.select(texts)["item_id"].sort()
    for left in (pl.String, pl.Categorical, pl.Enum(names)):
        for right in (pl.String, pl.Enum(names.reverse())):
            same(summary(gold.with_columns(texts.cast(left)), system.with_columns(texts.cast(right)), engine=engine))


@engines
@pytest.mark.parametrize("overlapping", [False, True])
def test_nan_is_null(engine: str, *, overlapping: bool) -> None:
    """As in the points' clusters: a number that is none names neither a class nor a cluster; −0 is 0."""
    nulls = pl.DataFrame(
        {
            "item_id": range(7),
            "label": [1.0, 1.0, 2.0, None, 2.0, None, 2.0],
            "cluster_id": [0.0, 0.0, None, None, None, 3.0, -1.0],
        }
    )
    nans = nulls.with_columns(pl.col("label", "cluster_id").fill_null(float("nan")))
    nans = nans.with_columns(cluster_id=pl.when(pl.col("item_id") == 1).then(-0.0).otherwise("cluster_id"))
    names = "NumItems NumClasses NumClusters BCubedP BCubedR"
    for policy in ("missing=singleton", "missing=skip", "missing=replab"):
        options = {"policy": policy, "noise_cluster": -1, "overlapping": overlapping, "engine": engine}
        expected = summary(nulls, measures=names, **options)
        same(summary(nans, measures=names, **options), expected)
        halves = [nans.select("item_id", c) for c in ("label", "cluster_id")]
        same(summary(*halves, measures=names, **options), expected)
        lists = nans.with_columns(pl.concat_list("label").alias("label"))
        same(summary(lists, measures=names, **options), expected)
    with pytest.raises(MismatchedTables, match="3 items are in no cluster"):
        summary(nans, policy="missing=error", overlapping=overlapping, measures="BCubedP", engine=engine)


def test_noise_is_a_class() -> None:
    for wrong in (1.5, [1], float("nan")):
        with pytest.raises(InvalidParameter, match="noise_cluster is"):
            summary(FRAME, noise_cluster=wrong)
    same(summary(FRAME, noise_cluster=-1.0))
