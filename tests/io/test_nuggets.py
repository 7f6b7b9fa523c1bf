"""Records of nuggetizer as tables."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import ireval_frames as ir
from ireval_frames.errors import FileError, MalformedFile
from tests.cli.commands import invoke, lines


def nugget(text: str, importance: str | None = "vital", label: str | None = None) -> dict[str, Any]:
    out = {"text": text, "importance": importance, "assignment": label, "reasoning": "…"}
    return {k: v for k, v in out.items() if v is not None}


def written(path: Path, *records: Any) -> Path:
    path.write_text("\n".join(r if isinstance(r, str) else json.dumps(r) for r in records) + "\n", "utf-8")
    return path


CREATED = {"qid": "q1", "query": "who?", "nuggets": [nugget("a"), nugget("b", "okay"), nugget("never")]}
ONE = {"qid": "q1", "run_id": "x", "response_length": 7, "answer_text": "An answer.",
       "nuggets": [nugget("a", label="support"), nugget("b", "okay", "partial_support")]}  # fmt: skip
OTHER = {"qid": "q1", "run_id": "y", "response_length": 3, "answer_text": "",
         "nuggets": [nugget("b", "okay", "not_support"), nugget("a", label="failed")]}  # fmt: skip


def test_nuggets_and_assignments_of_several_files(tmp_path: Path) -> None:
    created = written(tmp_path / "nuggets.jsonl", CREATED)
    assigned = written(tmp_path / "assigned.jsonl", ONE, "", OTHER)
    nuggets, labels, answers = ir.io.read_nuggets([created, assigned])
    assert nuggets.rows() == [("q1", 1, "vital", "a"), ("q1", 2, "okay", "b"), ("q1", 3, "vital", "never")]
    assert labels.columns == ["run_id", "query_id", "nugget_id", "label"]
    assert labels.rows() == [
        ("x", "q1", 1, "support"), ("x", "q1", 2, "partial_support"),
        ("y", "q1", 2, "not_support"), ("y", "q1", 1, "failed"),
    ]  # fmt: skip
    assert answers.rows() == [("x", "q1", 7, "An answer."), ("y", "q1", 3, "")]
    values = ir.Nuggets(nuggets, labels, answers, policy="nuggetizer").evaluate("V W NuggetPrecision").summary()
    assert values["value"].to_list() == pytest.approx([1.0, 1.25 / 1.5, 1.0, 0.0, 0.0, 1.0])


def test_passages_and_repeated_texts(tmp_path: Path) -> None:
    """A text that a query has twice is two nuggets; ids that are numbers are text."""
    row = {"qid": 3, "docid": "d#1", "candidate_text": "…", "nuggets": [nugget("a", None, "support")] * 2}
    nuggets, labels, answers = ir.io.read_nuggets(written(tmp_path / "p.jsonl", row))
    assert nuggets.select("query_id", "nugget_id").rows() == [("3", 1), ("3", 2)]
    assert labels.rows() == [("d#1", "3", 1, "support"), ("d#1", "3", 2, "support")]
    assert answers.columns == ["doc_id", "query_id", "answer"]
    assert ir.Nuggets(nuggets.drop("importance"), labels, run="doc_id").qrels()["relevance"].to_list() == [1, 1]
    # Nobody is named.
    bare = {k: v for k, v in ONE.items() if k != "run_id"}
    assert ir.io.read_nuggets(written(tmp_path / "q.jsonl", bare))[1].columns == ["query_id", "nugget_id", "label"]
    assert ir.io.read_nuggets(written(tmp_path / "n.jsonl", CREATED))[1].is_empty()


@pytest.mark.parametrize(
    "record, message",
    [
        ({"nuggets": []}, "it has no query"),
        ({"qid": "q"}, "it has no list of nuggets"),
        ({"qid": True, "nuggets": []}, "'qid' is True"),
        ({"qid": "q", "nuggets": [{"importance": "vital"}]}, "a nugget has no text"),
        ({"qid": "q1", "nuggets": [nugget("a", "okay")]}, "the nugget 'a' is okay, and vital in a record before"),
        ({"qid": "q", "nuggets": [nugget("a", label="support")]}, "it has neither a run_id nor a docid, and records"),
        ({"qid": "q", "run_id": "x", "response_length": "7", "nuggets": []}, "response_length is '7'"),
        ({"qid": "q", "nuggets": [{"text": "a", "assignment": 1}], "run_id": "x"}, "the assignment of a nugget is 1"),
        ("{", "it is not JSON"),
    ],
)
def test_bad_records(tmp_path: Path, record: Any, message: str) -> None:
    with pytest.raises(MalformedFile, match=f"line 2: {message}"):
        ir.io.read_nuggets(written(tmp_path / "bad.jsonl", ONE, record))


def test_empty_file(tmp_path: Path) -> None:
    with pytest.raises((FileError, MalformedFile), match="empty"):
        ir.io.read_nuggets(written(tmp_path / "none.jsonl"))


def test_command(tmp_path: Path) -> None:
    path = written(tmp_path / "run.jsonl", ONE, OTHER)
    policy = ("--policy", "failed=not_support")
    assert [line.split() for line in lines(invoke("nuggets", path, path, "V A", *policy))] == [
        ["run_id", "NuggetRecall(level='vital')", "NuggetRecall"], ["x", "1.0000", "0.7500"], ["y", "0.0000", "0.0000"],
    ]  # fmt: skip
    failed = invoke("nuggets", path, path, "V")
    assert failed.exit_code == 1
    assert "--policy failed=not_support" in failed.stderr
    nuggets, labels, _ = ir.io.read_nuggets(path)
    labels.with_columns(label=pl.lit("yes")).write_csv(tmp_path / "labels.csv")
    nuggets.drop("importance").write_csv(tmp_path / "nuggets.csv")
    failed = invoke("nuggets", tmp_path / "nuggets.csv", tmp_path / "labels.csv", "V")
    assert "--importance their_name" in failed.stderr
    failed = invoke("nuggets", tmp_path / "nuggets.csv", tmp_path / "labels.csv", "A")
    assert "'yes'" in failed.stderr


def test_names_with_parameters_are_listed() -> None:
    page = invoke("measures", "v_strict").stdout
    assert "V_strict is NuggetRecall(level='vital', strict=True)" in page
    assert "mean over queries" in page


def test_agreement_by_runs_on_the_command_line(tmp_path: Path) -> None:
    (tmp_path / "nuggets.csv").write_text("query_id,nugget_id\nq1,1\nq1,2\n")
    rows = [("a", 1, "support", "support"), ("a", 2, "support", "not_support"), ("b", 1, "support", "support")]
    labels = [f"{run},q1,{n},{label},{j}" for run, n, *both in rows for j, label in zip("xy", both, strict=True)]
    (tmp_path / "labels.csv").write_text("\n".join(["system,query_id,nugget_id,label,judge", *labels]))
    options = ("--run", "system", "--agreement", "--by", "system", "-f", "csv")
    shown = lines(invoke("nuggets", tmp_path / "nuggets.csv", tmp_path / "labels.csv", *options))
    assert [line.split(",")[:3] for line in shown if "PercentAgreement" in line] == [
        ["a", "PercentAgreement", "0.5"], ["b", "PercentAgreement", "1.0"],
    ]  # fmt: skip
