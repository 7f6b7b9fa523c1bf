"""Files that a person chooses: the page's tables are those of Python's readers."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import ireval_frames as ir
from tests.browser.page.conftest import Opened

LINES = Path("data/formats/lines")


def choose(watched: Opened, *paths: Path) -> None:
    """Chooses files, and waits until all were read."""
    watched.page.locator("input[type=file]").set_input_files([str(path) for path in paths])
    watched.page.locator("ul.files[aria-busy=false]").wait_for()


def files(watched: Opened) -> str:
    """What the page says of the files."""
    return str(watched.page.locator("ul.files").inner_text())


def written(folder: Path, name: str, content: str | bytes) -> Path:
    """A file of the test."""
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def rows(watched: Opened, table: str, columns: str = "*") -> list[tuple[Any, ...]]:
    """The rows of a table of the page, in order."""
    return [tuple(row) for row in watched.query(f"SELECT {columns} FROM {table} ORDER BY ALL")]


JUDGMENTS = ["ntcir", "passages", "preferences", "prels", "sampled", "three_fields", "trec"]
RUNS = ["trec", "without_tag", "three_fields"]


def test_judgments_and_runs_are_those_of_python(opened: Callable[..., Opened], tmp_path: Path) -> None:
    watched = opened()
    judgments = [LINES / "judgments" / f"{name}.txt" for name in JUDGMENTS]
    choose(watched, *judgments)
    for path in judgments:
        expected = ir.read_qrels(path).with_columns(pl.col("relevance").cast(pl.Float64))
        columns = ", ".join(expected.columns)
        assert rows(watched, path.stem, columns) == sorted(expected.rows()), path
    runs = [written(tmp_path, f"run_{name}.run", (LINES / "runs" / f"{name}.run").read_bytes()) for name in RUNS]
    choose(watched, *runs)
    for path in runs:
        expected = ir.read_run(path)
        assert rows(watched, path.stem, ", ".join(expected.columns)) == sorted(expected.rows()), path
    assert watched.messages == []


def test_runs_without_scores(opened: Callable[..., Opened]) -> None:
    watched = opened()
    choose(watched, LINES / "runs" / "ranks.run", LINES / "runs" / "order.run", LINES / "msmarco" / "run.tsv")
    assert rows(watched, "ranks") == sorted(ir.read_run(LINES / "runs" / "ranks.run", score_from="rank").rows())
    assert rows(watched, "run") == sorted(ir.read_run(LINES / "msmarco" / "run.tsv", score_from="rank").rows())
    # Two fields may be judgments as well: a person says what they are.
    item = watched.page.locator("ul.files > li").nth(1)
    assert "its lines fit each of them" in item.get_by_role("alert").inner_text()
    item.get_by_label("Its lines are").select_option("a run in its order (query, document)")
    item.get_by_role("button", name="Read it again").click()
    watched.page.get_by_text("order_file: run, 13 rows").wait_for()
    assert rows(watched, "order_file") == sorted(ir.read_run(LINES / "runs" / "order.run", score_from="order").rows())


@pytest.mark.parametrize("packed", [False, True])
def test_unusual_blanks_and_comments_and_line_ends(
    opened: Callable[..., Opened], tmp_path: Path, *, packed: bool
) -> None:
    text = "# a comment\n\nq1  Q0\td1 1 2.5 x\r\nq1 Q0 d2 2 -1e-3 x  \r\n  q2 Q0 ø 1 +.5 x"
    path = written(tmp_path, "odd.run.gz" if packed else "odd.run", gzip.compress(text.encode()) if packed else text)
    watched = opened()
    choose(watched, path)
    assert rows(watched, "odd") == ir.read_run(path).rows()


def test_tables_with_a_header(opened: Callable[..., Opened], tmp_path: Path) -> None:
    text = 'qid;docno;sim\n007; "a;""b\nc";1\n007;d ;2.5\n'
    path = written(tmp_path, "quoted.csv", text)
    labels = written(tmp_path, "labels.csv", "id,gold,predicted,fold\n1,yes,no,a\n2,,yes,b\n")
    watched = opened()
    choose(watched, path, labels)
    assert rows(watched, "quoted", "run_id, query_id, doc_id, score") == sorted(ir.read_run(path).rows())
    assert watched.query("FROM labels") == [["1", "yes", "no", "a"], ["2", None, "yes", "b"]]
    assert watched.page.get_by_text("labels: labels, 2 rows").count() == 1
    assert "id is item_id, gold is label, predicted is prediction." in files(watched)


def test_errors_have_lines_and_values(opened: Callable[..., Opened], tmp_path: Path) -> None:
    lines = [f"q1 Q0 d{i} {i} {100 - i} x" for i in range(1, 50)]
    lines[6], lines[8] = "q1 Q0 d7 7 much x", "q1 Q0 d9"
    path = written(tmp_path, "wrong.run", "\n".join(lines))
    watched = opened()
    choose(watched, path)
    alert = watched.page.locator("ul.files").get_by_role("alert").inner_text()
    with pytest.raises(ir.errors.MalformedFile) as error:
        ir.read_run(path)
    for line in str(error.value).splitlines()[:3]:
        assert line.rpartition("/")[2].strip() in alert
    assert watched.query("SELECT count(*) FROM duckdb_tables()") == [[0]]


def test_subtopics_and_tags_are_chosen(opened: Callable[..., Opened], tmp_path: Path) -> None:
    path = LINES / "judgments" / "subtopics.txt"
    run = written(tmp_path, "mine.run", (LINES / "runs" / "trec.run").read_bytes())
    watched = opened()
    choose(watched, path, run)
    item = watched.page.locator("ul.files > li").first
    item.get_by_label("The second field is").select_option("a subtopic")
    item.get_by_role("button", name="Read it again").click()
    watched.page.get_by_text("subtopics: judgments").wait_for()
    expected = ir.read_qrels(path, second="subtopic_id", relevance=float)
    assert rows(watched, "subtopics", ", ".join(expected.columns)) == sorted(expected.rows())
    item = watched.page.locator("ul.files > li").nth(1)
    item.get_by_text("Change how it is read").click()
    item.get_by_label("The run is named by").select_option("the tag of its lines")
    item.get_by_role("button", name="Read it again").click()
    watched.page.locator("ul.files[aria-busy=false]").wait_for()
    assert watched.query("SELECT DISTINCT run_id FROM mine") == [["plane"]]


def test_kinds_and_columns_are_corrected(opened: Callable[..., Opened], tmp_path: Path) -> None:
    path = written(tmp_path, "odd.csv", "topic,document,stars,fold\nq1,d1,2,a\nq1,d2,0,b\n")
    watched = opened()
    choose(watched, path)
    assert "odd: table, 2 rows" in files(watched)
    item = watched.page.locator("ul.files > li").first
    item.get_by_text("Change how it is read").click()
    item.get_by_label("It is a table of").select_option("judgments")
    item.get_by_role("alert").wait_for()
    assert "the table of judgments has no column 'relevance' (it has: topic, document, stars, fold)" in files(watched)
    item.get_by_label("relevance").select_option("stars")
    item.get_by_role("button", name="Read it again").click()
    watched.page.get_by_text("odd: judgments, 2 rows").wait_for()
    assert rows(watched, "odd") == [("q1", "d1", 2.0), ("q1", "d2", 0.0)]


def test_two_runs_of_one_name_are_refused(opened: Callable[..., Opened], tmp_path: Path) -> None:
    text = (LINES / "runs" / "trec.run").read_bytes()
    watched = opened()
    choose(watched, written(tmp_path, "same.run", text), written(tmp_path, "same.txt", text))
    assert "same.run and same.txt would both be called run 'same'." in files(watched)
    watched.page.get_by_role("button", name="Remove same.run").click()
    watched.page.locator("ul.files > li").get_by_role("button", name="Read it again").click()
    watched.page.get_by_text("same_2: run, 13 rows").wait_for()


WRONG = {
    "page.csv": ("<!DOCTYPE html><html><body>Sign in</body></html>", "is a page of HTML"),
    "book.csv": (b"PK\x03\x04" + b"xl/workbook" * 20, "is a workbook of Excel (.xlsx)"),
    "wide.txt": ("\ufeffq1 Q0 d1".encode("utf-16"), "is not UTF-8 text but UTF-16"),
    "binary.run": (bytes(range(256)) * 40, "is not text, or not in UTF-8"),
    "empty.run": ("", "is empty: it has no rows"),
    "comment.run": ("# nothing\n\n", "is empty: it has no rows"),
    "header.csv": ("query_id,doc_id,score\n", "is empty: it has no rows"),
    "cut.run.gz": (gzip.compress(b"q1 Q0 d1 1 2.5 x\n" * 10000)[:-20], "is a damaged or truncated gzip file"),
    "two.run.gz": (gzip.compress(b"q1 Q0 d1 1 2.5 x\n") * 2, "consists of several gzip files"),
    "packed.run.zst": (b"\x28\xb5\x2f\xfd" + bytes(20), "is a zstd-compressed file"),
    "returns.csv": ("query_id,doc_id,score\rq1,d1,1\r", "ends its lines with carriage returns alone"),
    "array.json": ('[{"query_id": "q1", "doc_id": "d1", "score": 1}]', "has an array of JSON"),
    "by_query.json": ('{"q1": {"d1": 1, "d2": 0}}', "has JSON by query"),
    "latin.csv": ("query_id,doc_id,score\nq1,d\u00e9,1\n".encode("latin-1"), "line 2: it is not valid UTF-8"),
    "nul.run": (b"q1 Q0 d1 1 2.5 x\nq1 Q0 d\0 2 2.0 x\n", "line 2: it holds a NUL byte"),
    "twice.csv": ("query_id,doc_id,score,score\nq1,d1,1,2\n", "the header names 'score' twice"),
    "large.run": (f"q1 Q0 d1 1 {2**53 + 1} x\n", "is a whole number beyond 2^53"),
    "nan.run": ("q1 Q0 d1 1 nan x\nq1 Q0 d2 2 1.0 x\n", "score 'nan' is not a finite number"),
    "quote.csv": ('query_id,doc_id,score\nq1,"d1,1\n', "a quote is opened and never closed"),
    "bad.jsonl": ('{"query_id": "q1", "doc_id": "d1", "score": 1}\n{"query_id": 1.5}\n', "line 2: query_id"),
    "keys.jsonl": ('{"query_id": "q1", "doc_id": "d1", "doc_id": "d2", "score": 1}\n', "has the key 'doc_id' twice"),
    "texts.tsv": ("1\tHow are irons sharpened?\n2\tHow does wood dry?\n", "texts between tabs"),
    "many.run": ("q1 Q0 d1 1 2.5 x y\n" * 30, "30 lines do not parse"),
}


def test_wrong_files_are_refused_by_what_they_are(opened: Callable[..., Opened], tmp_path: Path) -> None:
    paths = [written(tmp_path, name, content) for name, (content, _) in WRONG.items()]
    watched = opened()
    choose(watched, *paths)
    for path, item in zip(paths, watched.page.locator("ul.files > li").all(), strict=True):
        said = item.get_by_role("alert").all_inner_texts()
        assert said, (path.name, item.inner_text())
        assert path.name in said[0]
        assert WRONG[path.name][1] in said[0]
    assert watched.query("SELECT table_name FROM duckdb_tables()") == []


def test_json_lines(opened: Callable[..., Opened], tmp_path: Path) -> None:
    first = '{"query-id": 9007199254740993, "corpus-id": "d\\u00f8", "score": 1.0}'
    text = first + '\n{"score": 2, "query-id": 2, "corpus-id": "d"}\n'
    path = written(tmp_path, "beir.jsonl", text)
    watched = opened()
    choose(watched, path)
    expected = ir.read_qrels(path, relevance=float)
    assert rows(watched, "beir", "query_id, doc_id, relevance") == sorted(expected.rows())


DROP = """([text, name]) => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([text], name));
    document.body.dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }));
}"""


def test_files_are_dropped_stopped_and_removed(opened: Callable[..., Opened], tmp_path: Path) -> None:
    watched = opened()
    page = watched.page
    page.evaluate(DROP, ["q1 Q0 d1 1 2.5 x\nq1 Q0 d2 2 1.5 x\n", "<b>.run"])
    page.get_by_text("_b_: run, 2 rows").wait_for()
    assert rows(watched, "_b_") == [("<b>", "q1", "d1", 2.5), ("<b>", "q1", "d2", 1.5)]
    large = written(
        tmp_path, "large.run", "".join(f"q{i // 1000} Q0 document-{i} {i % 1000} {-i} x\n" for i in range(900_000))
    )
    page.locator("input[type=file]").set_input_files(str(large))
    page.get_by_role("button", name="Stop reading large.run").click()
    page.get_by_text("large.run: reading was stopped.").wait_for()
    assert watched.query("SELECT count(*) FROM duckdb_tables()") == [[1]]
    page.get_by_role("button", name="Read it again").last.click()
    page.get_by_text("large: run, 900,000 rows").wait_for(timeout=120_000)
    assert watched.query("SELECT count(*), sum(score) FROM large") == [[900_000, -404999550000]]
    page.get_by_role("button", name="Remove large.run").press("Enter")
    page.locator("ul.files[aria-busy=false]").wait_for()
    assert watched.query("SELECT table_name FROM duckdb_tables()") == [["_b_"]]
    assert watched.messages == []


def test_examples_are_evaluated(opened: Callable[..., Opened]) -> None:
    for kind, table in (("labels", "labels: labels, 20,877 rows"), ("clusters", "clusters: clusters, 17 rows")):
        watched = opened()
        watched.page.get_by_role("button", name=f"Example: {kind}").click()
        watched.page.get_by_text(table).wait_for()
        watched.page.get_by_role("button", name="Evaluate").click()
        watched.page.locator("#results").get_by_role("table").first.wait_for()
