"""`ireval labels` on files: what it prints is what Python gives, and errors end it with the right code."""

from __future__ import annotations

import io
import json
from pathlib import Path

import polars as pl
import pytest

import ireval_frames as ir
from tests.cli.commands import BM25, QRELS, invoke, lines

FRAME = ir.examples.labels().with_columns(fold=pl.col("item_id") % 2, w=pl.col("item_id") + 0.5)


@pytest.fixture(params=["csv", "parquet", "tsv", "jsonl"])
def items(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    path = tmp_path / f"items.{request.param}"
    match request.param:
        case "csv":
            FRAME.write_csv(path)
        case "tsv":
            FRAME.write_csv(path, separator="\t")
        case "jsonl":
            FRAME.write_ndjson(path)
        case _:
            FRAME.write_parquet(path)
    return path


def test_summary(items: Path) -> None:
    assert lines(invoke("labels", items)) == [
        "measure                  value",
        "Accuracy                0.6250",
        "F1(average='macro')     0.6111",
        "F1(average='weighted')  0.6250",
    ]
    found = pl.read_csv(io.StringIO(invoke("labels", items, "MCC", "Kappa", "--weight", "w", "--by", "fold", "--format", "csv").stdout))
    wanted = ir.Labels(FRAME, weight="w", by="fold").evaluate("MCC Kappa").summary()
    assert found["value"].to_list() == pytest.approx(wanted["value"].to_list(), rel=1e-12)


def test_results_of_their_own(items: Path) -> None:
    report = pl.read_csv(io.StringIO(invoke("labels", items, "--report", "--format", "csv").stdout))
    assert report["class_id"].to_list() == ["cat", "cow", "dog", "micro average", "macro average", "weighted average"]
    assert report["f1"].to_list() == pytest.approx(ir.Labels(FRAME).report()["f1"].to_list())
    confusion = json.loads(invoke("labels", items, "--confusion", "--format", "json").stdout)
    assert {(r["label"], r["prediction"]): r["count"] for r in confusion}["cow", "cat"] == 1.0
    classes = lines(invoke("labels", items, "-m", "F1(average='macro')", "--per-class", "--by", "fold"))
    assert classes[0].split(None, 2) == ["fold", "class_id", "F1(average='macro')"]
    assert len(classes) == 7
    assert len(lines(invoke("labels", items, "MCC", "--unit", "fold", "-q"))) == 3


def test_positive_class(items: Path, tmp_path: Path) -> None:
    assert lines(invoke("labels", items, "Precision(average='binary')", "--positive", "cat"))[1].split()[-1] == "0.6667"
    numbers = FRAME.select((pl.col("label") == "cat").cast(pl.Int8), (pl.col("prediction") == "cat").cast(pl.Int8))
    numbers.write_parquet(path := tmp_path / "numbers.parquet")
    assert lines(invoke("labels", path, "Precision", "--positive", "1"))[1].split()[-1] == "0.6667"
    wrong = invoke("labels", path, "Precision", "--positive", "cat")
    assert (wrong.exit_code, "the labels are numbers" in wrong.stderr) == (2, True)


@pytest.mark.parametrize(
    "arguments, code, told",
    [
        (["F1", "--positive", "cat"], 1, "there are 3 classes"),
        (["F1"], 1, "per_class"),
        (["Lam"], 2, "Name it"),
        (["Acuracy"], 2, "Did you mean"),
        (["MCC", "--label", "nothing"], 1, "no column 'nothing'"),
        (["nDCG@10"], 2, "nDCG is a measure of ranking, not of labels"),
        (["--report", "--confusion"], 2, "one of them"),
        (["MCC", "--format", "trec"], 2, "rankings"),
    ],
)
def test_errors(items: Path, arguments: list[str], code: int, told: str) -> None:
    result = invoke("labels", items, *arguments)
    assert result.exit_code == code
    assert told in result.stderr
    assert "Traceback" not in result.stderr


def test_a_file_that_is_not_there() -> None:
    result = invoke("labels", "nothing.csv")
    assert (result.exit_code, "nothing.csv" in result.stderr) == (1, True)


def test_tables_of_something_else() -> None:
    for path in (QRELS, BM25):
        result = invoke("labels", path)
        assert (result.exit_code, "has no column 'label'" in result.stderr) == (1, True), result.output


def test_averages_are_offered_to_measures_that_have_them(items: Path) -> None:
    assert "average" in invoke("labels", items, "F1").stderr
    assert "average" not in invoke("labels", items, "Lam").stderr
