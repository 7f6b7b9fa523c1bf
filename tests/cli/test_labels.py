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
    actual = pl.read_csv(
        io.StringIO(invoke("labels", items, "MCC", "Kappa", "--weight", "w", "--by", "fold", "--format", "csv").stdout)
    )
    expected = ir.Labels(FRAME, weight="w", by="fold").evaluate("MCC Kappa").summary()
    assert actual["value"].to_list() == pytest.approx(expected["value"].to_list(), rel=1e-12)


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
    "arguments, code, message",
    [
        (["F1", "--positive", "cat"], 1, "there are 3 classes"),
        (["F1"], 1, "values of every class are --per-class"),
        (["Lam"], 2, "Name it: --positive yes"),
        (["ROCAUC"], 1, "Name it: --score their_name"),
        (["TopK@1"], 1, "--probability cat --probability dog"),
        (["--curve", "roc", "--report"], 2, "one of them"),
        (["--curve", "rock"], 2, "Did you mean roc"),
        (["Acuracy"], 2, "Did you mean"),
        (["MCC", "--label", "nothing"], 1, "no column 'nothing'"),
        (["nDCG@10"], 2, "nDCG is a measure of ranking, not of labels"),
        (["--report", "--confusion"], 2, "one of them"),
        (["MCC", "--format", "trec"], 2, "rankings"),
    ],
)
def test_errors(items: Path, arguments: list[str], code: int, message: str) -> None:
    result = invoke("labels", items, *arguments)
    assert result.exit_code == code
    assert message in result.stderr
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


def test_two_files_and_probabilities(tmp_path: Path) -> None:
    frame = pl.DataFrame(
        {
            "item_id": [1, 2, 3],
            "label": ["a", "b", "c"],
            "a": [0.6, 0.3, 0.2],
            "b": [0.2, 0.3, 0.5],
            "c": [0.2, 0.4, 0.3],
        }
    )
    frame.write_csv(wide := tmp_path / "wide.csv")
    frame.select("item_id", "label").write_csv(gold := tmp_path / "gold.csv")
    frame.select("item_id", prediction=pl.lit("a")).write_csv(guesses := tmp_path / "guesses.csv")
    long = frame.drop("label").unpivot(index="item_id", variable_name="label", value_name="probability")
    long.write_csv(chances := tmp_path / "chances.csv")
    assert lines(invoke("labels", gold, "--predictions", guesses, "SubsetAccuracy"))[1].split() == [
        "SubsetAccuracy",
        "0.3333",
    ]
    measures = ["TopK@1", "LogLoss", "ROCAUC(average='macro')"]
    expected = [
        f"{v:.4f}" for v in ir.Labels(frame, probabilities=["a", "b", "c"]).evaluate(measures).summary()["value"]
    ]
    columns = [a for c in "abc" for a in ("--probability", c)]
    named = [a for c in "abc" for a in ("--probability", f"{c}={c}")]
    for arguments in ([wide, *columns], [wide, *named], [gold, "--probability", chances]):
        assert [row.split()[-1] for row in lines(invoke("labels", *arguments, *measures))[1:]] == expected


def test_curves(tmp_path: Path) -> None:
    frame = ir.examples.scores()
    frame.write_csv(path := tmp_path / "scores.csv")
    actual = pl.read_csv(io.StringIO(invoke("labels", path, "--curve", "roc", "-f", "csv").stdout))
    assert actual["tpr"].to_list() == pytest.approx(ir.Labels(frame).curve("roc")["tpr"].to_list())
    # Files hold zeros and ones as text.
    assert lines(invoke("labels", path, "ROCAUC"))[1].split() == ["ROCAUC", "0.7500"]


def test_a_file_without_a_line(tmp_path: Path) -> None:
    (path := tmp_path / "empty.csv").touch()
    result = invoke("labels", path)
    assert (result.exit_code, "is empty" in result.stderr) == (1, True)


def test_categories(tmp_path: Path) -> None:
    """The hint, followed, gives the value."""
    rows, measure = (
        {"label": ["low", "mid", "high", "low"], "prediction": ["low", "low", "high", "high"]},
        "Kappa(weights='linear')",
    )
    expected = (
        ir.Labels(pl.DataFrame(rows), categories=["low", "mid", "high"]).evaluate(measure).summary()["value"].item()
    )
    grades = {c: [{"low": 1, "mid": 2, "high": 3}[x] for x in of] for c, of in rows.items()}
    for of, scale, name in (
        (rows, "low,mid,high", "x.csv"),
        (rows, "low,mid,high", "x.parquet"),
        (grades, "1,2,3", "y.parquet"),
    ):
        path = tmp_path / name
        getattr(pl.DataFrame(of), "write_parquet" if name.endswith("parquet") else "write_csv")(path)
        actual = invoke("labels", path, measure, "--categories", scale, "--format", "json")
        assert json.loads(actual.stdout)[0]["value"] == pytest.approx(expected)
    refused = invoke("labels", tmp_path / "x.csv", measure)
    assert refused.exit_code == 2
    assert "--categories bad,fair,good" in refused.stderr
