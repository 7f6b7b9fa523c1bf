"""Folders of BEIR and MTEB, and their files: each part is read by its own reader, others are named."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import ireval_frames as ir
from ireval_frames.errors import FileError, MalformedFile, MissingColumn
from ireval_frames.io import read_documents, read_qrels, read_queries, read_run

DOCUMENTS = [{"_id": "d1", "title": "One", "text": "a b", "metadata": {}}, {"_id": "d2", "title": "", "text": "c"}]
QUERIES = [{"_id": "7", "text": "what is it", "metadata": {}}, {"_id": "8", "text": "who"}]
JUDGED = pl.DataFrame({"query-id": ["7", "7"], "corpus-id": ["d1", "d2"], "score": [1.0, 0.0]})
RUN = pl.DataFrame({"query_id": ["7", "7"], "doc_id": ["d2", "d1"], "score": [2.0, 1.0]})


def lines(records: list[dict[str, Any]]) -> bytes:
    return "".join(json.dumps(record) + "\n" for record in records).encode()


def beir(folder: Path) -> Path:
    (folder / "qrels").mkdir(parents=True)
    (folder / "corpus.jsonl.gz").write_bytes(gzip.compress(lines(DOCUMENTS)))
    (folder / "queries.jsonl").write_bytes(lines(QUERIES))
    (folder / ".cache").mkdir()
    (folder / "README.md").write_text("# made\n")
    JUDGED.cast({"score": pl.Int64}).write_csv(folder / "qrels" / "test.tsv", separator="\t")
    return folder


def parquet(folder: Path) -> Path:
    for name in ("data", "corpus", "queries"):
        (folder / name).mkdir(parents=True)
    JUDGED.head(1).write_parquet(folder / "data" / "test-00000-of-00002.parquet")
    JUDGED.tail(1).write_parquet(folder / "data" / "test-00001-of-00002.parquet")
    pl.DataFrame(DOCUMENTS).drop("metadata").write_parquet(folder / "corpus" / "corpus-00000-of-00001.parquet")
    pl.DataFrame(QUERIES).drop("metadata").write_parquet(folder / "queries" / "queries-00000-of-00001.parquet")
    return folder


def json_lines(folder: Path) -> Path:
    (folder / "qrels").mkdir(parents=True)
    (folder / "en-corpus.jsonl").write_bytes(lines(DOCUMENTS))
    (folder / "en-queries.jsonl").write_bytes(lines(QUERIES))
    (folder / "qrels" / "test.jsonl").write_bytes(lines(JUDGED.to_dicts()))
    return folder


@pytest.mark.parametrize("make", [beir, parquet, json_lines])
def test_parts_of_a_folder(tmp_path: Path, make: Callable[[Path], Path]) -> None:
    folder = make(tmp_path / "scifact")
    assert read_qrels(folder).rows() == [("7", "d1", 1), ("7", "d2", 0)]
    assert read_qrels(str(folder), relevance=float)["relevance"].to_list() == [1.0, 0.0]
    assert read_queries(folder).select("query_id", "text").rows() == [("7", "what is it"), ("8", "who")]
    assert read_documents(folder).select("doc_id", "title", "text").rows() == [("d1", "One", "a b"), ("d2", "", "c")]
    for engine in ("polars", "duckdb"):
        assert ir.evaluate(str(folder), RUN, "RR", engine=engine).summary()["value"].item() == 0.5
    with pytest.raises(FileError, match="is the folder of a collection, which has no runs"):
        read_run(folder)


def test_the_split_is_named(tmp_path: Path) -> None:
    folder = beir(tmp_path / "scifact")
    (folder / "qrels" / "dev.tsv").write_bytes((folder / "qrels" / "test.tsv").read_bytes())
    with pytest.raises(FileError, match=r"several files of judgments: qrels/dev\.tsv, qrels/test\.tsv") as caught:
        read_qrels(folder)
    assert f'Name one: ir.io.read_qrels("{folder}/qrels/test.tsv")' in caught.value.hint
    assert read_qrels(folder / "qrels" / "test.tsv").height == 2


def test_what_a_folder_lacks(tmp_path: Path) -> None:
    folder = beir(tmp_path / "scifact")
    (folder / "queries.jsonl").unlink()
    with pytest.raises(
        FileError, match=r"without queries; it has README\.md, corpus\.jsonl\.gz, qrels\.\n.*queries\.jsonl"
    ):
        read_queries(folder)
    (folder / "qrels" / "test.tsv").unlink()
    with pytest.raises(FileError, match="has no files of judgments"):
        read_qrels(folder)
    (tmp_path / "other").mkdir()
    RUN.write_parquet(tmp_path / "other" / "a.parquet")
    assert read_run(tmp_path / "other").height == 2


@pytest.mark.parametrize(
    "name, content, words",
    [
        ("corpus.jsonl", lines(DOCUMENTS), "has documents"),
        ("one.jsonl", lines(DOCUMENTS[:1]), "has documents"),
        ("queries.jsonl", lines(QUERIES), "has queries or documents"),
        ("queries.csv", b"query_id,text\n7,who\n", "has queries"),
        ("docs.tsv", b"doc_id\ttext\nd1\tx\n", "has documents"),
    ],
)
def test_texts_are_named_for_what_they_are(tmp_path: Path, name: str, content: bytes, words: str) -> None:
    (tmp_path / name).write_bytes(content)
    for read in (read_qrels, read_run):
        with pytest.raises(MissingColumn, match=rf"{words} \(its columns: .*, and .* read(.|\n)*.*ir\.io\.scan_"):
            read(tmp_path / name)


def test_tables_of_pairs_are_no_queries(tmp_path: Path) -> None:
    for columns, words in (("score", "judgments or a run"), ("grade", "judgments"), ("rank,score", "a run")):
        path = tmp_path / "table.csv"
        path.write_text(f"query_id,doc_id,{columns}\nq,d{',1' * len(columns.split(','))}\n")
        for read, what in ((read_queries, "queries"), (read_documents, "documents")):
            with pytest.raises(FileError, match=rf"has {words} \(its columns: .*{what} are read"):
                read(path)
    assert read_queries(path, {"query_id": "query_id"}).height == 1
    (tmp_path / "corpus.jsonl").write_bytes(lines(DOCUMENTS))
    with pytest.raises(FileError, match=r'has documents(.|\n)*If it has queries: columns={"query_id": "_id"}'):
        read_queries(tmp_path / "corpus.jsonl")
    assert read_queries(tmp_path / "corpus.jsonl", {"query_id": "_id"}).height == 2


def test_grades_that_are_no_whole_numbers(tmp_path: Path) -> None:
    half = JUDGED.with_columns(score=pl.Series([1.0, 0.5]))
    half.write_parquet(tmp_path / "half.parquet")
    (tmp_path / "half.jsonl").write_bytes(lines(half.to_dicts()))
    for name in ("half.parquet", "half.jsonl"):
        with pytest.raises((ir.errors.WrongType, MalformedFile), match="relevance=float"):
            read_qrels(tmp_path / name)
        assert read_qrels(tmp_path / name, relevance=float)["relevance"].to_list() == [1.0, 0.5]
