"""Files of test collections: every layout has the same documents, queries and judgments, with the slips of its kind."""

from __future__ import annotations

import gzip
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import ireval_frames as ir
from data.formats.collections.make import CODES, DOCUMENTS, QUERIES, RELEVANT, SCORES, write
from ireval_frames.errors import FileError, MalformedFile, ReadingWarning

FILES = Path("data/formats/collections")
PAIRS = {(str(q), str(d)) for q, docs in RELEVANT.items() for d in docs}
Put = Callable[..., Path]


def read(what: str, path: Path | str, **options: Any) -> tuple[pl.DataFrame, list[str]]:
    """A table, and what was warned of."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        frame = getattr(ir.io, f"read_{what}")(path, **options)
    assert all(w.category is ReadingWarning for w in caught)
    return frame, [str(w.message) for w in caught]


def pairs(frame: pl.DataFrame) -> set[tuple[str, str]]:
    assert frame["relevance"].unique().to_list() == [1]
    return set(frame.select("query_id", "doc_id").rows())


def words(text: str | None) -> list[str]:
    return (text or "").lower().replace(" .", "").split()


def test_the_files_are_those_of_the_script(tmp_path: Path) -> None:
    write(tmp_path)
    for path in (p for p in tmp_path.rglob("*") if p.is_file()):
        assert path.read_bytes() == (FILES / path.relative_to(tmp_path)).read_bytes(), path


# ---- documents


@pytest.mark.parametrize(
    "name, titled, warned",
    [
        ("smart/docs.all", True, 0), ("npl/doc-text", False, 0), ("lisa/LISA0.001", True, 0),
        ("time/TIME.ALL", False, 0), ("cfc/cf74", True, 0), ("cfc/cf74.xml", True, 1),
        ("documents/news.sgml", True, 0), ("documents/pages.trec", True, 0),
    ],
)  # fmt: skip
def test_documents(name: str, warned: int, *, titled: bool) -> None:
    frame, messages = read("documents", FILES / name)
    assert len(messages) == warned
    assert ("title" in frame.columns) == titled
    prefix = {"documents/news.sgml": "WW-", "documents/pages.trec": "GX-"}.get(name, "")
    assert frame["doc_id"].to_list() == [f"{prefix}{n}" for n, _, _ in DOCUMENTS]
    for (n, title, text), row in zip(DOCUMENTS, frame.iter_rows(named=True), strict=True):
        expected = text or ("none." if name.startswith("cfc") else "")
        found = row["text"] if titled else (row["text"] or "").lower().replace(title.lower(), "", 1)
        assert words(found) == words(expected), (name, n)
        assert row["text"] != "", "a document without a text has null"
        if titled:
            assert words(row["title"]) == words(title)
    if name == "time/TIME.ALL":
        assert frame["number"].to_list() == ["017", "018", "021", "022", "030", "034"]
        assert frame["date"].to_list()[3] == "01/11 63"
    if name.startswith("cfc"):
        assert frame["number"].to_list() == [f"7400{n}" for n in range(1, 7)]


def test_texts_of_cfc_that_stand_in_the_next_record_are_returned() -> None:
    frame, (message,) = read("documents", FILES / "cfc/cf74.xml")
    assert frame["text"].to_list() == read("documents", FILES / "cfc/cf74")[0]["text"].to_list()
    assert message.endswith("cf74.xml: the texts of 1 documents stood in the record of the next one.")


def test_several_files_are_one_collection(write_file: Put) -> None:
    one = write_file("Document    1\nA\n\nTEXT\n******\n", "LISA0.001")
    write_file("Document    2\nB\n\nTEXT\n", "LISA0.501")
    frame, (message,) = read("documents", str(one.parent / "LISA0.?01"))
    assert frame.rows() == [("1", "A", "TEXT"), ("2", "B", "TEXT")]
    assert "does not end with a line of stars" in message


def test_files_have_different_ids(write_file: Put) -> None:
    text = "*TEXT 017 01/04/63 PAGE 1\n\nA\n\n*STOP\n"
    one, two = write_file(text, "a.time"), write_file(text, "b.time")
    with pytest.raises(MalformedFile, match=r"b\.time and .*a\.time have the same doc_id: '1'\.\n.*cat "):
        ir.io.read_documents([one, two])
    topics = [FILES / "topics/open_tags.txt", FILES / "topics/web.xml"]
    frame = ir.io.read_queries(topics)
    assert frame.height == 8
    assert frame["narrative"].null_count() == 4


def test_compressed_files(tmp_path: Path) -> None:
    path = tmp_path / "early.txt.gz"
    path.write_bytes(gzip.compress((FILES / "topics/open_tags.txt").read_bytes()))
    assert ir.io.read_queries(path).equals(ir.io.read_queries(FILES / "topics/open_tags.txt"))


def test_records_of_smart(write_file: Put) -> None:
    text = ".I 1\r\n.T\r\nOne\r\n.W\r\nFirst\r\n.W\r\n.Q? is text\r\n.I  007 \r\n.W\r\n caf\xe9 \r\n\x1a"
    frame, (message,) = read("documents", write_file(text.encode("latin-1"), "x.all"))
    assert frame.rows() == [("1", "One", "First\n.Q? is text"), ("7", None, "café")]
    assert "was read as Latin-1" in message


def test_other_tags_of_documents(write_file: Put) -> None:
    text = ".I 1\n.U\n87049087\n.S\nJ Test\n.M\nHuman.\n.T\nOne\n.P\nARTICLE.\n.W\nText\n"
    assert read("documents", write_file(text, "ohsumed.87"))[0].rows() == [("1", "87049087", "One", "Text")]
    text = '<DOC id="AFP.1" type="story">\n<HEADLINE>\nOne\n</HEADLINE>\n<TEXT>\n<P>a</P>\n</TEXT>\n</DOC>\n'
    assert read("documents", write_file(text, "afp.sgml"))[0].rows() == [("AFP.1", "One", "a")]
    text = "<TOPIC q=0001>\n<TITLE>\nOne\n</TITLE>\n<DESCRIPTION>a</DESCRIPTION>\n</TOPIC>\n"
    assert read("queries", write_file(text, "topic.txt"))[0].rows() == [("0001", "One", "a")]


def test_eighth_bits_of_cfc_are_removed(write_file: Put) -> None:
    marked = b"PN 74001\nRN 00001 \nTI Title\nA\xc2 On\xe5 of the\nunindented line\n\x1a\x1a"
    frame, (message,) = read("documents", write_file(marked, "cf74"))
    assert frame.rows() == [("1", "74001", "Title", "One of the\nunindented line")]
    assert "in 1 line." in message


def test_documents_of_msmarco_and_beir(write_file: Put) -> None:
    passages = write_file('0\tThe "first\n1\tsecond one\n', "collection.tsv")
    assert read("documents", passages)[0].rows() == [("0", 'The "first'), ("1", "second one")]
    documents = write_file("D1\thttp://x\tTitle\ta b\nD2\thttp://y\t\tc\n", "docs.tsv")
    assert read("documents", documents)[0].columns == ["doc_id", "url", "title", "text"]
    corpus = write_file('{"_id": "a", "title": "T", "text": "x"}\n{"_id": "b", "title": "", "text": "y"}\n', "c.jsonl")
    assert read("documents", corpus)[0].rows() == [("a", "T", "x"), ("b", "", "y")]
    table = write_file("docno,body,year\nd1,one,1990\n", "docs.csv")
    assert read("documents", table)[0].to_dicts() == [{"doc_id": "d1", "text": "one", "year": "1990"}]
    lazy = ir.io.scan_documents(table, columns={"doc_id": "year"})
    assert lazy.collect().columns == ["docno", "text", "doc_id"]


# ---- queries


@pytest.mark.parametrize(
    "name", ["smart/query.text", "npl/query-text", "lisa/LISA.QUE", "time/TIME.QUE", "cfc/cfquery"]
)
def test_queries(name: str) -> None:
    frame, messages = read("queries", FILES / name)
    assert not messages
    assert frame["query_id"].to_list() == ["1", "2", "3", "4"]
    assert [words(text) for text in frame["text"]] == [words(text) for _, text in QUERIES]


def test_queries_of_cranfield_are_named_by_their_place() -> None:
    frame, (message,) = read("queries", FILES / "cranfield/cran.qry")
    assert frame["query_id"].to_list() == ["1", "2", "3", "4"]
    assert frame["number"].to_list() == ["001", "002", "004", "009"]
    assert "the numbers of 2 queries are not those of the judgments" in message
    assert read("queries", FILES / "cranfield/cran.qry", format="smart")[0]["query_id"].to_list() == [
        "1",
        "2",
        "4",
        "9",
    ]


NARRATIVE = "Relevant is what says so."


@pytest.mark.parametrize(
    "name, ids, title, text, more",
    [
        ("open_tags.txt", "30{}", "Topic {}", "description", {"narrative": NARRATIVE}),
        ("early.txt", "5{}", "Topic {}", "description", {"domain": "Woodwork", "concepts": "1. AT&T < 2"}),
        ("web.xml", "{}", "topic {}", "description", {}),
        ("clef.xml", "10.2452/40{}-AH", "Topic {}", "description", {"language": "en", "narrative": NARRATIVE}),
        ("clef_older.txt", "C00{}", "Topic {}", "description", {"language": "en", "narrative": NARRATIVE}),
        ("ntcir.xml", "000{}", "Topic {}", "description", {"concepts": "wood, tool", "target_language": "JA"}),
        ("colon.txt", "70{}", None, "text", {}),
        ("million.txt", "2000{}", None, "text", {}),
        ("plain.xml", "{}", None, "text", {}),
    ],
)
def test_topics(name: str, ids: str, title: str | None, text: str, more: dict[str, str]) -> None:
    frame, messages = read("queries", FILES / "topics" / name)
    assert frame["query_id"].to_list() == [ids.format(n) for n, _ in QUERIES]
    assert [words(t) for t in frame[text]] == [words(t) for _, t in QUERIES]
    if title:
        assert frame["title"].to_list() == [title.format(n) for n, _ in QUERIES]
    for column, value in more.items():
        assert frame[column].unique().to_list() == [value]
    assert len(messages) == (name == "early.txt")
    if messages:
        assert "zeros before the numbers of 4 topics were left out, as TREC's judgments have none" in messages[0]
        assert frame["factors"].unique().to_list() == ["Nationality: Dutch"]


def test_subtopics() -> None:
    frame, _ = read("queries", FILES / "topics/web.xml")
    assert frame["type"].to_list() == ["faceted", "ambiguous", "faceted", "faceted"]
    rows = frame.select("query_id", "subtopics").explode("subtopics").unnest("subtopics").drop_nulls("subtopic_id")
    assert rows.select("query_id", "subtopic_id", "type").rows() == [
        ("1", "1", "inf"), ("1", "2", "nav"), ("2", "1", "inf"), ("3", "1", "inf"),
    ]  # fmt: skip
    assert rows["text"][1] == "Find a shop & its map."


def test_words_before_colons_are_no_ids(write_file: Put) -> None:
    for text in ("what: how\nwhy: is\n", "qid:text\n1:a\n", "1:a\n1:b\n"):
        path = write_file(text, "q.txt")
        with pytest.raises(ir.errors.MissingColumn, match="line 1 is read as the header"):
            ir.io.read_queries(path)
    assert ir.io.read_queries(write_file("what: how\nwhy: is\n", "q.txt"), format="colon").rows()[1] == ("why", "is")


def test_topics_between_the_tags_of_documents_need_their_format(write_file: Put) -> None:
    path = write_file("<DOC>\n<DOCNO>1</DOCNO>\nWhat dries?\n</DOC>\n", "cacm.txt")
    with pytest.raises(FileError, match=r'has documents of TREC, and queries are read\.\n.*topics: .*format="trec"\)'):
        ir.io.read_queries(path)
    assert ir.io.read_queries(path, format="trec").rows() == [("1", "What dries?")]


# ---- judgments


@pytest.mark.parametrize(
    "name, warned",
    [
        ("smart/CISI.REL", []), ("smart/qrels.text", ["leading zeros of query_id", "leading zeros of doc_id"]),
        ("npl/rlv-ass", ["the last record, 4, does not end with '/'"]), ("lisa/LISA.REL", []), ("lisa/LISARJ.NUM", []),
        ("time/TIME.REL", []),
    ],
)  # fmt: skip
def test_judgments(name: str, warned: list[str]) -> None:
    frame, messages = read("qrels", FILES / name)
    assert pairs(frame) == PAIRS
    assert len(messages) == len(warned)
    assert all(part in message for part, message in zip(warned, messages, strict=True))
    assert read("qrels", FILES / name, relevance=float)[0].schema["relevance"] == pl.Float64


def test_judgments_of_cranfield() -> None:
    frame, _ = read("qrels", FILES / "cranfield/cranqrel", format="cranfield")
    expected = {(str(q), str(d), 5 - code) for (q, d), code in CODES.items() if code > 0}
    assert {row for row in frame.rows() if row[2] > 0} == expected


@pytest.mark.parametrize("name", ["cfc/cfquery", "cfc/cfquery.xml"])
def test_judgments_of_cfc_are_those_of_four_judges(name: str) -> None:
    frame, messages = read("qrels", FILES / name)
    judges = ("REW", "REW-colleagues", "REW-postdoc", "JBW")
    expected = {
        (str(q), str(d), int(grade), judge)
        for q, docs in SCORES.items()
        for d, score in docs.items()
        for judge, grade in zip(judges, score, strict=True)
    }
    assert frame.height == len(expected)
    assert set(frame.rows()) == expected
    assert [m.split("cfquery.xml: ")[1].split(";")[0] for m in messages] == (
        ["the query 4 stood among the documents of the query 3"] if name.endswith("xml") else []
    )
    assert ir.io.read_qrels(FILES / "cfc/cfquery", second="assessor_id").equals(ir.io.read_qrels(FILES / "cfc/cfquery"))
    run = frame.filter(assessor_id="JBW").select("query_id", "doc_id", score=1.0 / pl.col("doc_id").cast(pl.Int64))
    values = ir.evaluate(frame, run, ["P(assessors='mean')@1", "P(assessors='max')@1"]).wide().row(0)
    # The first of each list is judged by all, by none of three, by all, and by two of them.
    assert values[-2:] == pytest.approx(((1 + 1 + 1 + 0.5) / 4, 1.0))
