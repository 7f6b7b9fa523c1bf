"""Files of another kind than asked are named for what they are; lines in another order, for what they look like."""

from __future__ import annotations

import gzip
import io
import pickle
import sqlite3
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import duckdb
import numpy as np
import polars as pl
import pytest

import ireval_frames as ir
from ireval_frames.errors import FileError, MalformedFile
from ireval_frames.io import read_qrels, read_queries, read_run, scan_table
from tests.io.samples import CLEAN


def zipped(*members: str) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for member in members:
            archive.writestr(member, "x" * 100)
    return buffer.getvalue()


def tarred() -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as archive:
        archive.addfile(tarfile.TarInfo("bm25.run"))
    return buffer.getvalue()


def array(*, several: bool) -> bytes:
    buffer = io.BytesIO()
    np.savez(buffer, a=np.arange(3)) if several else np.save(buffer, np.arange(3))
    return buffer.getvalue()


def database(write: Callable[[str], None], folder: Path) -> bytes:
    path = folder / f"{write.__name__}.db"
    write(str(path))
    return path.read_bytes()


def of_sqlite(path: str) -> None:
    with sqlite3.connect(path) as con:
        con.execute("CREATE TABLE run (query_id TEXT)")
    con.close()


def of_duckdb(path: str) -> None:
    with duckdb.connect(path) as con:
        con.execute("CREATE TABLE run (query_id TEXT)")
        # What is still in the log is not in the file.
        con.execute("CHECKPOINT")


KINDS = {
    "workbook of Excel": zipped("[Content_Types].xml", "_rels/.rels", "xl/workbook.xml", "xl/worksheets/sheet1.xml"),
    "document of Word": zipped("[Content_Types].xml", "word/document.xml"),
    "spreadsheet of OpenDocument": b"PK\x03\x04"
    + b"\0" * 26
    + b"mimetypeapplication/vnd.oasis.opendocument.spreadsheetPK",
    "zip archive": zipped("bm25.run"),
    "old workbook": b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 100,
    "archive of NumPy": array(several=True),
    "NumPy array": array(several=False),
    "gzip-compressed file": gzip.compress(gzip.compress(CLEAN)),
    "tar archive": gzip.compress(tarred()),
    "pickle of Python": pickle.dumps({"q1": {"d1": 1.0}}),
    "PDF": b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n",
    "HTML": b"\n\n<!DOCTYPE html>\n<html><head><title>Sign in</title></head></html>\n",
    "XML": b'\xef\xbb\xbf<?xml version="1.0"?>\n<run/>\n',
    "topics of TREC": b"<top>\n<num> Number: 301\n</top>\n",
    "Git LFS": b"version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n",
    "picture": b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR",
}


def test_kinds_of_files_are_named_by_every_reader(tmp_path: Path) -> None:
    kinds = KINDS | {
        "SQLite database": database(of_sqlite, tmp_path),
        # It begins with a checksum, which may hold the end of a line.
        "DuckDB database": b"{\n\x1f\x8b\nO\xb1P" + database(of_duckdb, tmp_path)[8:],
    }
    readers: list[tuple[str, Callable[[Path], object]]] = [
        ("x.run", read_run),
        ("x.csv", read_qrels),
        ("x.tsv", read_queries),
        ("x.csv", scan_table),
        ("x.jsonl", scan_table),
        ("x.parquet", lambda path: ir.Labels(path).evaluate("Accuracy").summary()),
    ]
    for what, content in kinds.items():
        for name, read in readers:
            if what == "topics of TREC" and read is read_queries:
                continue
            path = tmp_path / name
            path.write_bytes(content)
            with pytest.raises(FileError) as caught:
                read(path)
            compressed = name == "x.parquet" and content.startswith(b"\x1f\x8b")
            assert ("gzip-compressed" if compressed else what) in str(caught.value), (what, name)
            assert caught.value.hint


def test_tables_under_a_wrong_name(tmp_path: Path) -> None:
    frame = pl.DataFrame({"label": ["a"], "prediction": ["a"]})
    frame.write_parquet(tmp_path / "items.csv")
    with pytest.raises(FileError, match=r"items\.csv is a Parquet file.*\n.*\.parquet"):
        scan_table(tmp_path / "items.csv")
    frame.write_ipc(tmp_path / "items.parquet")
    with pytest.raises(FileError, match="is an Arrow file, not a parquet file"):
        scan_table(tmp_path / "items.parquet")


def test_words_that_begin_like_files_are_text(write_file: Callable[..., Path]) -> None:
    for query in ("BZh9", "ORC", "RDX", "GIF9", "PK", "DUCK", "Obj", "LZI"):
        assert read_run(write_file(f"{query} Q0 d1 1 2.5 t\n"))["query_id"].to_list() == [query]


DOCUMENTS = ("GX000-1", "GX000-2", "GX001-9", "GX000-2", "GX777-1")


def lines(form: str) -> str:
    """Five judgments of two topics: `d` the document, `n` a small number, and what else stands there."""
    return "".join(
        f"{q} " + form.format(d=d, n=n % 2, i=1400 + n) + "\n"
        for n, (q, d) in enumerate(zip((1, 1, 1, 2, 2), DOCUMENTS, strict=True))
    )


@pytest.mark.parametrize(
    "text, message",
    [
        (lines("{i} {n} 0"), "be in the second"),
        (lines("{d} 0 {n}"), r"be in the second(.|\n)*print \$1, 0, \$2, \$4"),
        ("0 1 d1 1\n0 1 d2 0\n0 2 d1 0\n", "topics seem to be in the second"),
    ],
)
def test_judgments_in_another_order_are_refused(write_file: Callable[..., Path], text: str, message: str) -> None:
    path = write_file(text, "qrels.txt")
    for relevance in (int, float):
        with pytest.raises(MalformedFile, match=message):
            read_qrels(path, relevance=relevance)
    # Who knows better says so.
    assert read_qrels(path, format="trec").height == text.count("\n")


@pytest.mark.parametrize(
    "text, columns",
    [
        (lines("x g {d} {n}"), ["assessor_id", "subgroup_id"]),
        (lines("0 0 {d} 0.5"), ["assessor_id", "subgroup_id"]),
        (lines("0 {d} 0"), []),
        ("".join(f"1 a pair{n // 2} d{n % 3} {n % 2}\n" for n in range(12)), ["assessor_id", "subgroup_id"]),
        ("1 1 d1 1\n1 2 d5 0\n1 1 d2 1\n1 3 d3 1\n2 1 d4 1\n", []),
        (lines("{n} {i} 1"), []),
        (lines("0 {i} {n}"), []),
    ],
)
def test_judgments_in_their_order_are_read(write_file: Callable[..., Path], text: str, columns: list[str]) -> None:
    frame = read_qrels(write_file(text, "qrels.txt"), relevance=float)
    assert frame.columns == ["query_id", "doc_id", "relevance", *columns]
    assert frame["doc_id"].n_unique() >= 3


def test_runs_in_another_order_are_refused(write_file: Callable[..., Path]) -> None:
    text = "".join(f"{q} d{q} Q0 1 2.5 bm25\n" for q in (1, 2, 3))
    with pytest.raises(MalformedFile, match=r"'Q0'.*documents seem to be in the second"):
        read_run(write_file(text))
    assert read_run(write_file("1 Q0 d1 1 2.5 t\n2 Q0 d1 1 2.5 t\n")).height == 2
