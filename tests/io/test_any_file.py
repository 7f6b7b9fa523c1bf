"""Tables whose columns the caller names, from CSV and TSV files: text stays text, and no line is lost or filled up."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

import ireval_frames as ir
from ireval_frames.errors import FileError, MalformedFile
from ireval_frames.io import scan_table


def written(folder: Path, text: str | bytes, name: str = "table.csv") -> Path:
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def test_text_stays_text(tmp_path: Path) -> None:
    path = written(tmp_path, '\ufefflabel,"cluster id"\r\n007,\r\nNA,"a,b"\r\n')
    assert scan_table(path).collect().to_dict(as_series=False) == {"label": ["007", "NA"], "cluster id": [None, "a,b"]}
    assert scan_table(path).select("cluster id").collect().height == 2
    assert scan_table(written(tmp_path, "a\tb\n1\t2\n", "t.tsv")).collect().rows() == [("1", "2")]


@pytest.mark.parametrize("line, number", [("a", 3), ("a,b,c", 3), ('"a,b', 3)])
def test_lines_that_do_not_fit_are_reported(tmp_path: Path, line: str, number: int) -> None:
    path = written(tmp_path, f"label,prediction\na,b\n{line}\n")
    with pytest.raises(MalformedFile, match=rf"line {number}"):
        ir.Labels(path).evaluate("Accuracy").summary()


def test_files_that_are_no_tables(tmp_path: Path) -> None:
    for content in (b"", b"\xff\xfe\n", b"label,label\na,b\n"):
        with pytest.raises(FileError):
            scan_table(written(tmp_path, content))
    with pytest.raises(FileError, match="no rows"):
        ir.Labels(written(tmp_path, "label,prediction\n")).evaluate("Accuracy").summary()


def test_large_files_are_read_in_parts(tmp_path: Path) -> None:
    frame = pl.DataFrame(
        {"label": pl.int_range(300_000, eager=True) % 7, "prediction": pl.int_range(300_000, eager=True) % 5}
    )
    frame.write_csv(tmp_path / "many.csv")
    assert ir.Labels(tmp_path / "many.csv").evaluate("NumItems").summary()["value"].item() == 300_000
