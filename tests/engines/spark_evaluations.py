"""Small evaluations on a cluster, or, as a program, by a client of Connect: `spark_evaluations.py ADDRESS`."""

from __future__ import annotations

import gc
import json
import sys
import warnings
from collections.abc import Mapping
from typing import Any

import polars as pl

import ireval_frames as ir
from ireval_frames.engines.spark import ranking
from ireval_frames.engines.spark.engine import SparkEngine
from ireval_frames.engines.spark.values import with_spark_types
from ireval_frames.errors import IrevalError
from ireval_frames.expr import col

MEASURES = "nDCG@10 AP RR P@10"
# Spark and its clients print lines, too.
RESULTS = "Results: "


def evaluate(session: Any) -> dict[str, Any]:
    """Results of evaluations of small tables, and an error."""
    factor = 3.0

    def frame(rows: pl.DataFrame) -> Any:
        return session.createDataFrame(with_spark_types(rows).to_arrow(compat_level=pl.CompatLevel.oldest()))

    def scaled(rows: pl.DataFrame) -> pl.DataFrame:
        return rows.select("k", y=pl.col("x").sum() * factor)

    qrels, run = map(frame, ir.examples.ranking()[:2])
    engine = SparkEngine(session)
    rows = engine.from_polars(pl.DataFrame({"k": [1, 2], "x": [1.0, 2.0]}))
    out = {
        "ranking": ir.evaluate(qrels, run, MEASURES).summary().rows(),
        "clusters": ir.Clusters(frame(ir.examples.clusters())).evaluate("ClusteringAccuracy").summary().rows(),
        "chained": ir.evaluate(qrels, run, MEASURES).summary.to_native().orderBy("measure").select("value").collect(),
        "shipped": sorted(engine.collect(engine.apply(rows, scaled, ["k"], ["k"], {"y": pl.Float64})).rows()),
    }
    try:
        engine.collect(engine.from_polars(pl.DataFrame({"x": ["a"]})).select(x=col("x").cast(pl.Int64)))
    except IrevalError as error:
        out["error"] = str(error)
    return out


def check(results: Mapping[str, Any]) -> None:
    """The results are those of Polars."""
    # The program does not use it.
    import pytest

    qrels, run = ir.examples.ranking()[:2]
    for name, expected in (
        ("ranking", ir.evaluate(qrels, run, MEASURES)),
        ("clusters", ir.Clusters(ir.examples.clusters()).evaluate("ClusteringAccuracy")),
    ):
        assert [tuple(row) for row in results[name]] == [
            (measure, pytest.approx(value, rel=1e-11), *counts) for measure, value, *counts in expected.summary().rows()
        ]
    by_name = sorted(zip(MEASURES.split(), (row[1] for row in results["ranking"]), strict=True))
    assert [row[0] for row in results["chained"]] == pytest.approx([value for _, value in by_name], rel=1e-11)
    assert [tuple(row) for row in results["shipped"]] == [(1, 3.0), (2, 6.0)]
    assert "CAST_INVALID_INPUT" in results["error"]


def left() -> list[str]:
    """The checkpoints that a client of Connect still refers to; the server frees others in its own time."""
    from pyspark.sql.connect.plan import CachedRemoteRelation

    gc.collect()
    return [repr(one) for one in gc.get_objects() if isinstance(one, CachedRemoteRelation)]


def ended(session: Any) -> str:
    """The error of a session that has ended."""
    from ireval_frames.engines.spark.errors import engine_error, failures

    session.stop()
    try:
        session.table("anything").collect()
    except failures() as error:
        return str(engine_error(error))
    return "nothing"


def main(address: str) -> None:
    """Evaluate as a client of a server, and print the results."""
    from pyspark.sql import SparkSession

    warnings.simplefilter("ignore")
    session: Any = SparkSession.builder.remote(address).getOrCreate()
    out = evaluate(session) | {"left": left(), "session": type(session).__module__}
    out["ended"] = ended(session)
    sys.stdout.write(f"\n{RESULTS}{json.dumps(out)}\n")


if __name__ == "__main__":
    # For any number of rows.
    ranking.FEW_ROWS = 0
    main(sys.argv[1])
