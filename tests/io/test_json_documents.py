"""JSON that is one document: arrays of records, judgments and runs by query, `_rank_eval`, and what is wrong in it."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from pathlib import Path

import duckdb
import pytest

import ireval_frames as ir
from ireval_frames.errors import (
    EngineError,
    FileError,
    MalformedFile,
    MissingColumn,
    NotDefined,
    ReadingWarning,
    WrongType,
)
from ireval_frames.io import describe, read_qrels, read_queries, read_run, scan_table

Put = Callable[..., Path]
BOTH = pytest.mark.parametrize("engine", ["polars", "duckdb"])

RECORDS = """[
  {"query_id": "q1", "docid": "d1", "score": 2.5, "rank": 1},
  {"query_id": "q1", "docid": "d2",
   "score": 1, "rank": 2},

  {"docid": "d1", "query_id": "007", "score": -3, "rank": 1}
]
"""


@pytest.mark.parametrize("name", ["bm25.json", "bm25.run", "bm25.json.gz", "bm25.jsonl"])
def test_arrays_of_records(write_file: Put, name: str) -> None:
    for text in (RECORDS, "\ufeff" + RECORDS, RECORDS.replace("\n", "\r\n"), json.dumps(json.loads(RECORDS))):
        path = write_file(gzip.compress(text.encode()) if name.endswith("gz") else text, name)
        assert read_run(path).rows() == [
            ("bm25", "q1", "d1", 2.5),
            ("bm25", "q1", "d2", 1.0),
            ("bm25", "007", "d1", -3.0),
        ]
        assert read_run(path, rank=True)["rank"].to_list() == [1, 2, 1]
        assert describe(path)[0].format == "json"
    assert read_queries(write_file('[{"qid": 1, "lang": "de"},\n {"qid": "x", "n": 3}]', "q.json")).rows() == [
        ("1", "de", None),
        ("x", None, 3),
    ]


def test_what_is_wrong_in_records_is_reported_by_line(write_file: Put) -> None:
    good = '{"query_id": "q", "doc_id": "d", "score": 1}'
    twice = '{"query_id": "q", "doc_id": "f", "score": 1, "score": 2}'
    text = f'[{good},\n {{"query_id": "q",\n "doc_id": "e", "score": "x"}},\n {{"query_id": "q"}},\n{twice}]'
    with pytest.raises(MalformedFile) as caught:
        read_run(write_file(text, "r.json"))
    report = str(caught.value)
    assert "3 lines do not parse" in report
    for part in (
        'line 2: score "x" is not a number',
        "line 4: 'doc_id' is missing",
        "line 5: it has the key 'score' twice",
    ):
        assert part in report
    with pytest.raises(MalformedFile, match="line 3: it is not JSON"):
        read_run(write_file('[\n{"query_id": "q"},\n{"query_id"},\n', "r.json"))
    with pytest.raises(MissingColumn, match=r"r\.json"):
        read_run(write_file('[{"a": 1, "b": 2}]', "r.json"))


@BOTH
def test_tables_that_are_arrays(write_file: Put, engine: str) -> None:
    path = write_file(
        '[\n{"label": "a", "prediction": "a", "n": 2},\n{"label": "b",\n "prediction": "a", "n": 1}\n]\n', "labels.json"
    )
    actual = ir.Labels(path, engine=engine, weight="n").evaluate("Accuracy")
    assert actual.summary()["value"].item() == pytest.approx(2 / 3)
    if engine == "duckdb":
        assert duckdb.sql(actual.per_unit.sql()).fetchall()[0][-1] == pytest.approx(2 / 3)
    assert scan_table(path).collect().columns == ["label", "prediction", "n"]
    for wrong, line in (
        ('[{"a": 1},\n{"a": 1, "a": 2}]', 2),
        ('[{"a": 1},\n\n3]', 3),
        (f'[{{"a": 1}},\n{{"a": {"9" * 40}}}]', 2),
    ):
        with pytest.raises(MalformedFile, match=f"line {line}: "):
            scan_table(write_file(wrong, "t.json")).collect()


def test_judgments_and_runs_by_query(write_file: Put) -> None:
    flat = write_file('{"q1": {"d1": 1, "d2": 0}, "q2": {"d3": 2}}', "qrels.json")
    long = write_file('{\n  "q1": {\n    "d1": 1,\n    "d2": 0\n  },\n  "q2": {"d3": 2}\n}\n', "long.json")
    for path in (flat, long):
        assert read_qrels(path).rows() == [("q1", "d1", 1), ("q1", "d2", 0), ("q2", "d3", 2)]
        assert read_qrels(path, relevance=float)["relevance"].to_list() == [1.0, 0.0, 2.0]
    run = write_file('{"q1": {"d2": 3.5, "d1": 2}, "q2": {"d3": 0.5}}', "dense.json")
    assert read_run(run).rows() == [("dense", "q1", "d2", 3.5), ("dense", "q1", "d1", 2.0), ("dense", "q2", "d3", 0.5)]
    assert ir.evaluate(flat, run, "RR").summary().select("run_id", "value").rows() == [("dense", 0.75)]
    assert ir.evaluate(flat, run, "RR", engine="duckdb").summary()["value"].to_list() == [0.75]
    with pytest.raises(EngineError, match="which is json"):
        ir.evaluate(flat, run, "RR", engine="duckdb").per_unit.sql()
    lists = write_file('{"q1": ["d2", "d1"],\n "q2": ["d3"]}', "lists.json")
    assert read_run(lists).rows() == [("lists", "q1", "d2", 1), ("lists", "q1", "d1", 2), ("lists", "q2", "d3", 1)]
    assert ir.evaluate(flat, lists, "RR").summary()["value"].to_list() == [0.75]


WRONG = {
    '{"q1": {"d1": 1},\n "q2": {"d1": "x"}}': "line 2: relevance 'x' is not a number",
    '{"q1": {"d1": 1},\n "q2": {"d1": true}}': "line 2: relevance True is not a number",
    '{"q1": {"d1": 1},\n "q2": {"d1": null}}': "line 2: relevance None is not a number",
    '{"q1": {"d1": 1,\n "d1": 2}}': "line 2: it has the key 'd1' twice",
    '{"q1": {"d1": 1},\n\n "q1": {"d2": 2}}': "line 3: it has the key 'q1' twice",
    '{"q1": {"d1": 1},\n "q2": {"d1": NaN}}': "line 2: it holds NaN",
    '{"q1": {"d1": 1},\n "q2": {"": 1}}': "line 2: doc_id is ''",
    '{"q1": {"d1": 1},\n "q2": {"d1": 1}': "line 2: it is not JSON",
    '{"q1": {"d1": 1},\n "q2": ["d1"]}': "JSON of an unknown shape",
    "[[1, 2]]": "JSON of an unknown shape",
    "[]": "is empty",
    '{"q1": ["d1", "d2"]}': "which are a run and no judgments",
    '{"q1": {"d1": 1},\n "q\\ud800": {"d1": 1}}': "line 2: it holds half of a surrogate pair",
    "{}": "is empty",
    '{"error": {"type": "x"}, "status": 400}': "JSON of an unknown shape",
    '{"cells": [], "nbformat": 4}': "JSON of an unknown shape",
}


@pytest.mark.parametrize("text", WRONG)
def test_what_is_wrong_in_documents_is_reported_by_line(write_file: Put, text: str) -> None:
    with pytest.raises(MalformedFile) as caught:
        read_qrels(write_file(text, "qrels.json"))
    assert WRONG[text] in str(caught.value)


def test_grades_that_are_no_integers_are_declared(write_file: Put) -> None:
    path = write_file('{"q1": {"d1": 0.5}}', "qrels.json")
    with pytest.raises(WrongType, match="relevance=float"):
        read_qrels(path)
    assert read_qrels(path, relevance=float)["relevance"].to_list() == [0.5]
    for empty in ('{"q1": {}}', '{"requests": []}'):
        with pytest.raises(FileError, match="it has no rows"):
            read_qrels(write_file(empty, "qrels.json"))
    nothing = "[" * 100_000
    with pytest.raises(MalformedFile, match="not JSON"):
        read_qrels(write_file(nothing, "qrels.json"))


REQUEST = """{
  "requests": [
    {"id": "amsterdam", "request": {"query": {"match": {"text": "amsterdam"}}},
     "ratings": [{"_index": "cities", "_id": "doc1", "rating": 0},
                 {"_index": "cities", "_id": "doc2", "rating": 3},
                 {"_index": "cities", "_id": "doc3", "rating": 1}]},
    {"id": "berlin", "template_id": "match", "params": {"name": "berlin"},
     "ratings": [{"_index": "cities", "_id": "doc1", "rating": 1}]}
  ],
  "metric": {"precision": {"k": 20, "relevant_rating_threshold": 1}}
}"""
RESPONSE = """{
  "metric_score": 0.25,
  "details": {
    "amsterdam": {
      "metric_score": 0.5,
      "unrated_docs": [{"_index": "cities", "_id": "doc9"}],
      "hits": [
        {"hit": {"_index": "cities", "_type": "_doc", "_id": "doc9", "_score": 7.5}, "rating": null},
        {"hit": {"_index": "cities", "_type": "_doc", "_id": "doc2", "_score": 5.25}, "rating": 3}
      ],
      "metric_details": {"precision": {"relevant_docs_retrieved": 1, "docs_retrieved": 2}}
    },
    "berlin": {
      "metric_score": 0.0, "unrated_docs": [{"_index": "cities", "_id": "doc8"}],
      "hits": [{"hit": {"_index": "cities", "_id": "doc8", "_score": 1.0}, "rating": null}]
    }
  },
  "failures": {}
}"""


@BOTH
def test_requests_and_responses_of_rank_eval(write_file: Put, engine: str) -> None:
    request, response = write_file(REQUEST, "request.json"), write_file(RESPONSE, "elastic.json")
    assert read_qrels(request).rows() == [
        ("amsterdam", "doc1", 0), ("amsterdam", "doc2", 3), ("amsterdam", "doc3", 1), ("berlin", "doc1", 1),
    ]  # fmt: skip
    assert read_run(response, rank=True).rows() == [
        ("elastic", "amsterdam", "doc9", 7.5, 1), ("elastic", "amsterdam", "doc2", 5.25, 2),
        ("elastic", "berlin", "doc8", 1.0, 1),
    ]  # fmt: skip
    actual = ir.evaluate(request, response, "AP RR P@2 R@2", engine=engine)
    assert actual.per_unit()["value"].to_list() == [0.25, 0.5, 0.5, 0.5, 0.0, 0.0, 0.0, 0.0]
    with pytest.warns(ReadingWarning, match="has the judgments of its own hits only.*Of 1 queries no hit is rated"):
        alone = ir.evaluate(response, response, "RR P@2 DCG Success@5", engine=engine).per_unit()
    assert alone["value"].to_list()[:2] == [0.5, 0.5]
    for measure in ("AP", "P@2 R@2", "nDCG@5", "Rprec", "Bpref", "NumRel", "IPrec@0.5", "nERR@3", "SetF"):
        with pytest.warns(ReadingWarning), pytest.raises(NotDefined, match=rf"{measure.split()[-1]} needs it"):
            ir.evaluate(response, response, measure, engine=engine).summary()
    with pytest.warns(ReadingWarning):
        judged = read_qrels(response)
    assert judged.rows() == [("amsterdam", "doc2", 3, True)]
    with pytest.raises(NotDefined, match="AP needs it"):
        ir.evaluate(judged, response, "AP", engine=engine).summary()
    with pytest.raises(NotDefined, match="no_relevant='null'"):
        ir.evaluate(judged, response, "P@1", engine=engine, policy="no_relevant=null").summary()


def test_what_is_wrong_in_rank_eval_is_reported(write_file: Put) -> None:
    with pytest.raises(MalformedFile, match="holds judgments, and no run"):
        read_run(write_file(REQUEST, "request.json"))
    with pytest.raises(MalformedFile, match="line 5: relevance 'high' is not a number"):
        read_qrels(write_file(REQUEST.replace('"rating": 3', '"rating": "high"'), "request.json"))
    with pytest.raises(MalformedFile, match="line 3: a request has no id"):
        read_qrels(write_file(REQUEST.replace('"id": "amsterdam"', '"name": "amsterdam"'), "request.json"))
    with pytest.raises(MalformedFile, match="line 8: doc_id is None"):
        read_run(write_file(RESPONSE.replace('"_id": "doc9", "_score"', '"id": "doc9", "_score"'), "response.json"))
    sorted_by_field = write_file(RESPONSE.replace('"_score": 7.5', '"_score": null'), "response.json")
    assert read_run(sorted_by_field, run_id=None).columns == ["query_id", "doc_id", "rank"]
    failed = RESPONSE.replace('"failures": {}', '"failures": {"paris": {"error": {"type": "x"}}}')
    with pytest.warns(ReadingWarning, match="of 1 queries the search failed.*paris"):
        read_run(write_file(failed, "response.json"))


def test_lines_of_json_are_no_document(write_file: Put) -> None:
    line = '{"query_id": "q", "doc_id": "d", "score": 1}\n'
    for text in (line, line * 2, line[:-1], "\n" + line):
        assert describe(write_file(text, "r.json"))[0].format == "jsonl"
    with pytest.raises(MalformedFile, match="line 1"):
        read_run(write_file('{"query_id": "q",,}\n' + line, "r.json"))
