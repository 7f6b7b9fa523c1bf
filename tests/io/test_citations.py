"""Answers with citations in JSON lines of TREC RAG."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import ireval_frames as ir
from ireval_frames.errors import FileError, MalformedFile, ReadingWarning

SENTENCES = [{"text": "One two.", "citations": [1, 0, 1]}, {"text": "Three.", "citations": []}, {"text": "Four."}]
RECORD = {"run_id": "a", "topic_id": 7, "references": ["d1", "d2"], "response_length": 4, "answer": SENTENCES}
OF_2025 = {
    "metadata": {"team_id": "t", "run_id": "b", "narrative_id": "7"},
    "references": ["d1", "d2"],
    "answer": [{"text": "One.", "citations": ["d2", "d1"]}],
}


def written(folder: Path, *records: Any) -> Path:
    path = folder / "run.jsonl"
    path.write_text("\n".join(map(json.dumps, records)), "utf-8")
    return path


def test_both_layouts(tmp_path: Path) -> None:
    sentences, citations, answers = ir.io.read_citations(written(tmp_path, RECORD, OF_2025))
    assert sentences.rows() == [
        ("a", "7", 1, "One two."), ("a", "7", 2, "Three."), ("a", "7", 3, "Four."), ("b", "7", 1, "One."),
    ]  # fmt: skip
    assert citations.drop("citation").rows() == [
        ("a", "7", 1, 1, "d2"), ("a", "7", 1, 2, "d1"), ("a", "7", 1, 3, "d2"), ("b", "7", 1, 1, "d2"),
        ("b", "7", 1, 2, "d1"),
    ]  # fmt: skip
    assert answers.rows() == [("a", "7", 3, 4, 2, 4), ("b", "7", 1, 1, 2, None)]


def test_limits_are_told_and_nothing_is_lost(tmp_path: Path) -> None:
    """Python would take the reference −1 for the last one."""
    ids = [f"d{i}" for i in range(21)]
    long = {"text": "word " * 401, "citations": [-1, 21, 3]}
    records = [
        {**RECORD, "references": [*ids, "d0"], "answer": [long]},
        {**RECORD, "run_id": "b", "answer": []},
        {**OF_2025, "references": ids, "answer": [{"text": "One.", "citations": ["elsewhere"]}]},
    ]
    records[2]["metadata"] = {"run_id": "c", "narrative_id": "7"}
    with pytest.warns(ReadingWarning) as caught:
        _, citations, answers = ir.io.read_citations(written(tmp_path, *records))
    (message,) = (str(w.message) for w in caught)
    for part in (
        "1 with more than 400 words (7 of a)",
        "1 with more than 20 references (7 of a)",
        "1 with a reference twice",
        "1 with no sentence (7 of b)",
    ):
        assert part in message, part
    assert "2 with citations of nothing that is a reference (7 of a, 7 of c)" in message
    assert citations.select("doc_id", "citation").rows() == [
        (None, "-1"), ("d0", "21"), ("d3", "3"), (None, "elsewhere"),
    ]  # fmt: skip
    assert answers["n_sentences"].to_list() == [1, 0, 1]


@pytest.mark.parametrize(
    "change, why",
    [
        ({"topic_id": None}, "no topic_id or narrative_id"),
        ({"topic_id": 1.5}, "'topic_id' is 1.5"),
        ({"run_id": ""}, "'run_id' is ''"),
        ({"references": "d1"}, "no references"),
        ({"references": [None]}, "no references"),
        ({"answer": ["One."]}, "no answer, a list of sentences"),
        ({"answer": [{"citations": [0]}]}, "sentence 1 has no text"),
        ({"answer": [{"text": "One.", "citations": 0}]}, "citations of sentence 1 are '0'"),
        ({"answer": [{"text": "One.", "citations": [0.5]}]}, "a citation is 0.5"),
        ({"answer": [{"text": "One.", "citations": [True]}]}, "a citation is True"),
        ({"response_length": "4"}, "response_length is '4'"),
        ({}, "answers the query '7' in a record before it"),
    ],
)
def test_lines_that_are_no_answers(tmp_path: Path, change: dict[str, Any], why: str) -> None:
    with pytest.raises(MalformedFile, match="line 2: .*" + why):
        ir.io.read_citations(written(tmp_path, RECORD, RECORD | ({"topic_id": 8} if change else {}) | change))


def test_an_empty_file(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="empty"):
        ir.io.read_citations(written(tmp_path))
