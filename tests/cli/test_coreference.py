"""`ireval coreference` on tables and on files of CoNLL."""

from __future__ import annotations

import io
from pathlib import Path

import polars as pl
import pytest

import ireval_frames as ir
from tests.cli.commands import invoke, lines

GOLD, PREDICTED = ir.examples.coreference()
CONLL = "#begin document (d); part 000\na (1)\nb (1)\nc {}\n#end document\n"


@pytest.fixture
def files(tmp_path: Path) -> list[Path]:
    paths = [tmp_path / "gold.csv", tmp_path / "predicted.parquet"]
    GOLD.write_csv(paths[0])
    PREDICTED.write_parquet(paths[1])
    return paths


def test_values(files: list[Path], tmp_path: Path) -> None:
    """The columns of CSV are text, and positions are numbers all the same."""
    assert lines(invoke("coreference", *files, "MUC B3 CEAFe CoNLL")) == [
        "measure   value",
        "MUCF     0.3333",
        "B3F      0.5135",
        "CEAFeF   0.5619",
        "CoNLL    0.4696",
    ]
    out = invoke("coreference", *files, "CoNLL", "--policy", "twinless=drop", "--format", "csv").stdout
    expected = ir.Coreference(GOLD, PREDICTED, policy="twinless=drop").evaluate("CoNLL").summary()
    assert pl.read_csv(io.StringIO(out))["value"].to_list() == pytest.approx(expected["value"].to_list(), rel=1e-12)
    invoke("coreference", *files, "--contingency", "-o", tmp_path / "cells.parquet")
    cells = ir.Coreference(GOLD, PREDICTED).contingency()
    assert pl.read_parquet(tmp_path / "cells.parquet")["count"].to_list() == cells["count"].to_list()
    assert len(lines(invoke("coreference", *files, "CoNLL", "-q"))) == 2
    assert len(lines(invoke("coreference", *files, "--mentions", "--format", "csv"))) == 1 + 8


def test_files_of_conll(tmp_path: Path) -> None:
    gold, predicted = tmp_path / "gold.conll", tmp_path / "predicted.conll"
    gold.write_text(CONLL.format("(1)"))
    predicted.write_text(CONLL.format("(2)"))
    assert lines(invoke("coreference", gold, predicted, "MUCR MUCP")) == [
        "measure   value",
        "MUCR     0.5000",
        "MUCP     1.0000",
    ]


def test_errors(files: list[Path]) -> None:
    result = invoke("coreference", *files, "CoNLL", "--policy", "match=gaps")
    assert result.exit_code == 2
    assert "exact, head, partial" in result.stderr
    result = invoke("coreference", *files, "NMI")
    assert result.exit_code == 2
    assert "NMI is a measure of clusters" in result.stderr
