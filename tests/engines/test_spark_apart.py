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
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import ireval_frames as ir
from tests import spark, spark_home
from tests.engines.spark_apart import FOUND, MEASURES

PROGRAM = Path(__file__).with_name("spark_apart.py")
ROOT = PROGRAM.parents[2]
# A machine that is busy takes some times the usual 20 seconds.
SECONDS = 240


@contextlib.contextmanager
def evaluated(master: str, folder: Path) -> Iterator[dict[str, Any]]:
    """What the program finds; its processes end afterwards, and in any case in time."""
    home = str(spark_home.home())
    env = {**os.environ, "SPARK_HOME": home, "PYSPARK_PYTHON": sys.executable, "PYTHONPATH": str(ROOT)}
    out = folder / "out.txt"
    with out.open("w") as file:
        command = [sys.executable, str(PROGRAM), master]
        child = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=file,
            stderr=subprocess.STDOUT,
            cwd=folder,
            env=env,
            start_new_session=True,
        )
    try:
        until = time.monotonic() + SECONDS
        while (line := said(out)) is None:
            if child.poll() is not None or time.monotonic() > until:
                pytest.fail(f"{master} found nothing, or not in {SECONDS} s:\n{out.read_text()[-4000:]}")
            time.sleep(0.05)
        found: dict[str, Any] = json.loads(line)
        yield found
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(child.pid, signal.SIGKILL)
        child.communicate()


def said(out: Path) -> str | None:
    """What the program has found, once its line is whole."""
    _, mark, rest = out.read_text().partition(f"\n{FOUND}")
    line, end, _ = rest.partition("\n")
    return line if mark and end else None


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


@pytest.fixture(scope="module")
def apart(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Any]]:
    """What is found with executors apart; a server of Connect beside it stays until all have been here."""
    if why := spark.missing():
        pytest.skip(why)
    with evaluated("local-cluster[2,1,1024]", tmp_path_factory.mktemp("apart")) as found:
        yield found
    # What executors wrote.
    shutil.rmtree(spark_home.HOME / "work", ignore_errors=True)


def test_executors_apart(apart: dict[str, Any]) -> None:
    hold(apart)


def test_connect(apart: dict[str, Any], tmp_path: Path) -> None:
    if importlib.util.find_spec("grpc_status") is None:
        pytest.skip("what Connect needs is not installed")
    with evaluated(f"sc://127.0.0.1:{apart['server']}", tmp_path) as found:
        assert found["session"] == "pyspark.sql.connect.session"
        hold(found)
        assert found["ended"].startswith("The Spark session has ended")
