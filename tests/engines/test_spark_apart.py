"""Spark in processes of its own: executors apart from the driver, so that what they run is sent; and Connect."""

from __future__ import annotations

import contextlib
import importlib.util
import json
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import ireval_frames as ir
from tests import spark, spark_home
from tests.engines.spark_apart import MEASURES

PROGRAM = Path(__file__).with_name("spark_apart.py")
ROOT = PROGRAM.parents[2]
# A machine that is busy takes some times the usual 20 seconds.
SECONDS = 240


def evaluated(master: str, folder: Path) -> dict[str, Any]:
    """What the program finds; its processes end with it, and in any case in time."""
    if why := spark.missing():
        pytest.skip(why)
    home = str(spark_home.home())
    env = {**os.environ, "SPARK_HOME": home, "PYSPARK_PYTHON": sys.executable, "PYTHONPATH": str(ROOT)}
    out = folder / "out.txt"
    with out.open("w") as file:
        command = [sys.executable, str(PROGRAM), master]
        child = subprocess.Popen(
            command, stdout=file, stderr=subprocess.STDOUT, cwd=folder, env=env, start_new_session=True
        )
        try:
            child.wait(SECONDS)
        except subprocess.TimeoutExpired:
            pytest.fail(f"{master} took more than {SECONDS} s:\n{out.read_text()[-2000:]}")
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(child.pid, signal.SIGKILL)
            child.wait()
            # What executors wrote.
            shutil.rmtree(spark_home.HOME / "work", ignore_errors=True)
    assert child.returncode == 0, out.read_text()[-4000:]
    found: dict[str, Any] = json.loads(out.read_text().splitlines()[-1])
    return found


def hold(found: dict[str, Any]) -> None:
    qrels, run = ir.examples.ranking()[:2]
    for name, wanted in (
        ("ranking", ir.evaluate(qrels, run, MEASURES)),
        ("clusters", ir.Clusters(ir.examples.clusters()).evaluate("ClusteringAccuracy")),
    ):
        assert [tuple(row) for row in found[name]] == [
            (measure, pytest.approx(value, rel=1e-11), *counts) for measure, value, *counts in wanted.summary().rows()
        ]
    assert found["shipped"] == [[1, 3.0], [2, 6.0]]
    assert "CAST_INVALID_INPUT" in found["error"]
    assert found["left"] == []


def test_executors_apart(tmp_path: Path) -> None:
    hold(evaluated("local-cluster[2,1,1024]", tmp_path))


def test_connect(tmp_path: Path) -> None:
    if importlib.util.find_spec("grpc_status") is None:
        pytest.skip("what Connect needs is not installed")
    found = evaluated("connect", tmp_path)
    assert found["session"] == "pyspark.sql.connect.session"
    hold(found)
    assert found["ended"].startswith("The Spark session has ended")
