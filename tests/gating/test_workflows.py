"""The workflows in `docs/` run as they stand: their commands are those of `ireval`."""

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
    """The steps of the one job that run something after the package is installed."""
    told = yaml.safe_load((ROOT / "docs" / name).read_text())
    (job,) = told["jobs"].values()
    return [s for s in job["steps"] if "run" in s and not s["run"].startswith("pip ")]


class Checkout:
    """A repository with judgments and a search, in which steps are run as on the service."""

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

    def done(self, wanted: list[dict[str, Any]]) -> subprocess.CompletedProcess[str]:
        """Run steps one after another; the last one that ran."""
        env = {
            **os.environ,
            "PATH": f"{self.path / 'bin'}:{os.environ['PATH']}",
            "PYTHONPATH": str(ROOT),
            "IREVAL_STORE": "results",
        }
        for step in wanted:
            text = step["run"].replace("${{ github.sha }}", "3f2a")
            found = subprocess.run(
                ["bash", "-e", "-c", text], cwd=self.path, env=env, capture_output=True, text=True, check=False
            )
            if found.returncode:
                return found
        return found


@pytest.fixture
def checkout(tmp_path: Path) -> Checkout:
    return Checkout(tmp_path)


def test_a_baseline_in_the_repository(checkout: Checkout) -> None:
    checkout.search(TFIDF)
    (checkout.path / "gate.toml").write_text('rules = ["AP drop <= 0.01"]\n')
    made = {"run": f'ireval evaluate qrels.txt "{BM25}" -m "nDCG@10 AP" -q -o baseline.parquet'}
    actual = checkout.done([made, *steps("gate.workflow.yml")])
    assert actual.returncode == 0, actual.stderr
    assert (checkout.path / "gate.md").read_text().startswith("### ✅ gate passed")


def test_a_baseline_in_a_store(checkout: Checkout) -> None:
    told = steps("gate.store.workflow.yml")
    pushed, pulled = ([s for s in told if event in s.get("if", event)] for event in ("'push'", "'pull_request'"))
    pushed, pulled = ([told[0], *part] if told[0] not in part else part for part in (pushed, pulled))
    checkout.search(TFIDF)
    first = checkout.done(pushed)
    assert first.returncode == 0, first.stderr
    checkout.search(BM25)
    actual = checkout.done(pulled)
    assert actual.returncode == 0, actual.stdout + actual.stderr
    assert "store:main" in actual.stdout
    # Other judgments are told one by one, since those of main were kept.
    qrels = checkout.path / "qrels.txt"
    lines = qrels.read_text().splitlines()
    qrels.write_text("\n".join([*lines[:-1], lines[-1][:-1] + "9"]) + "\n")
    changed = checkout.done(pulled)
    assert changed.returncode == 4
    assert "other judgments: 1 changed" in changed.stdout
