"""Every kind of bad line is told with its number, its text and what is wrong."""

from __future__ import annotations

import pytest

from ireval_frames.errors import MalformedFile
from ireval_frames.io import read_qrels, read_run, scan_run
from tests.io.samples import CLEAN

GOOD = "q1 Q0 d1 1 2.5 bm25\n"

BAD_RUN_LINES = {
    "q1 Q0 d1 1 2.5": "5 fields where a run has 6",
    "q1": "1 field where a run has 6",
    "q1 Q0 d1 1 2.5 bm25 x": "7 fields where a run has 6",
    "q1 Q0 d1 1 2.5 bm25 x y z": "9 fields",
    "q1 Q0 d1 1 high bm25": "score 'high' is not a number",
    "q1 Q0 d1 1 nan bm25": "score 'nan' is not a finite number",
    "q1 Q0 d1 1 -inf bm25": "score '-inf' is not a finite number",
    "q1 Q0 d1 1 Infinity bm25": "not a finite number",
    "q1 Q0 d1 1 1e400 bm25": "score '1e400' is too large",
    "q1 Q0 d1 1 0x10 bm25": "score '0x10' is not a number",
    "q1 Q0 d1 1 1_000 bm25": "score '1_000' is not a number",
    "q1 Q0 d1 1 1,5 bm25": "score '1,5' is not a number",
    "q1 Q0 d1 1 . bm25": "score '.' is not a number",
    "q1 Q0 d1 1 ١ bm25": "is not a number",
}


def message(read, path, **options) -> str:
    with pytest.raises(MalformedFile) as caught:
        read(path, **options)
    return str(caught.value)


@pytest.mark.parametrize("line", BAD_RUN_LINES)
@pytest.mark.parametrize("messy", [False, True], ids=["regular", "messy"])
def test_bad_line_of_a_run(write_file, line, messy):
    before = GOOD * 3 if not messy else "# comment\r\n\r\n" + GOOD.replace(" ", "  ")
    path = write_file(before + line + "\n" + GOOD)
    report = message(read_run, path)
    assert report.startswith(f"{path}, line 4: ")
    assert BAD_RUN_LINES[line] in report
    assert line[:20] in report


@pytest.mark.parametrize("line", BAD_RUN_LINES)
def test_bad_first_and_last_line(write_file, line):
    assert "line 1: " in message(read_run, write_file(line + "\n" + GOOD * 9))
    assert "line 10: " in message(read_run, write_file(GOOD * 9 + line))


def test_shifted_and_missing_fields_do_not_cancel(write_file):
    # As many separators as regular lines have, but not where they belong.
    path = write_file(GOOD + "q1 Q0 d1 1 2.5 bm25 x\nq1 Q0 d1 1 2.5\n" + GOOD)
    report = message(read_run, path)
    assert "2 lines do not parse" in report
    assert "line 2: 7 fields" in report
    assert "line 3: 5 fields" in report


def test_a_blank_inside_a_field_between_tabs(write_file):
    assert "line 2: 7 fields" in message(read_run, write_file(GOOD.replace(" ", "\t") + "q1\tQ0\td 1\t1\t2.5\tbm25\n"))
    assert "line 1: 4 fields" in message(read_run, write_file("1\ta b\t1\n"), format="msmarco")


def test_unneeded_columns_are_checked_too(write_file):
    path = write_file(GOOD + "q1 Q0 d1 1\n" + GOOD)
    with pytest.raises(MalformedFile, match="line 2"):
        scan_run(path).select("query_id").collect()


def test_rank_counts_only_when_requested(write_file):
    path = write_file("q1 Q0 d1 first 2.5 bm25\n")
    assert read_run(path).height == 1
    assert "rank 'first' is not an integer" in message(read_run, path, rank=True)
    assert "rank '1.0' is not an integer" in message(read_run, write_file("q1 Q0 d1 1.0 2.5 bm25\n"), rank=True)


@pytest.mark.parametrize("grade", ["1.7", "abc", "1.0", "nan", "1e2", "0x1", "1_0"])
def test_bad_grade(write_file, grade):
    report = message(read_qrels, write_file(f"q1 0 d1 1\nq1 0 d2 {grade}\n", "qrels.txt"))
    assert "line 2" in report
    assert f"relevance '{grade}' is not an integer" in report
    assert "relevance=float" in report
    assert f"q1 0 d2 {grade}" in report


