"""Executors in processes of their own, so that what they run is sent to them; and Connect."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import ireval_frames as ir
from ireval_frames.engines import spark_better
from tests import spark
from tests.engines import spark_apart

PROGRAM = Path(spark_apart.__file__)
ROOT = PROGRAM.parents[2]
# A machine that is busy takes some times the usual 10 seconds.
SECONDS = 240


@pytest.fixture(scope="module")
def apart() -> Iterator[Any]:
    """The session."""
    with spark.executors_apart() as session:
        yield session


def hold(found: dict[str, Any]) -> None:
    qrels, run = ir.examples.ranking()[:2]
    for name, wanted in (
        ("ranking", ir.evaluate(qrels, run, spark_apart.MEASURES)),
        ("clusters", ir.Clusters(ir.examples.clusters()).evaluate("ClusteringAccuracy")),
    ):
        assert [tuple(row) for row in found[name]] == [
            (measure, pytest.approx(value, rel=1e-11), *counts) for measure, value, *counts in wanted.summary().rows()
        ]
    assert [tuple(row) for row in found["shipped"]] == [(1, 3.0), (2, 6.0)]
    assert "CAST_INVALID_INPUT" in found["error"]


def test_executors_apart(apart: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    # However few rows there are.
    monkeypatch.setattr(spark_better, "FEW_ROWS", 0)
    assert apart.sparkContext.master.startswith("local-cluster")
    hold(spark_apart.found(apart))
    assert apart.sparkContext._jsc.getPersistentRDDs().size() == 0


def test_connect(apart: Any, tmp_path: Path) -> None:
    if importlib.util.find_spec("grpc_status") is None:
        pytest.skip("what Connect needs is not installed")
    service = getattr(apart._jvm.org.apache.spark.sql.connect.service, "SparkConnectService$")
    address = f"sc://127.0.0.1:{getattr(service, 'MODULE$').localPort()}"
    done = subprocess.run(
        [sys.executable, str(PROGRAM), address],
        check=False,
        capture_output=True,
        text=True,
        timeout=SECONDS,
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    _, mark, line = done.stdout.partition(f"\n{spark_apart.FOUND}")
    assert mark, done.stderr[-4000:]
    found = json.loads(line)
    assert found["session"] == "pyspark.sql.connect.session"
    hold(found)
    assert found["left"] == []
    assert found["ended"].startswith("The Spark session has ended")
