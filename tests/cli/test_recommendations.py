"""`ireval recommendations` on files: what it prints is what Python gives."""

from __future__ import annotations

import warnings
from pathlib import Path

import polars as pl
import pytest

import ireval_frames as ir
from tests.cli.commands import invoke, lines

TABLES = ir.examples.recommendations()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, table in TABLES.items():
        table.write_csv(tmp_path / f"{name}.csv")
    return tmp_path


def test_values(folder: Path) -> None:
    files = {name: folder / f"{name}.csv" for name in TABLES}
    tables = [word for name in files if name != "recs" for word in (f"--{name}", files[name])]
    shown = lines(invoke("recommendations", files["recs"], *tables, "MAP@3 ItemGini@3"))
    assert [line.split() for line in shown] == [
        ["measure", "value"],
        ["MAP(capped=True)@3", "0.3750"],
        ["ItemGini@3", "0.3182"],
    ]
    assert len(lines(invoke("recommendations", files["recs"], *tables, "ILD@3", "-q"))) == 5
    intervals = invoke("recommendations", files["recs"], *tables, "ItemGini@3", "--intervals", "--resamples", 20)
    assert "ci_low" in intervals.stdout


def test_the_assumed_catalogue_is_told(folder: Path) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("always")
        shown = invoke("recommendations", folder / "recs.csv", "--train", folder / "train.csv", "ItemGini@3")
    assert "The catalogue is taken to be the 6 items" in shown.stderr
    assert "0.3182" in shown.stdout


def test_errors_name_options(folder: Path) -> None:
    failed = invoke("recommendations", folder / "recs.csv", "MIUF@3")
    assert failed.exit_code == 2
    assert "--train train.csv" in failed.stderr
    own = folder / "own.csv"
    pl.read_csv(folder / "recs.csv").rename({"user_id": "who"}).write_csv(own)
    failed = invoke("recommendations", own, "NumRecommended")
    assert failed.exit_code == 1
    assert "--column user_id=who" in failed.stderr
    assert invoke("recommendations", own, "NumRecommended", "--user", "who").exit_code == 0