def test_grade_overflow(write_file):
    assert "too large for a 64-bit integer" in message(read_qrels, write_file("q 0 d 9223372036854775808\n"))
    assert "too large for a 64-bit integer" in message(read_qrels, write_file("q 0 d -" + "9" * 5000 + "\n"))
    assert (
        read_qrels(write_file("q 0 d 9223372036854775807\nq 0 e -9223372036854775808\nq 0 f " + "0" * 30 + "7\n"))[
            "relevance"
        ].to_list()[2]
        == 7
    )


def test_grades_as_numbers(write_file):
    assert read_qrels(write_file("q 0 d 1.7\nq 0 e 2\n"), relevance=float)["relevance"].to_list() == [1.7, 2.0]
    assert "is not a number" in message(read_qrels, write_file("q 0 d abc\n"), relevance=float)


def test_wrong_number_of_fields_in_judgments(write_file):
    assert "3 fields where a judgment has 4" in message(read_qrels, write_file("q1 0 d1 1\nq1 0 d1\n"))
    assert "5 fields where a judgment has 4" in message(
        read_qrels, write_file("q1 0 d1 1 x\nq1 0 d1 1\n" * 2 + "q1 0 d1 1\n")
    )


def test_advice(write_file):
    assert 'surplus="tag"' in message(read_run, write_file(GOOD * 3 + "q1 Q0 d1 1 2.5 my run\n"))
    assert "scan_qrels" in message(read_run, write_file(GOOD * 3 + "q1 0 d1 1\n"))
    assert "scan_run" in message(read_qrels, write_file("q1 0 d1 1\n" * 3 + GOOD))


@pytest.mark.usefixtures("small_chunks")
def test_ten_shown_and_the_rest_counted(write_file):
    text = "".join(GOOD if n % 4 else f"bad{n}\n" for n in range(1, 101))
    report = message(read_run, write_file(text))
    assert "25 lines do not parse" in report
    assert "line 40: " in report
    assert "line 44" not in report
    assert "and 15 more" in report


@pytest.mark.parametrize("size", [30, 64, 1000, 1 << 20])
def test_line_numbers_across_tiers_and_chunks(write_file, monkeypatch, size):
    monkeypatch.setattr("ireval_frames.io.text.chunks.SIZE", size)
    parts = [
        GOOD * 20,
        "\n\n# c\n",
        GOOD.replace(" ", "\t") * 7,
        "\r\n",
        GOOD.replace("\n", "\r\n") * 5,
        "q1 Q0 d 1 ١ t\n",
    ]
    text = "".join(parts) * 3
    expected = [n for n, line in enumerate(text.split("\n"), 1) if "١" in line]
    report = message(read_run, write_file(text))
    assert [f"line {n}: score" in report for n in expected] == [True] * 3


def test_invalid_utf8(write_file):
    report = message(read_run, write_file(CLEAN + b"q1 Q0 caf\xe9 1 2.5 t\n"))
    assert "line 4: it is not valid UTF-8" in report
    assert "caf\\xe9" in report


def test_control_characters(write_file):
    head = GOOD * 4000
    assert "line 4001: it holds a NUL byte: 'q1 Q0 d\\x001" in message(
        read_run, write_file(head + "q1 Q0 d\x001 1 2.5 t\n")
    )
    assert "line 2: it holds a carriage return: 'q1 Q0 d\\r1" in message(
        read_run, write_file(GOOD + "q1 Q0 d\r1 1 2.5 t\n")
    )


def test_long_lines_are_shortened(write_file):
    report = message(read_run, write_file(GOOD * 2 + "x" * 100_000 + "\n"))
    assert len(report) < 400
    assert "xxx..." in report


def test_several_faults_of_one_line(write_file):
    report = message(read_run, write_file("q1 Q0 d1 a b t\n"), rank=True)
    assert "rank 'a' is not an integer; score 'b' is not a number" in report


def test_errors_pass_through_both_engines_and_batches(write_file):
    frame = scan_run(write_file(GOOD * 3 + "bad\n"))
    for engine in ("in-memory", "streaming"):
        with pytest.raises(MalformedFile, match="line 4"):
            frame.group_by("query_id").len().collect(engine=engine)
    with pytest.raises(MalformedFile, match="line 4"):
        list(frame.collect_batches(chunk_size=2, maintain_order=True))
