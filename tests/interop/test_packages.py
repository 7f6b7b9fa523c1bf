"""Packages of other tools, each in a process of its own because of what they import."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.packaging.imports import HOUSE


def outputs(name: str, folder: Path) -> dict[str, Any]:
    if importlib.util.find_spec(name) is None:
        pytest.skip(f"{name} is not installed")
    command = [sys.executable, "-W", "ignore", "-m", "tests.interop.with_packages", name, str(folder)]
    done = subprocess.run(command, cwd=HOUSE, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    out: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return out


def test_mlflow_there_and_back(tmp_path: Path) -> None:
    actual = outputs("mlflow", tmp_path)
    assert actual["back"] == actual["ours"]
    assert len(actual["back"]) == 3
    assert actual["units"] == actual["our_units"]
    assert actual["page"] == "<!doctype html>"
    assert actual["tags"] == {"ireval.run_id": "b", "ireval.policy.ties": "trec_eval"}


def test_datasets_there_and_back(tmp_path: Path) -> None:
    actual = outputs("datasets", tmp_path)
    assert actual["kind"]
    assert actual["back"]
    assert actual["chosen"] == [3, 1]
    assert actual["shuffled"]
    assert actual["value"] == actual["ours"]
    assert 'dataset["train"]' in actual["refused"]


def test_tables_of_wandb(tmp_path: Path) -> None:
    actual = outputs("wandb", tmp_path)
    assert actual["kind"]
    assert actual["columns"] == ["run_id", "query_id", "measure", "value"]
    assert actual["data"] == actual["ours"]


def test_tables_of_trackio(tmp_path: Path) -> None:
    actual = outputs("trackio", tmp_path)
    assert actual["kind"]
    assert [dict(row) for row in actual["data"]] == actual["ours"]
