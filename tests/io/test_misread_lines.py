"""Lines that look like those of another layout, and are refused or named in place of being read as it."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest

import ireval_frames as ir
from ireval_frames.errors import AmbiguousFile, MalformedFile, MissingColumn, ReadingWarning
from ireval_frames.io import read_documents, read_qrels, read_queries, read_run

Put = Callable[..., Path]
Reader = Callable[..., pl.DataFrame]


@pytest.mark.parametrize("read", [read_qrels, read_run])
def test_a_run_in_four_fields_is_no_judgments(write_file: Put, read: Reader, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write_file("1 d7 1 27\n1 d2 2 25\n2 d4 1 9\n", "lines")
    with pytest.raises(MalformedFile, match=r"a run in four fields \(query, document, rank, score\)") as caught:
        read(path)
    command = caught.value.hint.partition("Write the fields of a run: ")[2].partition(". To read")[0]
    monkeypatch.chdir(path.parent)
    subprocess.run(command, shell=True, check=True)
    assert read_run(path.parent / "new.txt")["score"].to_list() == [27, 25, 9]
    assert read_qrels(path, format="trec")["doc_id"].to_list() == ["1", "2", "1"]


def test_the_document_is_where_no_value_of_a_query_returns(write_file: Put) -> None:
    with pytest.raises(MalformedFile, match="the documents seem to be in the second"):
        read_qrels(write_file("1 d7 27 1\n1 d2 25 2\n2 d4 9 1\n", "lines"))
    # Subtopics return for other documents, and documents may have names.
    assert read_qrels(write_file("1 1 17 1\n1 2 18 0\n1 1 19 1\n", "subtopics"))["doc_id"].to_list() == [
        "17",
        "18",
        "19",
    ]
    assert read_qrels(write_file("1 1 d1 1\n1 2 d2 0\n", "names"))["doc_id"].to_list() == ["d1", "d2"]


def test_ranks_where_the_scores_are_expected(write_file: Put, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = "1 Q0 d1 5.5 1 a\n1 Q0 d3 3.5 2 a\n1 Q0 d1 0.5 1 b\n2 Q0 d3 4.0 1 a\n"
    path = write_file(lines, "lines")
    with pytest.raises(
        MalformedFile, match="the fifth field, where runs have the score, numbers the documents"
    ) as caught:
        read_run(path)
    monkeypatch.chdir(path.parent)
    subprocess.run(caught.value.hint.partition("fields: ")[2].partition(". To read")[0], shell=True, check=True)
    assert read_run(path.parent / "new.txt")["score"].to_list() == [5.5, 3.5, 0.5, 4.0]
    assert read_run(path, format="trec")["score"].to_list() == [1, 2, 1, 1]
    # Scores may be whole numbers, and ranks are not read.
    assert read_run(write_file("1 Q0 d1 1 2 a\n1 Q0 d3 2 1 a\n", "whole"))["score"].to_list() == [2, 1]
    assert read_run(write_file("1 Q0 d1 - 2 a\n1 Q0 d3 - 1 a\n", "none"))["score"].to_list() == [2, 1]


@pytest.mark.parametrize("lines", ["100 5 1\n102 7 1\n105 9", "100 5 1\n102 7 1\n103 7\n105 9 2\n107 4 1\n"])
def test_judgments_with_a_cut_line_are_no_lists_of_documents(write_file: Put, lines: str) -> None:
    path = write_file(lines, "lines")
    with pytest.raises(AmbiguousFile, match="judgments of three fields"):
        read_qrels(path)
    with pytest.raises(MalformedFile, match="2 fields where a judgment has 3"):
        read_qrels(path, format="pairs")


def test_probabilities_that_are_whole_numbers_are_no_lengths(write_file: Put) -> None:
    path = write_file("1 d1 1 1 1\n1 d2 0 2 0\n2 d3 1 1 1\n", "lines")
    with pytest.raises(AmbiguousFile, match=r"prels .* or judgments of passages"):
        read_qrels(path)
    assert read_qrels(path, format="prels")["iprob"].to_list() == [1, 0, 1]


@pytest.mark.parametrize(
    "format, line, message",
    [
        ("prels", "1 d1 1 0 1.5", "iprob '1.5' is no probability from 0 to 1"),
        ("prels", "1 d1 1 0 -0.5", "iprob '-0.5' is no probability from 0 to 1"),
        ("passages", "1 d1 -7 90 0", "start -7 is negative"),
    ],
)
def test_numbers_out_of_range_are_refused_in_a_named_format(
    write_file: Put, format: str, line: str, message: str
) -> None:
    path = write_file(f"{line}\n1 d2 1 1 1\n", "lines")
    with pytest.raises(MalformedFile, match=message):
        read_qrels(path, format=format)


def test_only_blanks_and_tabs_are_between_fields(write_file: Put) -> None:
    ids = ["a\u00a0b", "c\u2028", "d\x0be", "f\x0cg", "h\x85i"]
    path = write_file("".join(f"1 0 {name} 1\n" for name in ids), "lines")
    assert read_qrels(path)["doc_id"].to_list() == ids
    run = write_file("".join(f"1 Q0 {name} {rank} {-rank}.5 tag\n" for rank, name in enumerate(ids, 1)), "run")
    assert read_run(run)["doc_id"].to_list() == ids


def test_texts_between_tabs_may_be_empty(write_file: Put) -> None:
    assert read_queries(write_file("1\t\n2\tother one\n", "q.tsv"))["text"].to_list() == [None, "other one"]
    assert read_queries(write_file("1\tother one\n2\t\n", "q.tsv"))["text"].to_list() == ["other one", None]
    docs = read_documents(write_file("D1\thttp://x.y/a\tTitle one\t\nD2\thttps://x.y/b\t\tBody three\n", "d.tsv"))
    assert docs.rows()[0] == ("D1", "http://x.y/a", "Title one", None)
    # Larger than the first bytes that are looked at.
    many = read_documents(write_file("".join(f"{i}\tsome text\n{i}x\t\n" for i in range(9000)), "d.tsv"))
    assert many["text"].null_count() == 9000


def test_ids_that_stand_twice_are_no_other_format(write_file: Put) -> None:
    assert read_queries(write_file("1\twhat is it\n1\tother one\n", "q.tsv"))["query_id"].to_list() == ["1", "1"]


def test_a_row_is_not_proposed_as_the_name_of_a_column(write_file: Put) -> None:
    with pytest.raises(MissingColumn) as caught:
        read_queries(write_file("1 what is it\n2 another one\n", "q.txt"))
    assert "'1 what is it' may be a row: if the file has no header, put a line before its rows" in caught.value.hint


def test_hints_of_decimal_grades_keep_the_format(write_file: Put) -> None:
    path = write_file("1 d1 0.5\n1 d2 1\n", "lines")
    with pytest.raises(MalformedFile) as caught:
        read_qrels(path, format="pairs")
    call = caught.value.hint.partition("numbers: ")[2]
    assert eval(call, {"ir": ir, "path": path}).collect()["relevance"].to_list() == [0.5, 1]
    for named, line in (("cranfield", "1 d1 1.5\n"), ("ntcir", "1 d1 2\n")):
        with pytest.raises(MalformedFile) as caught:
            read_qrels(write_file(line, "lines"), format=named)
        assert "relevance=float" not in str(caught.value)


def test_codes_of_cranfield_as_floats(write_file: Put) -> None:
    path = write_file("1 184 2\n1 29 1\n1 31 -1\n", "cranqrel")
    with pytest.warns(ReadingWarning, match="left out: 1"):
        judged = read_qrels(path, format="cranfield", relevance=float)
    assert judged.schema["relevance"] == pl.Float64
    assert judged["relevance"].to_list() == [3, 4]


def test_readers_are_named_for_what_a_file_has(write_file: Put) -> None:
    docs = write_file("D1\thttp://x.y/a\tTitle one\tBody one\nD2\thttps://x.y/b\tTwo\tBody three\n", "d.tsv")
    with pytest.raises(MalformedFile) as caught:
        read_queries(docs)
    assert caught.value.hint.startswith("Read it: ir.io.scan_documents(path).")
    with pytest.raises(MalformedFile) as caught:
        read_queries(write_file("1 Q0 d1 1 2.5 t\n1 Q0 d2 2 1.5 t\n", "run"))
    assert caught.value.hint.startswith("Read it: ir.io.scan_run(path).")
