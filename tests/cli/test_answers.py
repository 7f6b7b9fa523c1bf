"""`ireval answers` on files: what it prints is what Python gives."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

import ireval_frames as ir
from tests.cli.commands import invoke, lines

GOLD, PREDICTED = ir.examples.answers()


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    gold, predicted = tmp_path / "gold.jsonl", tmp_path / "predicted.csv"
    GOLD.with_columns(kind=pl.Series([*"aabbb"])).write_ndjson(gold)
    PREDICTED.write_csv(predicted)
    return gold, predicted


def test_values(files: tuple[Path, Path]) -> None:
    assert lines(invoke("answers", *files)) == ["measure      value", "ExactMatch  0.6000", "TokenF1     0.7000"]
    grouped = lines(invoke("answers", *files, "Contains", "--by", "kind", "--policy", "squad-1.1"))
    assert [line.split() for line in grouped] == [["kind", "Contains"], ["a", "1.0000"], ["b", "0.6667"]]
    assert len(lines(invoke("answers", *files, "ROUGEL(stemming='porter')", "-q"))) == 6
    assert "queries_both" in invoke("answers", *files, "--coverage").stdout


def test_pairs(files: tuple[Path, Path], tmp_path: Path) -> None:
    out = tmp_path / "pairs.parquet"
    invoke("answers", *files, "--pairs", "--normalize", "none", "-o", out)
    assert pl.read_parquet(out).equals(ir.Answers(GOLD, PREDICTED).pairs(normalize="none"))


def test_named_columns_and_errors(tmp_path: Path) -> None:
    gold, predicted = tmp_path / "gold.csv", tmp_path / "predicted.csv"
    gold.write_text("q,right\n1,x\n2,\n", "utf-8")
    predicted.write_text("q,said\n1,the x\n2,\n", "utf-8")
    named = ("--query", "q", "--answer", "right", "--prediction", "said")
    assert lines(invoke("answers", gold, predicted, "EM", *named))[1].split() == ["ExactMatch", "1.0000"]
    failed = invoke("answers", gold, predicted, "EM(normalize='squat')", *named)
    assert failed.exit_code == 2
    failed = invoke("answers", gold, predicted, "EM", "--query", "q")
    assert failed.exit_code == 1
    assert "--column answer=right" in failed.stderr
