"""`ireval exposure` on files: what it prints is what Python gives."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

import ireval_frames as ir
from tests.cli.commands import invoke, lines

TABLES = ir.examples.exposure()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, table in TABLES.items():
        table.write_csv(tmp_path / f"{name}.csv")
    return tmp_path


def test_values(folder: Path) -> None:
    files = [word for name in ("groups", "target", "relevant") for word in (f"--{name}", folder / f"{name}.csv")]
    shown = lines(invoke("exposure", folder / "run.csv", *files))
    assert [line.split() for line in shown] == [
        ["measure", "value"], ["ExposureRatio", "0.6453"], ["ExposureGap", "0.2438"], ["AWRF", "0.9792"],
    ]  # fmt: skip
    table = invoke("exposure", folder / "run.csv", *files, "--table", "-f", "csv").stdout.splitlines()
    assert table[0] == "query_id,group,exposure,members,target"
    assert len(table) == 3
    intervals = invoke("exposure", folder / "run.csv", *files, "AWRF", "--intervals", "--resamples", 20)
    assert "one_unit" in intervals.stdout


def test_errors_name_options(folder: Path) -> None:
    failed = invoke("exposure", folder / "run.csv", "AWRF")
    assert failed.exit_code == 2
    assert "--groups groups.csv" in failed.stderr
    failed = invoke("exposure", folder / "run.csv", "--groups", folder / "groups.csv", "AWRF")
    assert "--target target.csv" in failed.stderr
    failed = invoke("exposure", folder / "run.csv", "--groups", folder / "groups.csv", "GroupExposure(group='old')")
    assert failed.exit_code == 2
    assert "no document is in the group 'old'" in failed.stderr
    failed = invoke("exposure", folder / "run.csv", "NumRetrieved", "--gaps")
    assert "--by country" in failed.stderr
    own = folder / "own.csv"
    pl.read_csv(folder / "run.csv").rename({"query_id": "who"}).write_csv(own)
    assert "--column query_id=who" in invoke("exposure", own, "NumRetrieved").stderr
    assert invoke("exposure", own, "NumRetrieved", "--query", "who").exit_code == 0
