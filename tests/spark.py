"""The Spark session that tests share on one worker; without Java or PySpark they are skipped with that reason."""

from __future__ import annotations

import contextlib
import functools
import importlib.util
import os
import shutil
import sys
import warnings
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from tests import spark_home

# The options of the driver's Java.
JAVA = "spark.driver.extraJavaOptions"
# Tables are small: rows are shuffled to one partition unless a test sets another number, and plans are not compiled.
CONF = {
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.driver.host": "127.0.0.1",
    "spark.driver.memory": "2g",
    "spark.connect.grpc.binding.address": "127.0.0.1",
    "spark.connect.grpc.binding.port": "0",
    "spark.log.level": "OFF",
    "spark.sql.shuffle.partitions": "1",
    JAVA: "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
    # Each sort and hash table takes at least a page, and executions are retained for a user interface that is off.
    "spark.buffer.pageSize": "256k",
    "spark.sql.ui.retainedExecutions": "1",
    "spark.sql.adaptive.enabled": "false",
    "spark.sql.codegen.wholeStage": "false",
    "spark.sql.codegen.factoryMode": "NO_CODEGEN",
}
# Plans are short-lived and large: a large part of the memory for what is young, and room for classes from the start.
# What the catalog compiles does not fit into the 48 MB that the first compiler alone is given.
MEMORY = "-Xms2g -Xmn1300m -XX:MetaspaceSize=512m -XX:ReservedCodeCacheSize=256m"
# Its tests end the shared session.
CLUSTER_TESTS = "tests/engines/test_spark_cluster.py"
# Tests with Spark in processes of their own, or only in their names.
WITHOUT_SESSION = ("tests/docs/", "tests/packaging/", "ireval_frames/")


def uses_session(nodeid: str) -> bool:
    """Whether a test uses the session, by its name."""
    return "spark" in nodeid and not nodeid.startswith(WITHOUT_SESSION)


def uses_cluster(nodeid: str) -> bool:
    """Whether a test starts a cluster, and so a session other than the shared one."""
    return nodeid.startswith(CLUSTER_TESTS)


def missing() -> str:
    """Why Spark is not available; empty if it is."""
    if importlib.util.find_spec("pyspark") is None:
        return "PySpark is not installed"
    home = os.environ.get("JAVA_HOME")
    if not (Path(home, "bin", "java").exists() if home else shutil.which("java")):
        return "Java was found neither by JAVA_HOME nor on PATH"
    return ""


def java() -> str:
    """The options of every Java process."""
    return f"{CONF[JAVA]} {spark_home.options()}"


@functools.cache
def session() -> Any:
    """The worker's session; tests that use it are skipped where Spark is not available."""
    if why := missing():
        pytest.skip(why)
    return start("local[2]", {**CONF, JAVA: f"{java()} {MEMORY}"})


@contextlib.contextmanager
def local_cluster() -> Iterator[Any]:
    """A session with executors in processes of their own; the shared session ends, and starts again on demand."""
    session().stop()
    session.cache_clear()
    executors = {"spark.executor.memory": "512m", "spark.executor.extraJavaOptions": java()}
    cluster = start("local-cluster[2,1,1024]", CONF | executors)
    try:
        yield cluster
    finally:
        cluster.stop()
        # Files of executors.
        shutil.rmtree(spark_home.HOME / "work", ignore_errors=True)


@contextlib.contextmanager
def connect_server() -> Iterator[str]:
    """The address of a server of Connect beside the shared session."""
    context = session().sparkContext
    service = getattr(getattr(context._jvm.org.apache.spark.sql.connect.service, "SparkConnectService$"), "MODULE$")
    service.start(context._jsc.sc())
    try:
        yield f"sc://127.0.0.1:{service.localPort()}"
    finally:
        nothing = context._jvm.scala.Option.empty()
        service.stop(nothing, nothing)
        # The server would free unreferenced rows only some time later.
        for rows in context._jsc.getPersistentRDDs().values():
            rows.unpersist()


def start(master: str, settings: Mapping[str, str]) -> Any:
    """A session of a master."""
    # Executors are other processes, which need the same environment.
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    os.environ["SPARK_HOME"] = str(spark_home.home())
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from pyspark.sql import SparkSession

        builder = SparkSession.builder.master(master).appName("ireval-frames")
        for name, value in settings.items():
            builder = builder.config(name, value)
        return builder.getOrCreate()


def left() -> list[str]:
    """What is cached, checkpointed or registered in the session."""
    shared = session()
    cached = [f"RDD {number}" for number in shared.sparkContext._jsc.getPersistentRDDs()]
    return [*cached, *(f"table {table.name}" for table in shared.catalog.listTables() if table.isTemporary)]


def frame(rows: pl.DataFrame) -> Any:
    """The rows as a frame of the session."""
    from ireval_frames.engines.spark.values import with_spark_types

    return session().createDataFrame(with_spark_types(rows).to_arrow(compat_level=pl.CompatLevel.oldest()))
