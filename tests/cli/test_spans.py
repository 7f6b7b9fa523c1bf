"""`ireval spans` on files: what it prints is what Python gives, and errors end it with the right code."""

from __future__ import annotations

import json
from pathlib import Path

import polars as pl
import pytest

import ireval_frames as ir
from tests.cli.commands import invoke, lines

GOLD, PREDICTED = ir.examples.spans()


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    paths = tmp_path / "gold.csv", tmp_path / "predicted.parquet"
    GOLD.write_csv(paths[0])
    PREDICTED.write_parquet(paths[1])
    return paths


def test_values(files: tuple[Path, Path]) -> None:
    assert lines(invoke("spans", *files)) == [
        "measure     value",
        "Precision  0.4000",
        "Recall     0.4000",
        "F1         0.4000",
    ]
    printed = lines(invoke("spans", *files, "F1(match='partial')", "-q", "--format", "csv"))
    assert printed == ["doc_id,measure,value", "a,F1(match='partial'),0.625", "b,F1(match='partial'),1.0"]


def test_tables(files: tuple[Path, Path], tmp_path: Path) -> None:
    out = tmp_path / "out.parquet"
    subject = ir.Spans(GOLD, PREDICTED)
    for option in ("counts", "report", "errors", "confusion"):
        invoke("spans", *files, f"--{option}", "-o", out)
        assert pl.read_parquet(out).equals(getattr(subject, option)())


def test_options(files: tuple[Path, Path], tmp_path: Path) -> None:
    GOLD.with_columns(pl.col("end") - 1).rename({"type": "kind"}).write_csv(files[0])
    PREDICTED.with_columns(pl.col("end") - 1).rename({"type": "kind"}).write_parquet(files[1])
    documents = tmp_path / "documents.csv"
    pl.DataFrame({"doc_id": ["a", "b"], "genre": ["news", "mail"]}).write_csv(documents)
    printed = invoke(
        "spans", *files, "F1", "--inclusive", "--type", "kind", "--documents", documents, "--by", "genre"
    )  # fmt: skip
    assert [line.split() for line in lines(printed)[1:]] == [["mail", "1.0000"], ["news", "0.2500"]]


def test_annotated_texts_and_tags(tmp_path: Path) -> None:
    for name, end in (("gold", 3), ("predicted", 4)):
        text = f'{{"id": "a", "text": "Ada writes", "label": [[0, {end}, "PER"], [4, 10, "ACT"]]}}\n'
        (tmp_path / f"{name}.jsonl").write_text(text, "utf-8")
    printed = lines(invoke("spans", tmp_path / "gold.jsonl", tmp_path / "predicted.jsonl", "F1(match='partial')"))
    assert printed[1].split()[-1] == "0.7500"
    tokens = tmp_path / "tokens.conll"
    tokens.write_text("Ada x x B-PER B-PER\nwrites x x O I-PER\n\nAda x x B-PER B-PER\n", "utf-8")
    assert "write --tags for tokens" in invoke("spans", tokens, "F1(match='partial')").stderr
    printed = lines(invoke("spans", tokens, "F1", "NumPredicted", "--tags", "--scheme", "IOB2"))
    assert [line.split()[-1] for line in printed[1:]] == ["0.5000", "2.0000"]


def test_errors_end_it(files: tuple[Path, Path]) -> None:
    one = invoke("spans", files[0])
    assert one.exit_code == 2
    assert "gold and predicted spans are two" in one.stderr
    pl.concat([PREDICTED, PREDICTED]).write_parquet(files[1])
    twice = invoke("spans", *files)
    assert twice.exit_code == 1
    assert "--policy duplicates=merge" in twice.stderr
    assert invoke("spans", *files, "--policy", "duplicates=merge").exit_code == 0


def test_ends_that_are_the_last_positions(tmp_path: Path) -> None:
    """The hint names the option, and the option helps."""
    path = tmp_path / "spans.csv"
    path.write_text("doc_id,start,end,type\na,3,3,X\n")
    failed = invoke("spans", path, path, "F1")
    assert failed.exit_code == 1
    assert "write --inclusive" in failed.stderr
    assert lines(invoke("spans", path, path, "F1", "--inclusive"))[1].split() == ["F1", "1.0000"]


def test_fragments_on_one_side(tmp_path: Path) -> None:
    """A span of two fragments never becomes two spans; without fragments another table needs no ids."""
    table = tmp_path / "predicted.csv"
    table.write_text("doc_id,start,end,type\na,0,2,X\na,4,6,X\n")
    gold = tmp_path / "a.ann"
    gold.write_text("T1\tX 0 2\tAb\nT2\tX 4 6\tef\n")
    assert lines(invoke("spans", gold, table, "F1"))[1].split() == ["F1", "1.0000"]
    gold.write_text("T1\tX 0 2;4 6\tAb ef\n")
    failed = invoke("spans", gold, table, "F1")
    assert failed.exit_code == 1
    assert "The predicted table has no column 'span_id'" in failed.stderr


def test_one_more_file_is_no_measure(files: tuple[Path, Path]) -> None:
    for verb in ("spans", "relations", "coreference", "answers"):
        result = invoke(verb, *files, files[1], "F1")
        assert result.exit_code == 2
        assert "predicted.parquet is one more file" in result.stderr
        assert "a column run_id names them" in result.stderr
    result = invoke("citations", *files, files[1])
    assert "--citations FILE" in result.stderr


def test_documents_of_label_studio_by_a_field_of_their_data(tmp_path: Path) -> None:
    result = {"type": "labels", "from_name": "l", "to_name": "t", "id": "r",
              "value": {"start": 0, "end": 3, "labels": ["PER"]}}  # fmt: skip
    task = {"id": 7, "data": {"text": "Ada wrote", "doc_id": "a"}, "annotations": [{"completed_by": 1,
            "result": [result]}]}  # fmt: skip
    gold, predicted = tmp_path / "tasks.json", tmp_path / "predicted.jsonl"
    gold.write_text(json.dumps([task]))
    predicted.write_text('{"id": "a", "text": "Ada wrote", "ents": [{"start": 0, "end": 3, "label": "PER"}]}\n')
    assert lines(invoke("spans", gold, predicted, "F1", "--doc", "doc_id"))[1].split() == ["F1", "1.0000"]
    refused = invoke("spans", gold, predicted, "F1", "--doc", "document")
    assert refused.exit_code == 1
    assert "no data called 'document'" in refused.stderr
