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
from tests.engines import spark_found

PROGRAM = Path(spark_found.__file__)
ROOT = PROGRAM.parents[2]
# A machine that is busy takes some times the usual 10 seconds.
SECONDS = 240


def test_connect(tmp_path: Path) -> None:
    if importlib.util.find_spec("grpc_status") is None:
        pytest.skip("what Connect needs is not installed")
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
    _, mark, line = done.stdout.partition(f"\n{spark_found.FOUND}")
    assert mark, done.stderr[-4000:]
    actual = json.loads(line)
    assert actual["session"] == "pyspark.sql.connect.session"
    spark_found.hold(actual)
    assert actual["left"] == []
    assert actual["ended"].startswith("The Spark session has ended")
