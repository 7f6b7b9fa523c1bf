"""A program that evaluates in a session of its own, prints what it found, and stays until its input ends.

`python spark_apart.py MASTER`: a master of Spark, beside which a server of Connect is started, or the address of one.
"""

from __future__ import annotations

import json
import sys
import warnings
from typing import Any

import narwhals.stable.v2 as nw
import polars as pl

import ireval_frames as ir
from ireval_frames.engines import spark_better
from ireval_frames.engines.spark import SparkEngine
from ireval_frames.engines.spark_values import handed
from ireval_frames.errors import IrevalError
from tests import spark

MEASURES = "nDCG@10 AP RR P@10"
# Spark and what speaks to it write lines too.
FOUND = "Found: "
APART = {
    "spark.executor.memory": "512m",
    "spark.plugins": "org.apache.spark.sql.connect.SparkConnectPlugin",
    "spark.connect.grpc.binding.address": "127.0.0.1",
    "spark.connect.grpc.binding.port": "0",
}


def found(session: Any) -> dict[str, Any]:
    """What evaluations of small tables are, and what an error is."""
    factor = 3.0

    def frame(rows: pl.DataFrame) -> Any:
        return session.createDataFrame(handed(rows).to_arrow(compat_level=pl.CompatLevel.oldest()))

    def scaled(rows: pl.DataFrame) -> pl.DataFrame:
        return rows.select("k", y=pl.col("x").sum() * factor)

    # However few they are.
    spark_better.FEW_ROWS = 0
    qrels, run = map(frame, ir.examples.ranking()[:2])
    engine = SparkEngine(session)
    rows = engine.from_polars(pl.DataFrame({"k": [1, 2], "x": [1.0, 2.0]}))
    out = {
        "ranking": ir.evaluate(qrels, run, MEASURES).summary().rows(),
        "clusters": ir.Clusters(frame(ir.examples.clusters())).evaluate("ClusteringAccuracy").summary().rows(),
        "shipped": sorted(engine.collect(engine.apply(rows, scaled, ["k"], ["k"], {"y": pl.Float64})).rows()),
    }
    try:
        engine.collect(engine.from_polars(pl.DataFrame({"x": ["a"]})).select(x=nw.col("x").cast(nw.Int64)))
    except IrevalError as error:
        out["error"] = str(error)
    return out


def left() -> list[str]:
    """What is kept: in executors, or what a server of Connect has not been told to let go of."""
    import gc

    gc.collect()
    if connect := sys.modules.get("pyspark.sql.connect.plan"):
        # Rows of a server cannot be freed from here; it is told that nobody refers to them, and frees them some time.
        return [repr(one) for one in gc.get_objects() if isinstance(one, connect.CachedRemoteRelation)]
    from pyspark import SparkContext

    context: Any = SparkContext._active_spark_context
    return [str(number) for number in context._jsc.getPersistentRDDs()]


def started(master: str) -> Any:
    """The session."""
    from pyspark.sql import SparkSession

    if master.startswith("sc://"):
        return SparkSession.builder.remote(master).getOrCreate()
    builder = SparkSession.builder.master(master)
    java = dict.fromkeys((spark.JAVA, "spark.executor.extraJavaOptions"), spark.java())
    for name, value in {**spark.CONF, **APART, **java}.items():
        builder = builder.config(name, value)
    return builder.getOrCreate()


def ended(session: Any) -> str:
    """What is said of a session that has ended."""
    from ireval_frames.engines.spark_errors import engine_error, failures

    session.stop()
    try:
        session.table("anything").collect()
    except failures() as error:
        return str(engine_error(error))
    return "nothing"


def main(master: str) -> None:
    """Evaluate, say what was found, and stay for those who ask the server."""
    warnings.simplefilter("ignore")
    session = started(master)
    out = found(session) | {"left": left(), "session": type(session).__module__}
    if master.startswith("sc://"):
        out["ended"] = ended(session)
    else:
        service = getattr(session._jvm.org.apache.spark.sql.connect.service, "SparkConnectService$")
        out["server"] = getattr(service, "MODULE$").localPort()
    sys.stdout.write(f"\n{FOUND}{json.dumps(out)}\n")
    sys.stdout.flush()
    sys.stdin.read()


if __name__ == "__main__":
    main(sys.argv[1])
