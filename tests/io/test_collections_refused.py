"""Files of test collections that are refused: of another kind, of two kinds, with wrong lines, damaged."""

from __future__ import annotations

import random
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import polars as pl
import pytest

import ireval_frames as ir
from ireval_frames.errors import FileError, InvalidParameter, MalformedFile
from tests.io.test_collections import FILES, read

Put = Callable[..., Path]


@pytest.mark.parametrize(
    "what, name, message",
    [
        ("run", "time/TIME.QUE", "has queries of TIME, and a run is read"),
        ("run", "topics/early.txt", "has topics of TREC, and a run is read"),
        ("qrels", "npl/doc-text", "has documents of NPL or queries of NPL, and judgments are read"),
        ("queries", "npl/rlv-ass", "has judgments of NPL, and queries are read"),
        ("queries", "lisa/LISA0.001", "has documents of LISA, and queries are read"),
        ("documents", "topics/clef.xml", "has topics of TREC, and documents are read"),
        ("qrels", "documents/news.sgml", "has documents of TREC, and judgments are read"),
    ],
)
def test_files_of_another_kind_are_named(what: str, name: str, message: str) -> None:
    with pytest.raises(FileError, match=message) as caught:
        getattr(ir.io, f"read_{what}")(FILES / name)
    # The line to write works.
    line = str(caught.value.hint).partition("ir.io.")[2].partition("(")[0]
    assert read(line.removeprefix("read_"), FILES / name)[0].height >= 4


def test_lines_that_fit_two_collections_are_refused(write_file: Put) -> None:
    path = write_file("1 2 5 7\n2 1 9\n", "x.rel")
    with pytest.raises(MalformedFile, match=r'judgments of LISA or judgments of TIME(.|\n)*format="time"'):
        ir.read_qrels(path)
    assert read("qrels", path, format="lisa")[0].rows() == [("1", "5", 1), ("1", "7", 1), ("2", "9", 1)]
    assert read("qrels", path, format="time")[0].height == 5


@pytest.mark.parametrize(
    "what, text, message",
    [
        ("documents", ".I 1\n.W\na\n.I 1\n.W\nb\n", "line 4: the document '1' is in line 1, too: '.I 1'"),
        ("documents", ".I 1\nstray\n.W\na\n", "line 2: it stands before the first tag: 'stray'"),
        ("documents", "<DOC>\n<DOCNO>1</DOCNO>a</DOC>\n<DOC>b</DOC>\n", "line 3: the document has no <DOCNO>"),
        ("queries", "<top>\n<title>a\n</top>\n", "line 1: the topic has no number"),
        ("queries", "*FIND   1\na\n*FIND   1\nb\n", "line 3: the query '1' is in line 1, too"),
        ("qrels", "1\n 5 x7\n/\n2\n 4 5\n/\n", "line 2: 'x7' is no number of a document"),
        ("qrels", "Query 1\n2 Relevant Refs:\n5 7\nQuery 2\n1 Relevant Refs:\n4 -1\n", "does not end with -1"),
        (
            "qrels",
            "QN 00001\nQU a\nNR 00002\nRD  5 0301  7 0001\n",
            "score '0301' of the document 5 is not four digits",
        ),
        ("qrels", "QN 00001\nQU a\nNR 00003\nRD  5 0001  7 0001\n", "has 2 documents, and the file says '00003'"),
    ],
)
def test_wrong_lines_are_named(write_file: Put, what: str, text: str, message: str) -> None:
    path = write_file(text, "x.txt")
    known = {"1\n 5 x": "npl"}.get(text[:6], "auto")
    with pytest.raises(MalformedFile) as caught:
        getattr(ir.io, f"read_{what}")(path, format=known)
    assert message in str(caught.value)


def test_formats_have_no_files_of_everything(write_file: Put) -> None:
    path = write_file("1 2\n")
    with pytest.raises(FileError, match="has no record of its format; it begins with '1 2'"):
        ir.io.read_queries(path, format="trec")
    with pytest.raises(InvalidParameter, match="'lisa' is a format of documents, queries, judgments"):
        ir.read_run(path, format="lisa")
    with pytest.raises(InvalidParameter, match="'colon' is a format of queries"):
        ir.read_qrels(path, format="colon")


def test_damaged_files_are_read_or_refused(write_file: Put) -> None:
    draw = random.Random(7)
    files = sorted(p for p in FILES.rglob("*") if p.is_file() and p.suffix not in (".py", ".md"))
    for n in range(120):
        content = files[n % len(files)].read_bytes()
        for _ in range(draw.randint(1, 4)):
            at = draw.randrange(len(content) + 1)
            inserted = draw.choice([b"\n", b"<top>", b".I 3\n", b"/\n", b"<DOC>", b"-1", b"\xff", b'<Item score="'])
            content = content[:at] + draw.choice([b"", inserted]) + content[at + draw.randint(0, 30) :]
        path = write_file(content, "damaged")
        for what in ("documents", "queries", "qrels"):
            with suppress(ir.errors.IrevalError):
                read(what, path)


@pytest.mark.parametrize("qrels, queries", [("lisa/LISA.REL", None), ("smart/CISI.REL", "topics/web.xml")])
def test_sql_text_does_not_read_them(tmp_path: Path, qrels: str, queries: str | None) -> None:
    run = pl.DataFrame({"query_id": ["1", "2"], "doc_id": ["1", "2"], "score": [1.0, 2.0]})
    run.write_parquet(tmp_path / "run.parquet")
    judged = pl.DataFrame({"query_id": ["1"], "doc_id": ["1"], "relevance": [1]})
    judged.write_parquet(tmp_path / "qrels.parquet")
    paths = (FILES / qrels, None) if queries is None else (tmp_path / "qrels.parquet", FILES / queries)
    by = None if queries is None else "type"
    ev = ir.evaluate(paths[0], tmp_path / "run.parquet", "P@1", queries=paths[1], by=by, engine="duckdb")
    assert ev.summary()["value"].drop_nulls().len() >= 1
    with pytest.raises(ir.errors.EngineError, match=r"SQL text cannot read .* which is \w+\.\n.*parquet"):
        ev.summary.sql()


def test_what_is_assumed_of_lists_is_told(write_file: Put) -> None:
    frame, (message,) = read("qrels", write_file("1  5 7\n\n2\n\n3  9\n", "TIME.REL"))
    assert frame.height == 3
    assert "queries without documents have no judgments here: 2." in message
    words = "Query 1\n3 Relevant Refs:\n5 7 -1\n"
    _, (message,) = read("qrels", write_file(words, "LISA.REL"))
    assert message.endswith("of 1 of the queries: 1 (3, 2 listed).")


def test_numbers_of_thousands_of_digits_are_no_lists(write_file: Put) -> None:
    for text in (
        f"{'9' * 5000} 2\n3 4 5\n",
        f"1 {'9' * 5000}\n3 4 5\n",
        f"Query 1\n{'9' * 5000} Relevant Refs:\n1 -1\n",
    ):
        with pytest.raises(MalformedFile):
            ir.read_qrels(write_file(text, "x.rel"))
