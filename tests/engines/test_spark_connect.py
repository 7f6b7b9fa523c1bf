"""Spark Connect: a client in a process of its own."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests import spark
from tests.engines import spark_evaluations

PROGRAM = Path(spark_evaluations.__file__)
ROOT = PROGRAM.parents[2]
# A busy machine takes several times the usual 10 seconds.
SECONDS = 240


def test_connect(tmp_path: Path) -> None:
    if importlib.util.find_spec("grpc_status") is None:
        pytest.skip("the packages of Spark Connect are not installed")
    with spark.connect_server() as address:
        done = subprocess.run(
            [sys.executable, str(PROGRAM), address],
            check=False,
            capture_output=True,
            text=True,
            timeout=SECONDS,
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
        )
    _, mark, line = done.stdout.partition(f"\n{spark_evaluations.RESULTS}")
    assert mark, done.stderr[-4000:]
    actual = json.loads(line)
    assert actual["session"] == "pyspark.sql.connect.session"
    spark_evaluations.check(actual)
    assert actual["left"] == []
    assert actual["ended"].startswith("The Spark session has ended")
