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


def test_judgments_and_runs_are_those_of_python(opened: Callable[..., Opened]) -> None:
    watched = opened()
    judgments = [LINES / "judgments" / f"{name}.txt" for name in JUDGMENTS]
    choose(watched, *judgments)
    for path in judgments:
        expected = ir.read_qrels(path).with_columns(pl.col("relevance").cast(pl.Float64))
        columns = ", ".join(expected.columns)
        assert rows(watched, path.stem, columns) == sorted(expected.rows()), path
    runs = [LINES / "runs" / f"{name}.run" for name in RUNS]
    for path in runs:
        watched = opened()
        choose(watched, path)
        expected = ir.read_run(path)
        assert rows(watched, path.stem, ", ".join(expected.columns)) == sorted(expected.rows()), path
    assert watched.messages == []


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
    assert "id is item_id, gold is label, predicted is prediction." in watched.page.locator("ul.files").inner_text()


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
