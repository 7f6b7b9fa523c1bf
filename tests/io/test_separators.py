"""What separates fields is seen in the header; blanks around fields, and keys that stand twice, are read one way."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import duckdb
import pytest

import ireval_frames as ir
from ireval_frames.errors import MalformedFile, MissingColumn
from ireval_frames.io import describe, read_qrels, read_queries, read_run, scan_table
from ireval_frames.io.text.delimited import Delimited

Put = Callable[..., Path]
HEADER, ROWS = "query_id,doc_id,score", ["q1,d1,2.5", "q1,d2,1", "007,NA,-3"]
READ = [("q1", "d1", 2.5), ("q1", "d2", 1.0), ("007", "NA", -3.0)]


@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
@pytest.mark.parametrize("name", ["r.csv", "r.tsv", "r.txt"])
def test_separators(write_file: Put, separator: str, name: str) -> None:
    path = write_file("\n".join([HEADER, *ROWS]).replace(",", separator), name)
    assert read_run(path, run_id=None).rows() == READ
    assert describe(path)[0].separator == separator
    assert scan_table(path).collect().rows() == [tuple(row.split(",")) for row in ROWS]
    graded = write_file("qid,docno,label\nq1,d1,2\nq1,d2,0\n".replace(",", separator), f"q{name}")
    assert read_qrels(graded).rows() == [("q1", "d1", 2), ("q1", "d2", 0)]
    assert read_queries(write_file("qid,lang\nq1,de\n".replace(",", separator), f"l{name}")).rows() == [("q1", "de")]
    e = ir.evaluate(graded, path, "AP RR", engine="duckdb", policy="missing=skip")
    assert [row[-1] for row in duckdb.sql(e.per_unit.sql()).fetchall()] == e.per_unit()["value"].to_list()
    labels = write_file('"label";prediction\n"a;b";a\n'.replace(";", separator), f"labels{name}")
    actual = ir.Labels(labels, engine="duckdb").evaluate("NumItems Accuracy")
    assert (
        actual.summary()["value"].to_list()
        == [row[1] for row in duckdb.sql(actual.per_unit.sql()).fetchall()]
        == [1, 0]
    )


def test_the_line_of_excel_is_passed_over(write_file: Put) -> None:
    for first in ("sep=;", '"sep=;"', "SEP=;"):
        path = write_file(f"\ufeff{first}\r\nquery_id;doc_id;relevance\r\nq;d;1\r\n", "qrels.csv")
        assert read_qrels(path).rows() == [("q", "d", 1)]
        labels = write_file(f"{first}\nlabel;prediction\na;a\nb;a\n", "labels.csv")
        actual = ir.Labels(labels, engine="duckdb").evaluate("Accuracy")
        assert actual.summary()["value"].item() == duckdb.sql(actual.per_unit.sql()).fetchall()[0][-1] == 0.5
    with pytest.raises(MalformedFile, match="line 4: "):
        read_qrels(write_file("sep=;\nquery_id;doc_id;relevance\nq;d;1\nq;e\n", "qrels.csv"))


def test_other_separators_are_reported(write_file: Put) -> None:
    with pytest.raises(MissingColumn, match=r"its columns: topic, text, mark(.|\n)*columns="):
        read_qrels(write_file("topic;text;mark\n1;2;3\n", "a.csv"))
    with pytest.raises(MalformedFile, match="line 3: score '0,5' is not a number: the decimal separator is a point"):
        read_run(write_file("query_id;doc_id;score\nq;d;1\nq;e;0,5\n", "a.csv"))
    with pytest.raises(MalformedFile, match="line 2: 1 field where the header has 3"):
        read_run(write_file("query_id,doc_id,score\nq;d;1\n", "a.csv"))


PADDED = {
    "behind commas": (", ", ""),
    "before commas": (" ,", ""),
    "at ends": (",", "  "),
    "everywhere": ("  ,  ", " "),
    "tabs": ("\t,\t", "\t"),
}


@pytest.mark.parametrize("blanks", PADDED)
def test_blanks_around_fields_are_none_of_theirs(write_file: Put, blanks: str) -> None:
    between, end = PADDED[blanks]
    text = "\n".join(end + line.replace(",", between) + end for line in (HEADER, *ROWS)) + "\n"
    path, graded = (
        write_file(text, "r.csv"),
        write_file(f"query_id{between}doc_id{between}rel\nq1{between}d1{between}1\n", "q.csv"),
    )
    assert read_run(path, run_id=None).rows() == READ
    assert scan_table(path).collect().rows() == [tuple(row.split(",")) for row in ROWS]
    for engine in ("polars", "duckdb"):
        e = ir.evaluate(graded, path, "AP", engine=engine, policy="missing=skip")
        assert e.summary()["value"].item() == 1.0
    assert [row[-1] for row in duckdb.sql(e.per_unit.sql()).fetchall()] == [1.0]
    labels = write_file(f"label{between}prediction\n{end}a{between}a{end}\n{end}b{between}a{end}\n", "labels.csv")
    assert ir.Labels(labels).evaluate("Accuracy").summary()["value"].item() == 0.5


def test_blanks_between_quotes_are_meant(write_file: Put) -> None:
    path = write_file('query_id, "doc_id", score\nq1, " d1, ", 2.5\n  q1 ,d2 ,1\nq1, "say ""a "" b",1 \n', "r.csv")
    assert read_run(path, run_id=None).rows() == [("q1", " d1, ", 2.5), ("q1", "d2", 1.0), ("q1", 'say "a " b', 1.0)]
    assert scan_table(path).collect()["doc_id"].to_list() == [" d1, ", "d2", 'say "a " b']
    assert scan_table(write_file("a, b\n1,   \n", "n.csv")).collect().rows() == [("1", None)]
    with pytest.raises(MalformedFile, match="line 3: doc_id is empty"):
        read_run(write_file("query_id,doc_id,score\nq,d,1\nq,  ,1\n", "r.csv"))


def test_padded_lines_stay_quick(write_file: Put, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Delimited, "exact", lambda *_: pytest.fail("read line by line"))
    assert read_run(write_file("query_id, doc_id, score\n" + "q1, d1, 2.5\n" * 3, "r.csv")).height == 3


TWICE = [
    '{"query_id": "q", "doc_id": "d", "score": 1, "score": 2}',
    '{"query_id": "q", "doc_id": "d", "doc_id": "e", "score": 1}',
    '{"query_id":"q","doc_id":"d","score":1,"sc\\u006fre":2}',
]


@pytest.mark.parametrize("line", TWICE)
@pytest.mark.parametrize(
    "other", ['{"query_id": "q", "doc_id": "x", "score": 1}', '{"score": 1.5, "query_id": 1, "doc_id": "x"}']
)
def test_a_key_that_stands_twice_is_reported(write_file: Put, line: str, other: str) -> None:
    path = write_file(f"{other}\n{line}\n", "r.jsonl")
    for read in (read_run, lambda p: read_queries(p, {"query_id": "query_id"}), lambda p: scan_table(p).collect()):
        with pytest.raises(MalformedFile, match=r"line 2: it has the key '(score|doc_id)' twice"):
            read(path)


def test_keys_of_other_objects_are_not_twice(write_file: Put) -> None:
    path = write_file(
        '{"query_id": "q", "doc_id": "d", "score": 1, "more": {"score": 2}, "say": "\\"score\\": 3"}\n' * 2, "r.jsonl"
    )
    assert read_run(path)["score"].to_list() == [1.0, 1.0]
    assert scan_table(path).collect()["score"].to_list() == [1, 1]
