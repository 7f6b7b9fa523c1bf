"""Pipes, folders with odd names, and files that are others by the time they are read."""

from __future__ import annotations

import bz2
import lzma
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import polars as pl
import pytest

import ireval_frames as ir
from ireval_frames.errors import FileError, InvalidValue
from ireval_frames.io import scan_table
from tests.io.test_partitions import QRELS, ROWS, evaluated, write

BOTH = pytest.mark.parametrize("engine", ["polars", "duckdb"])
LINES = "".join(f"{q} Q0 {d} 1 {s} x\n" for q, d, s in ROWS.iter_rows()).encode()


@contextmanager
def pipe(content: bytes) -> Iterator[str]:
    """What a shell writes for `<(…)`."""
    reading, writing = os.pipe()
    thread = threading.Thread(target=_fill, args=(writing, content))
    thread.start()
    try:
        yield f"/dev/fd/{reading}"
    finally:
        os.close(reading)
        thread.join(10)


def _fill(writing: int, content: bytes) -> None:
    with os.fdopen(writing, "wb") as stream:
        stream.write(content)


@pytest.mark.skipif(not Path("/dev/fd").exists(), reason="pipes have no names here")
@BOTH
def test_pipes_lose_no_rows(engine: str, tmp_path: Path) -> None:
    many = ROWS.join(pl.DataFrame({"n": range(5000)}), how="cross").with_columns(doc_id=pl.col("doc_id") + pl.col("n").cast(pl.String))  # fmt: skip  # noqa: E501
    text = "".join(f"{q} Q0 {d} 1 {s} x\n" for q, d, s, _ in many.iter_rows()).encode()
    with pipe(text) as path:
        assert ir.read_run(path).height == 15_000
    with pipe(LINES) as path:
        assert list(evaluated(path, engine).values()) == [0.75]
    with pipe(ir.examples.labels().write_csv().encode()) as path:
        assert ir.Labels(path, engine=engine).evaluate("NumItems").summary()["value"].item() == 8
    os.mkfifo(tmp_path / "bm25.run")
    thread = threading.Thread(target=(tmp_path / "bm25.run").write_bytes, args=(LINES,))
    thread.start()
    assert evaluated(tmp_path / "bm25.run", engine) == {"bm25": 0.75}
    thread.join(10)


@BOTH
@pytest.mark.parametrize(
    "names, says",
    [
        (("run_id=k1=0.9", "run_id=k1=1.2"), r"(?s)'run_id=k1=0\.9' has a second '='\..*\n.*run_id=k1%3D0\.9"),
        (("run_id=a/run_id=b",), r"(?s)two of its folders name the column run_id\..*Rename"),
        (("run_id=a/RUN_ID=b",), r"two of its folders name the column RUN_ID\."),
    ],
)
def test_names_that_engines_would_read_otherwise(tmp_path: Path, engine: str, names, says: str) -> None:
    with pytest.raises(FileError, match=says):
        evaluated(write(tmp_path / "runs", **dict.fromkeys(names, ROWS)), engine)
    for name in names:
        with pytest.raises(FileError, match=says.replace(r"k1=0\.9", r"k1=\S+").replace(r"k1%3D0\.9", "k1%3D")):
            evaluated(tmp_path / "runs" / name / "part-0.parquet", engine)


@BOTH
def test_a_column_that_differs_from_the_folder_in_case(tmp_path: Path, engine: str) -> None:
    inside = ROWS.with_columns(run_id=pl.lit("inside"))
    with pytest.raises(FileError, match=r"(?s)a column 'run_id', and its folder names 'RUN_ID'"):
        evaluated(write(tmp_path / "runs", **{"RUN_ID=a": inside}), engine)


@BOTH
@pytest.mark.parametrize("name", ["runs[1]", "run*s", "runs?"])
def test_folders_with_the_signs_of_patterns(tmp_path: Path, engine: str, name: str) -> None:
    assert evaluated(write(tmp_path / name, **{"run_id=[a]": ROWS, "run_id=b": ROWS}), engine) == {"[a]": 0.75, "b": 0.75}  # noqa: E501  # fmt: skip
    assert evaluated(write(tmp_path, **{f"plain{name}": ROWS}) / f"plain{name}", engine) == {f"plain{name}": 0.75}


