"""The workflows in `docs/` run, with the command `ireval`."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.cli.commands import BM25, QRELS, ROOT

TFIDF = str(Path(BM25).with_name("tfidf.txt"))


def steps(name: str) -> list[dict[str, Any]]:
    """The steps of the only job that run a command after the installation."""
    workflow = yaml.safe_load((ROOT / "docs" / name).read_text())
    (job,) = workflow["jobs"].values()
    return [s for s in job["steps"] if "run" in s and not s["run"].startswith("pip ")]


class Checkout:
    """A repository with judgments and a search, in which steps run as on the service."""

    def __init__(self, path: Path) -> None:
        self.path = path
        (path / "bin").mkdir()
        command = path / "bin" / "ireval"
        command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m ireval_frames "$@"\n')
        command.chmod(0o755)
        shutil.copy(QRELS, path / "qrels.txt")

    def search(self, run: str) -> None:
        """Have the search give a run."""
        (self.path / "search.sh").write_text(f"#!/bin/sh\ncat '{run}'\n")
        (self.path / "search.sh").chmod(0o755)

    def run(self, steps: list[dict[str, Any]]) -> subprocess.CompletedProcess[str]:
        """The last of some steps, which run until one fails."""
        env = {
            **os.environ,
            "PATH": f"{self.path / 'bin'}:{os.environ['PATH']}",
            "PYTHONPATH": str(ROOT),
            "IREVAL_STORE": "results",
        }
        for step in steps:
            text = step["run"].replace("${{ github.sha }}", "3f2a")
            process = subprocess.run(
                ["bash", "-e", "-c", text], cwd=self.path, env=env, capture_output=True, text=True, check=False
            )
            if process.returncode:
                break
        return process


@pytest.fixture
def checkout(tmp_path: Path) -> Checkout:
    return Checkout(tmp_path)


def test_a_baseline_in_the_repository(checkout: Checkout) -> None:
    checkout.search(TFIDF)
    (checkout.path / "gate.toml").write_text('rules = ["AP drop <= 0.01"]\n')
    baseline = {"run": f'ireval evaluate qrels.txt "{BM25}" -m "nDCG@10 AP" -q -o baseline.parquet'}
    process = checkout.run([baseline, *steps("gate.workflow.yml")])
    assert process.returncode == 0, process.stderr
    assert (checkout.path / "gate.md").read_text().startswith("### ✅ gate passed")


def test_a_baseline_in_a_store(checkout: Checkout) -> None:
    every = steps("gate.store.workflow.yml")
    push, pull = ([s for s in every if event in s.get("if", event)] for event in ("'push'", "'pull_request'"))
    push, pull = ([every[0], *part] if every[0] not in part else part for part in (push, pull))
    checkout.search(TFIDF)
    process = checkout.run(push)
    assert process.returncode == 0, process.stderr
    checkout.search(BM25)
    process = checkout.run(pull)
    assert process.returncode == 0, process.stdout + process.stderr
    assert "store:main" in process.stdout
    # Judgments that differ are listed, since those of main were stored.
    qrels = checkout.path / "qrels.txt"
    lines = qrels.read_text().splitlines()
    qrels.write_text("\n".join([*lines[:-1], lines[-1][:-1] + "9"]) + "\n")
    process = checkout.run(pull)
    assert process.returncode == 4
    assert "other judgments: 1 changed" in process.stdout
