"""CSV, TSV and JSON lines: quoting, exact ids, bad lines with their numbers."""

from __future__ import annotations

import pytest

from ireval_frames.errors import MalformedFile
from ireval_frames.io import read_qrels, read_queries, read_run

HEAD = "qid,docno,score\n"


def bad(write_file, text: str, name: str = "a.csv", read=read_run, **options) -> str:
    with pytest.raises(MalformedFile) as caught:
        read(write_file(text, name), **options)
    return str(caught.value)


@pytest.mark.parametrize("size", [16, 40, 1 << 20])
@pytest.mark.parametrize(
    "text, ids",
    [
        ('"a","b",1\n"c","d",2\n', [("a", "b"), ("c", "d")]),
        ('"a,x","b""y",1\nc,d,2\n', [("a,x", 'b"y'), ("c", "d")]),
        ('"a\nx",b,1\nc,d,2\n', [("a\nx", "b"), ("c", "d")]),
        ('5" disk,b,1\n6" disk,d,2\n', [('5" disk', "b"), ('6" disk', "d")]),
        ("007,NA,1\n1e5,null,2\n", [("007", "NA"), ("1e5", "null")]),
        ("#a,b,1\n\n\nc,#d,2\n\n", [("#a", "b"), ("c", "#d")]),
        ('a,b, 1\nc,d,"2 "\n', [("a", "b"), ("c", "d")]),
        ("é,b,1\n日本,d,2", [("é", "b"), ("日本", "d")]),
    ],
)
def test_csv(write_file, monkeypatch, text, ids, size):
    monkeypatch.setattr("ireval_frames.io.text.chunks.SIZE", size)
    for content in (HEAD + text, "\ufeff" + (HEAD + text).replace("\n", "\r\n") if "\nx" not in text else HEAD + text):
        frame = read_run(write_file(content, "a.csv"))
        assert frame.select("query_id", "doc_id").rows() == ids
        assert frame["score"].to_list() == [1.0, 2.0]


@pytest.mark.parametrize("quote", ['""', ""])
@pytest.mark.parametrize(
    "line, wrong",
    [
        ("q,d", "2 fields where the header has 3"),
        ("q,d,1,", "4 fields where the header has 3"),
        ("q,d,1,x", "4 fields where the header has 3"),
        ("q,d,high", "score 'high' is not a number"),
        ("q,d,nan", "not a finite number"),
        ("q,d,", "score '' is not a number"),
        (",d,1", "qid is empty"),
        ('"",d,1', "qid is empty"),
        ('"q"x,d,1', "wrong quoting"),
        ("q\0,d,1", "NUL byte"),
    ],
)
def test_bad_csv_lines(write_file, line, wrong, quote):
    first = f"{quote[:1]}q{quote[:1]},d,1\n"
    for end in ("\n", ""):
        message = bad(write_file, HEAD + first * 2 + line + end)
        assert "line 4: " in message
        assert wrong in message
    assert "line 2: " in bad(write_file, HEAD + line + "\n" + first)


def test_unclosed_quote(write_file):
    message = bad(write_file, HEAD + 'q,d,1\n"q,d,2\nq,e,3\n')
    assert "line 3: a quote is opened and never closed" in message


def test_bad_lines_behind_quoted_line_ends(write_file):
    assert "line 5: score 'x'" in bad(write_file, HEAD + '"q\n\n1",d,1\nq,d,x\n')


def test_missing_last_field_of_a_free_column(write_file):
    text = "qid,segment\n1,a\n2,\n3\n4,b\n"
    message = bad(write_file, text, read=read_queries)
    assert "line 4: 1 field where the header has 2: '3'" in message
    assert read_queries(write_file(text.replace("3\n", "3,\n"), "a.csv"))["segment"].to_list() == ["a", None, None, "b"]


def test_missing_and_surplus_do_not_cancel(write_file):
    assert "2 lines" in bad(write_file, "qid,segment,x\n1,a,b\n2,a\n3,a,b,\n", read=read_queries)


def test_csv_grades(write_file):
    message = bad(write_file, "qid,docno,rel\nq,d,1\nq,e,1.5\n", read=read_qrels)
    assert "line 3: rel '1.5' is not an integer" in message
    assert "relevance=float" in message


def test_invalid_utf8_in_csv(write_file):
    path = write_file(HEAD.encode() + b"q,d,1\nq,\xff,2\nq,e,x\n", "a.csv")
    with pytest.raises(MalformedFile, match=r"(?s)line 3: it is not valid UTF-8: 'q,\\xff,2'.*line 4: score"):
        read_run(path)


@pytest.mark.parametrize(
    "line, wrong",
    [
        ('{"qid": "q", "docno": "d"}', "'score' is missing"),
        ('{"qid": "q", "docno": "d", "score": null}', "'score' is null"),
        ('{"qid": "q", "docno": "d", "score": "1.5"}', 'score "1.5" is not a number'),
        ('{"qid": "q", "docno": "d", "score": true}', "is not a number"),
        ('{"qid": "q", "docno": "d", "score": NaN}', "NaN, which is not a finite number"),
        ('{"qid": "q", "docno": "d", "score": 1e400}', "too large"),
        ('{"qid": 1.50, "docno": "d", "score": 1}', "qid '1.5' is neither text nor an integer"),
        ('{"qid": true, "docno": "d", "score": 1}', "neither text nor an integer"),
        ('{"qid": {"a": 1}, "docno": "d", "score": 1}', "neither text nor an integer"),
        ('{"qid": "", "docno": "d", "score": 1}', "qid is empty"),
        ('{"qid": "\\ud800", "docno": "d", "score": 1}', "not valid Unicode"),
        ('{"qid": "q", "docno": "d", "score": 1', "it is not JSON"),
        ('{"qid": "q", "docno": "d", "score": 1} x', "it is not JSON"),
        ("[1]", "not a JSON object"),
    ],
)
def test_bad_json_lines(write_file, line, wrong):
    good = '{"qid": "q", "docno": "d", "score": 1}\n'
    message = bad(write_file, good + "\n" + good + line + "\n" + good, "a.jsonl")
    assert "line 4: " in message
    assert wrong in message


def test_json_ids(write_file):
    for first, second in (("1", "2"), ('"1"', "2"), ("1", '"2"'), ('"1"', '"2"')):
        text = (
            f'{{"qid": {first}, "docno":"d", "score": 1}}\n\n'
            f'{{"qid" : {second}, "docno":"\\u00e9\\ud83d\\ude00", "score": 2.5}}\n'
        )
        assert read_run(write_file(text, "a.jsonl")).rows() == [("a", "1", "d", 1.0), ("a", "2", "é😀", 2.5)]


def test_json_grades(write_file):
    message = bad(
        write_file,
        '{"qid": "q", "docno": "d", "rel": 1.0}\n{"qid": "q", "docno": "e", "rel": 1.5}\n',
        "a.jsonl",
        read_qrels,
    )
    assert "line 2: rel '1.5' is not an integer" in message
    assert "relevance=float" in message
