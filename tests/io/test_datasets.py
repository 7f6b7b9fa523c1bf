"""Datasets of ir_datasets, with a stand-in for the package."""

from __future__ import annotations

import sys
from types import ModuleType
from typing import NamedTuple

import pytest

from ireval_frames.errors import FileError, MissingColumn, UnknownName
from ireval_frames.io import read_documents, read_qrels, read_queries, read_run, scan_qrels


class Qrel(NamedTuple):
    query_id: str
    doc_id: str
    relevance: int
    iteration: str


class SubQrel(NamedTuple):
    query_id: str
    doc_id: str
    relevance: int
    subtopic_id: str


class Scored(NamedTuple):
    query_id: str
    doc_id: str
    score: float


class Query(NamedTuple):
    query_id: str
    text: str


class Page(NamedTuple):
    doc_id: str
    url: str
    body: str
    anchors: list[str]


class Dataset:
    """A dataset that counts how often it is read."""

    def __init__(self, qrels, scored=()):
        self.qrels, self.scored, self.reads = qrels, scored, 0

    def has_qrels(self):
        return bool(self.qrels)

    def has_scoreddocs(self):
        return bool(self.scored)

    def has_queries(self):
        return True

    def has_docs(self):
        return True

    def docs_cls(self):
        return Page

    def qrels_cls(self):
        return type(self.qrels[0])

    def queries_cls(self):
        return Query

    def qrels_iter(self):
        self.reads += 1
        return iter(self.qrels)

    def scoreddocs_iter(self):
        return iter(self.scored)

    def queries_iter(self):
        return iter([Query("q1", "two words")])

    def docs_iter(self):
        return iter([Page("d1", "http://x", "a text", [])])


@pytest.fixture
def known(monkeypatch):
    known = {
        "adhoc/x": Dataset([Qrel("q1", "d1", 1, "0"), Qrel("007", "NA", 2, "3")], [Scored("q1", "d1", 1.5)]),
        "div": Dataset([SubQrel("q1", "d1", 1, "4")]),
    }
    module = ModuleType("ir_datasets")
    module.load = known.__getitem__
    monkeypatch.setitem(sys.modules, "ir_datasets", module)
    monkeypatch.setattr("ireval_frames.io.datasets.BATCH", 1)
    return known


@pytest.mark.parametrize("prefix", ["irds:", "ir_datasets:"])
@pytest.mark.usefixtures("known")
def test_judgments(prefix):
    assert read_qrels(prefix + "adhoc/x").rows() == [("q1", "d1", 1), ("007", "NA", 2)]
    assert read_qrels(prefix + "adhoc/x", second="subtopic_id", relevance=float).rows() == [
        ("q1", "d1", 1.0, "0"),
        ("007", "NA", 2.0, "3"),
    ]
    assert read_qrels(prefix + "div").columns == ["query_id", "doc_id", "relevance", "subtopic_id"]


@pytest.mark.usefixtures("known")
def test_runs_and_queries():
    assert read_run("irds:adhoc/x").rows() == [("adhoc/x", "q1", "d1", 1.5)]
    assert read_run("irds:adhoc/x", run_id=None).rows() == [("q1", "d1", 1.5)]
    assert read_queries("irds:adhoc/x").to_dicts() == [{"query_id": "q1", "text": "two words"}]
    assert read_documents("irds:adhoc/x").to_dicts() == [{"doc_id": "d1", "url": "http://x", "text": "a text"}]


def test_lazy(known):
    frame = scan_qrels("irds:adhoc/x")
    assert known["adhoc/x"].reads == 0
    assert frame.select("doc_id").collect().rows() == [("d1",), ("NA",)]


@pytest.mark.usefixtures("known")
def test_errors():
    with pytest.raises(UnknownName, match="no dataset 'other'"):
        read_qrels("irds:other")
    with pytest.raises(MissingColumn, match="no scoreddocs"):
        read_run("irds:div")
    with pytest.raises(MissingColumn, match="no assessor_id"):
        read_qrels("irds:div", second="assessor_id")


def test_not_installed(monkeypatch):
    monkeypatch.setitem(sys.modules, "ir_datasets", None)
    with pytest.raises(FileError, match=r"pip install ireval-frames\[datasets\]"):
        read_qrels("irds:adhoc/x")
