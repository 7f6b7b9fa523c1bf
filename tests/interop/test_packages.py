"""Other tools' own packages, each in a process of its own: what they import is theirs."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.packaging.imports import HOUSE


def found(name: str, folder: Path) -> dict[str, Any]:
    if importlib.util.find_spec(name) is None:
        pytest.skip(f"{name} is not installed")
    command = [sys.executable, "-W", "ignore", "-m", "tests.interop.with_packages", name, str(folder)]
    done = subprocess.run(command, cwd=HOUSE, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    out: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return out


def test_mlflow_there_and_back(tmp_path: Path) -> None:
    told = found("mlflow", tmp_path)
    assert told["back"] == told["ours"]
    assert len(told["back"]) == 3
    assert told["units"] == told["our_units"]
    assert told["page"] == "<!doctype html>"
    assert told["tags"] == {"ireval.run_id": "b", "ireval.policy.ties": "trec_eval"}


def test_datasets_there_and_back(tmp_path: Path) -> None:
    told = found("datasets", tmp_path)
    assert told["kind"]
    assert told["back"]
    assert told["chosen"] == [3, 1]
    assert told["shuffled"]
    assert told["value"] == told["ours"]
    assert 'dataset["train"]' in told["refused"]


def test_tables_of_wandb(tmp_path: Path) -> None:
    told = found("wandb", tmp_path)
    assert told["kind"]
    assert told["columns"] == ["run_id", "query_id", "measure", "value"]
    assert told["data"] == told["ours"]


def test_tables_of_trackio(tmp_path: Path) -> None:
    told = found("trackio", tmp_path)
    assert told["kind"]
    assert [dict(row) for row in told["data"]] == told["ours"]
