"""Tables of every kind, with ids of every type, give the same draws."""

from __future__ import annotations

import datetime as dt
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import polars as pl
import pytest
from polars.testing import assert_frame_equal

import ireval_frames as ir
from tests.resampling import samples

F1 = "F1(average='macro')"


def frame() -> pl.DataFrame:
    return samples.labels().drop("score", "truth")


def draws(subject: Any, measure: str = F1, **how: Any) -> np.ndarray:
    return ir.resampling.bootstrap(subject, measure, n_resamples=8, **{"cluster": "user", **how}).draws


def named(name: str) -> pl.Expr:
    return pl.format("u{}", pl.col(name).cast(pl.String).str.zfill(3))


USERS: dict[str, pl.Expr] = {
    "text": named("user"),
    "categories": named("user").cast(pl.Categorical),
    "floats": pl.col("user") * 1.5,
    "dates": pl.lit(dt.date(2020, 1, 1)) + pl.duration(days=pl.col("user")),
}


@pytest.mark.parametrize("kind", USERS)
@pytest.mark.parametrize("engine", ["polars", "duckdb"])
def test_types_of_ids(kind: str, engine: str) -> None:
    source = frame().with_columns(user=USERS[kind])
    np.testing.assert_allclose(draws(ir.Labels(source, engine=engine)), draws(ir.Labels(frame())), rtol=0, atol=1e-14)


def in_database(_: Path) -> ir.Labels:
    con = duckdb.connect()
    con.register("given", frame().to_arrow())
    con.execute("CREATE TABLE items AS FROM given")
    return ir.Labels("items", con=con)


KINDS: dict[str, Callable[[Path], ir.Labels]] = {
    "lazy": lambda _: ir.Labels(frame().lazy()),
    "pandas": lambda _: ir.Labels(frame().to_pandas()),
    "Parquet": lambda folder: ir.Labels(folder / "items.parquet"),
    "text": lambda folder: ir.Labels(folder / "items.csv"),
    "text in DuckDB": lambda folder: ir.Labels(folder / "items.csv", engine="duckdb"),
    "a table of DuckDB": in_database,
    "enums": lambda _: ir.Labels(frame().with_columns(pl.col("label", "prediction").cast(pl.Enum(["c", "b", "a"])))),
    "two tables": lambda _: ir.Labels(frame().drop("prediction"), frame().drop("label")),
    "other names": lambda _: ir.Labels(
        frame().rename({"label": "was", "prediction": "score"}), label="was", prediction="score"
    ),
}


@pytest.mark.parametrize("kind", KINDS)
def test_kinds_of_tables(kind: str, tmp_path: Path) -> None:
    frame().write_parquet(tmp_path / "items.parquet")
    frame().write_csv(tmp_path / "items.csv")
    np.testing.assert_allclose(draws(KINDS[kind](tmp_path)), draws(ir.Labels(frame())), rtol=0, atol=1e-14)


def test_clusterings_of_two_tables_and_overlapping_ones() -> None:
    one = samples.clusters()
    gold, text = one.select("item_id", "doc", "label"), one.select("item_id", "doc", "cluster_id")
    other = text.with_columns(run_id=pl.lit("b"), cluster_id=pl.col("cluster_id") // 2)
    runs = pl.concat([text.with_columns(run_id=pl.lit("a")).select(other.columns), other])
    both = draws(ir.Clusters(gold, runs), "AdjustedRand", cluster="doc")
    np.testing.assert_allclose(both[:, :1], draws(ir.Clusters(one), "AdjustedRand", cluster="doc"), rtol=0, atol=1e-14)
    # Clusters that may overlap, and do not, are the same; items then come with all their rows.
    actual = draws(ir.Clusters(one, overlapping=True), "BCubedF", cluster="doc")
    np.testing.assert_allclose(actual, draws(ir.Clusters(one), "BCubedF", cluster="doc"), rtol=0, atol=1e-12)


def test_nothing_to_draw() -> None:
    for how in ({"cluster": "user"}, {"cluster": None}):
        b = ir.resampling.bootstrap(ir.Labels(frame().clear()), "Accuracy", n_resamples=5, **how)
        assert b.table().select("value", "ci_low", "n_resampled", "status").row(0) == (None, None, 0, "undefined")
        grouped = ir.Labels(frame().clear(), by="site")
        for method in ("bca", "delta"):
            assert ir.resampling.bootstrap(grouped, "Accuracy", n_resamples=5, method=method, **how).table().height == 0
        assert ir.resampling.jackknife(grouped, "Accuracy", **how).influence().height == 0


def test_points_are_resampled_by_their_units() -> None:
    points = pl.concat(
        ir.examples.points().with_columns(user=pl.lit(i), x=pl.col("x") * (1 + i % 3)) for i in range(30)
    )
    subject = ir.Points(points, ["x", "y"], cluster="k3", unit="user")
    row = ir.resampling.bootstrap(subject, "Silhouette", n_resamples=50).table().row(0, named=True)
    assert (row["n_resampled"], row["status"]) == (30, "ok")
    assert row["ci_low"] < row["value"] < row["ci_high"]


def test_results_can_be_pickled() -> None:
    b = ir.resampling.bootstrap(ir.Labels(frame()), F1, cluster="user", n_resamples=5)
    j = ir.resampling.jackknife(ir.Labels(frame()), F1, cluster="user")
    assert_frame_equal(pickle.loads(pickle.dumps(b)).table(), b.table(), abs_tol=1e-14)
    assert_frame_equal(pickle.loads(pickle.dumps(j)).influence(), j.influence(), abs_tol=1e-14)
    ev = ir.evaluate(*ir.examples.ranking(), "AP")
    assert (
        pickle.loads(pickle.dumps(ir.resampling.bootstrap(ev, n_resamples=5)))
        .table()
        .equals(ir.resampling.bootstrap(ev, n_resamples=5).table())
    )
