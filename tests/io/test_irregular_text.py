"""Every accepted irregularity gives the same frame as the clean file."""

from __future__ import annotations

import pytest
from polars.testing import assert_frame_equal

from ireval_frames.io import read_qrels, read_run, scan_run
from ireval_frames.io.text.whitespace import Whitespace
from tests.io.samples import CLEAN, ROWS

TAIL = b"q9 Q0 d9 1 0.5 bm25\n" * 40

IRREGULAR = {
    "clean": CLEAN,
    "double blanks": CLEAN.replace(b" ", b"  "),
    "many blanks": CLEAN.replace(b" ", b" " * 37),
    "tabs": CLEAN.replace(b" ", b"\t"),
    "one tab": CLEAN.replace(b" ", b"\t", 1),
    "tabs and blanks": CLEAN.replace(b" ", b" \t "),
    "CRLF": CLEAN.replace(b"\n", b"\r\n"),
    "one CRLF": CLEAN.replace(b"\n", b"\r\n", 1),
    "CRCRLF": CLEAN.replace(b"\n", b"\r\r\n"),
    "CRLF without the last": CLEAN.replace(b"\n", b"\r\n")[:-1],
    "byte-order mark": b"\xef\xbb\xbf" + CLEAN,
    "byte-order mark and comment": b"\xef\xbb\xbf# x\n" + CLEAN,
    "no final newline": CLEAN[:-1],
    "trailing blanks": CLEAN.replace(b"\n", b"  \n"),
    "trailing tab at the end": CLEAN[:-1] + b"\t",
    "leading blanks": b"  " + CLEAN.replace(b"\n", b"\n "),
    "blank lines": b"\n\n" + CLEAN.replace(b"\n", b"\n\n\n") + b"\n",
    "lines of blanks": CLEAN.replace(b"\n", b"\n \t \n"),
    "comments": b"# a\n#b b b b b b\n" + CLEAN.replace(b"\n", b"\n# c\n"),
    "first row commented out": b"#q Q0 d 1 2.5 t\n" + CLEAN,
    "commented-out rows": b"#q Q0 d 1 2.5 t\n" + CLEAN.replace(b"\n", b"\n#q Q0 d 1 2.5 t\n"),
    "indented comments": CLEAN.replace(b"\n", b"\n \t# c\n"),
    "comment with odd bytes": b'# \xff "\n' + CLEAN,
    "comment at the end without newline": CLEAN + b"#",
    "comment with carriage return": b"# a\rb\n" + CLEAN,
    "plus signs": CLEAN.replace(b" 2.5 ", b" +2.5 ").replace(b" 1.25 ", b" +.125e+1 "),
    "other notation": CLEAN.replace(b" 2.5 ", b" 25.E-1 ").replace(b" -3 ", b" -0003.000 "),
}


@pytest.mark.parametrize("name", IRREGULAR)
def test_same_as_clean(write_file, name):
    assert read_run(write_file(IRREGULAR[name])).rows() == ROWS


# What bytes alone cannot tidy, or the fast reader cannot read.
SLOW = {"CRCRLF", "comment with carriage return"}


@pytest.mark.parametrize("name", sorted(set(IRREGULAR) - SLOW))
def test_no_loop_touches_a_row(write_file, monkeypatch, name):
    def refuse(*_: object) -> None:
        pytest.fail("read line by line")

    monkeypatch.setattr(Whitespace, "exact", refuse)
    assert read_run(write_file(IRREGULAR[name])).rows() == ROWS


@pytest.mark.parametrize("name", IRREGULAR)
def test_same_as_clean_in_small_chunks(write_file, monkeypatch, name):
    monkeypatch.setattr("ireval_frames.io.text.chunks.SIZE", 64)
    clean = read_run(write_file(CLEAN * 3 + TAIL))
    assert clean.height == 49
    first = IRREGULAR[name]
    rest = first.removeprefix(b"\xef\xbb\xbf")
    messy = b"\n".join([first, rest, rest, TAIL])
    assert_frame_equal(read_run(write_file(messy)), clean)


@pytest.mark.parametrize("name", IRREGULAR)
def test_projection_does_not_change_what_is_read(write_file, name):
    assert scan_run(write_file(IRREGULAR[name])).select("doc_id").collect()["doc_id"].to_list() == [r[2] for r in ROWS]


def test_ids_keep_their_spelling(write_file):
    ids = [
        "007",
        "NA",
        "1e5",
        "null",
        "true",
        "1.0",
        '"quoted"',
        "o'x",
        "a#b",
        "é\u00a0ü",
        "日本",
        "a,b",
        "\\N",
        "-",
        "+1",
        "x" * 300,
        "a\x0bb",
    ]
    text = "".join(f"{i} Q0 {i} 1 0 t\n" for i in ids)
    assert read_run(write_file(text))["query_id"].to_list() == ids
    assert read_run(write_file(text.replace(" ", "  ")))["doc_id"].to_list() == ids
    assert (
        read_run(write_file(text + "z Q0 z 1 0 t \r \n".replace(" \r ", "\r\r"))).rows()[:-1]
        == read_run(write_file(text)).rows()
    )


def test_irregular_judgments(write_file):
    clean = "q1 0 d1 2\nq1 0 d2 -1\n"
    for text in (
        clean,
        clean.replace(" ", "\t"),
        clean.replace(" ", " \t"),
        clean.replace("\n", "\r\n"),
        "#\n" + clean,
        clean.replace("2", "+02"),
    ):
        assert read_qrels(write_file(text, "qrels.txt")).sort("relevance").rows()[1][2] == 2
        assert read_qrels(write_file(text, "qrels.txt")).height == 2


def test_surplus_fields_as_tag(write_file):
    text = "q1 Q0 d1 1 2.5 my  own\trun\nq1 Q0 d2 2 1.5 bm25\n# c\nq2 Q0 d1 1 +1 a b c d\n"
    frame = read_run(write_file(text), run_id="tag", surplus="tag", rank=True)
    assert frame["run_id"].to_list() == ["my own run", "bm25", "a b c d"]
    assert frame["score"].to_list() == [2.5, 1.5, 1.0]
    assert frame["rank"].to_list() == [1, 2, 1]
    assert read_run(write_file(text), surplus="tag").columns == ["run_id", "query_id", "doc_id", "score"]


def test_numbers_only_the_exact_reader_knows(write_file):
    # A lone \x01 keeps the fast reader of surplus tags away.
    text = "q1 Q0 d1 1 +.5e1 a \x01 b\nq1 Q0 d2 +2 1e-400 b\n"
    assert read_run(write_file(text), surplus="tag", rank=True).rows() == [
        ("bm25", "q1", "d1", 5.0, 1),
        ("bm25", "q1", "d2", 0.0, 2),
    ]