@BOTH
def test_files_below_folders_that_name_no_runs(tmp_path: Path, engine: str) -> None:
    (folder := tmp_path / "year=2026").mkdir()
    for name in ("a", "b"):
        ROWS.write_parquet(folder / f"{name}.parquet")
    want = {"a": 0.75, "b": 0.75}
    assert evaluated(f"{folder}/*.parquet", engine) == want
    assert evaluated([folder / "a.parquet", folder / "b.parquet"], engine) == want
    assert evaluated(f"{tmp_path}/**/*.parquet", engine) == want
    assert scan_table(f"{folder}/*.parquet").collect().height == 6


@BOTH
def test_a_folder_without_a_name_of_its_own(tmp_path: Path, engine: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(write(tmp_path, bm25=ROWS) / "bm25")
    assert evaluated(".", engine) == {"bm25": 0.75}
    assert evaluated(f"{Path('..') / 'bm25'}", engine) == {"bm25": 0.75}
    with pytest.raises(FileError, match="The path is empty"):
        evaluated("", engine)


@BOTH
def test_paths_that_are_no_files(tmp_path: Path, engine: str) -> None:
    with pytest.raises(FileError, match="xxx cannot be opened: File name too long"):
        evaluated(tmp_path / ("x" * 5000), engine)
    folder = write(tmp_path / "runs", **{"run_id=a": ROWS})
    (folder / "run_id=a" / "part-2.parquet").symlink_to(folder / "gone.parquet")
    with pytest.raises(FileError, match=r"part-2\.parquet is a link to .*gone\.parquet, which does not exist"):
        evaluated(folder, engine)
    (folder / "run_id=a" / "part-2.parquet").unlink()
    (folder / "run_id=a" / "again").symlink_to(folder)
    with pytest.raises(FileError, match=r"run_id=a/again is a link to a folder that contains it") as caught:
        evaluated(folder, engine)
    assert len(str(caught.value)) < 400


@pytest.mark.parametrize("compress, suffix", [(bz2.compress, "bz2"), (lzma.compress, "xz")])
def test_what_stands_behind_a_compressed_stream(write_file, compress, suffix: str) -> None:
    one, two = compress(LINES), bytearray(compress(LINES.replace(b" Q0 ", b" Q0 x")))
    name = f"a.run.{suffix}"
    assert ir.read_run(write_file(one + bytes(two) + b"\0" * 8, name)).height == 6
    two[1] ^= 0xFF
    for rest in (bytes(two), b"and more", b"\0\0\0\0x"):
        with pytest.raises(FileError, match=rf"a\.run\.{suffix} is a (damaged|truncated)"):
            ir.read_run(write_file(one + rest, name))
    two[1] ^= 0xFF
    with pytest.raises(FileError, match="truncated"):
        ir.read_run(write_file(one + bytes(two[:-5]), name))


@BOTH
def test_what_was_looked_at_is_read(tmp_path: Path, engine: str) -> None:
    folder = write(tmp_path / "runs", **{"run_id=a": ROWS, "run_id=b": ROWS})
    evaluation = ir.evaluate(QRELS, folder, "RR", engine=engine)
    write(folder, **{"run_id=late": ROWS})
    assert set(evaluation.summary()["run_id"]) == {"a", "b"}
    evaluation = ir.evaluate(QRELS, folder, "RR", engine=engine)
    (folder / "run_id=a" / "part-1.parquet").unlink()
    with pytest.raises(FileError, match=r"run_id=a/part-1\.parquet"):
        evaluation.summary()


def test_a_header_that_is_another_by_now(tmp_path: Path) -> None:
    path = tmp_path / "bm25.csv"
    ROWS.write_csv(path)
    run, table = ir.io.scan_run(path), scan_table(path)
    ROWS.select("doc_id", "query_id", "score").write_csv(path)
    for frame in (run, table):
        with pytest.raises(FileError, match=r"(?s)bm25\.csv has changed since.*'query_id,doc_id,score'"):
            frame.collect()


@BOTH
def test_all_rows_that_break_a_rule_are_counted(tmp_path: Path, engine: str) -> None:
    rows = pl.DataFrame({"query_id": pl.int_range(1_200_000, eager=True) // 1000}).with_columns(
        doc_id=pl.int_range(pl.len()) % 1000, score=pl.when(pl.int_range(pl.len()) % 400_000 > 0).then(1.0)
    )
    rows.write_parquet(tmp_path / "bm25.parquet")
    qrels = pl.DataFrame({"query_id": [1], "doc_id": [7], "relevance": [1]})
    with pytest.raises(InvalidValue, match=r"in 3 rows"):
        ir.evaluate(qrels, tmp_path / "bm25.parquet", "RR", engine=engine).summary()
