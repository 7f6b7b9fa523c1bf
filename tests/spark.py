"""The session of Spark, which tests share on one worker; without Java or PySpark they are skipped with that reason."""

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

# What the driver's Java is told.
JAVA = "spark.driver.extraJavaOptions"
# Tables are small: no rows are shuffled to several partitions but where a test asks for that, and plans are run as they
# are written, without compiling them.
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
    # Each sort and each hash table takes a page at least, and each plan that ran is kept for a page that nobody sees.
    "spark.buffer.pageSize": "256k",
    "spark.sql.ui.retainedExecutions": "1",
    "spark.sql.adaptive.enabled": "false",
    "spark.sql.codegen.wholeStage": "false",
    "spark.sql.codegen.factoryMode": "NO_CODEGEN",
}
# Plans are short-lived and large: a large part of the memory for what is young, and room for classes from the start.
# What the catalog compiles does not fit into the 48 MB that the first compiler alone is given.
MEMORY = "-Xms2g -Xmn1300m -XX:MetaspaceSize=512m -XX:ReservedCodeCacheSize=256m"
# Its tests end the session that others share.
APART = "tests/engines/test_spark_cluster.py"
# They have Spark in processes of their own, or only speak of it.
BESIDE = ("tests/docs/", "tests/packaging/", "ireval_frames/")


def asked_by(nodeid: str) -> bool:
    """Whether a test asks the session: its name says so."""
    return "spark" in nodeid and not nodeid.startswith(BESIDE)


def apart(nodeid: str) -> bool:
    """Whether a test asks for executors apart, and so for another session than the one that is shared."""
    return nodeid.startswith(APART)


def missing() -> str:
    """Why there is no Spark here; nothing if there is."""
    if importlib.util.find_spec("pyspark") is None:
        return "PySpark is not installed"
    home = os.environ.get("JAVA_HOME")
    if not (Path(home, "bin", "java").exists() if home else shutil.which("java")):
        return "Java is not there: neither JAVA_HOME nor PATH has it"
    return ""


def java() -> str:
    """What Java is told, wherever it runs."""
    return f"{CONF[JAVA]} {spark_home.options()}"


@functools.cache
def session() -> Any:
    """The worker's session; tests that ask for it are skipped where there is none."""
    if why := missing():
        pytest.skip(why)
    return started("local[2]", {**CONF, JAVA: f"{java()} {MEMORY}"})


@contextlib.contextmanager
def local_cluster() -> Iterator[Any]:
    """A session with executors in processes of their own, in the Java that is there; the shared one begins anew."""
    session().stop()
    session.cache_clear()
    executors = {"spark.executor.memory": "512m", "spark.executor.extraJavaOptions": java()}
    apart = started("local-cluster[2,1,1024]", CONF | executors)
    try:
        yield apart
    finally:
        apart.stop()
        # What executors wrote.
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
        # Of what nobody refers to any more, the server frees the rows some time.
        for rows in context._jsc.getPersistentRDDs().values():
            rows.unpersist()


def started(master: str, settings: Mapping[str, str]) -> Any:
    """A session of a master."""
    # Executors are processes of their own, which must find what this one has.
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
    asked = session()
    kept = [f"RDD {number}" for number in asked.sparkContext._jsc.getPersistentRDDs()]
    return [*kept, *(f"table {table.name}" for table in asked.catalog.listTables() if table.isTemporary)]


def frame(rows: pl.DataFrame) -> Any:
    """The rows as a frame of the session."""
    from ireval_frames.engines.spark.values import with_spark_types

    return session().createDataFrame(with_spark_types(rows).to_arrow(compat_level=pl.CompatLevel.oldest()))
