"""Files that are cut off, overwritten or replaced behind a sound end: an error that names the file, on every engine."""

from __future__ import annotations

import os
import struct
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest

import ireval_frames as ir
from ireval_frames.engines.polars.batches import batches
from ireval_frames.errors import FileError
from ireval_frames.io import scan_table

BOTH = pytest.mark.parametrize("engine", ["polars", "duckdb"])
N = 400_000
LONG = pl.DataFrame(
    {
        "query_id": pl.int_range(N, eager=True) // 1000,
        "doc_id": pl.int_range(N, eager=True) % 1000,
        "score": pl.int_range(N, eager=True) * -1.0,
    }
)
QRELS = pl.DataFrame({"query_id": [1, 2, 399], "doc_id": [7, 8, 9], "relevance": [1, 1, 1]})


def write(path: Path, rows: pl.DataFrame = LONG) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    rows.write_parquet(path, compression="uncompressed", row_group_size=50_000)
    return path


def cut_inside(path: Path) -> None:
    """The end is sound, and before it two fifths are gone."""
    content = path.read_bytes()
    end = 8 + struct.unpack("<I", content[-8:-4])[0]
    path.write_bytes(content[: len(content[:-end]) * 6 // 10] + content[-end:])


def overwritten(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[4:9000] = os.urandom(8996)
    path.write_bytes(content)


def evaluated(run: object, engine: str) -> dict[str, float]:
    summary = ir.evaluate(QRELS, run, "NumRet", engine=engine).summary()
    return dict(summary.select("measure", "value").iter_rows())


@BOTH
@pytest.mark.parametrize("spoil", [cut_inside, overwritten])
def test_a_file(tmp_path: Path, engine: str, spoil: Callable[[Path], None]) -> None:
    spoil(path := write(tmp_path / "bm25.parquet"))
    with pytest.raises(FileError, match=r"(?s)bm25\.parquet is a damaged parquet file: .*write it again"):
        evaluated(path, engine)


@BOTH
@pytest.mark.parametrize("spoil", [cut_inside, overwritten])
def test_one_of_a_folder(tmp_path: Path, engine: str, spoil: Callable[[Path], None]) -> None:
    paths = [write(tmp_path / "runs" / f"run_id={name}" / "part-0.parquet") for name in "abc"]
    spoil(paths[1])
    with pytest.raises(FileError, match=r"(?s)run_id=b/part-0\.parquet is a damaged parquet file: .*write it again"):
        evaluated(tmp_path / "runs", engine)


@BOTH
def test_columns_that_reach_duckdb_in_pieces(tmp_path: Path, engine: str) -> None:
    cut_inside(path := write(tmp_path / "bm25.parquet", LONG.with_columns(pl.col("doc_id").cast(pl.UInt32))))
    with pytest.raises(FileError, match=r"bm25\.parquet is a damaged parquet file"):
        evaluated(path, engine)


@BOTH
def test_one_that_is_replaced_after_it_was_looked_at(tmp_path: Path, engine: str) -> None:
    path = write(tmp_path / "bm25.parquet")
    evaluation = ir.evaluate(QRELS, path, "NumRet", engine=engine)
    path.write_bytes(path.read_bytes()[:5000])
    with pytest.raises(FileError, match=r"bm25\.parquet is a damaged parquet file"):
        evaluation.summary()


@BOTH
def test_an_arrow_file(tmp_path: Path, engine: str) -> None:
    path = tmp_path / "bm25.arrow"
    pl.concat([LONG[i : i + 50_000] for i in range(0, N, 50_000)], rechunk=False).write_ipc(path, compression="zstd")
    content = path.read_bytes()
    path.write_bytes(content[: len(content) // 2])
    with pytest.raises(FileError, match=r"bm25\.arrow is a damaged arrow file"):
        evaluated(path, engine)
    path.write_bytes(content)
    evaluation = ir.evaluate(QRELS, path, "NumRet")
    path.write_bytes(content[: len(content) // 2])
    with pytest.raises(FileError, match=r"bm25\.arrow is a damaged"):
        evaluation.summary()


@BOTH
def test_items(tmp_path: Path, engine: str) -> None:
    cut_inside(path := write(tmp_path / "items.parquet", LONG.select(label="query_id", prediction="query_id")))
    with pytest.raises(FileError, match=r"items\.parquet is a damaged parquet file"):
        ir.Labels(path, engine=engine).evaluate("Accuracy").summary()


def test_readers(tmp_path: Path) -> None:
    cut_inside(path := write(tmp_path / "bm25.parquet"))
    with pytest.raises(FileError, match=r"bm25\.parquet is a damaged parquet file"):
        ir.read_run(path)
    cut_inside(path := write(tmp_path / "q.parquet", LONG.select("query_id", "doc_id", relevance=pl.lit(1))))
    with pytest.raises(FileError, match=r"q\.parquet is a damaged parquet file"):
        ir.read_qrels(path)


# ---- reading in batches


def test_batches_are_the_rows_in_order(tmp_path: Path) -> None:
    path = write(tmp_path / "a.parquet")
    assert pl.concat(batches(pl.scan_parquet(path), 30_000)).equals(LONG)
    assert pl.concat(batches(scan_table(path))).equals(LONG)
    assert sum(batch.height for batch in batches(pl.scan_parquet(path).head(0))) == 0


def test_what_goes_wrong_is_raised_behind_the_last_batch(tmp_path: Path) -> None:
    cut_inside(path := write(tmp_path / "a.parquet"))
    with pytest.raises(pl.exceptions.PanicException):
        list(batches(pl.scan_parquet(path), 30_000))


def test_whoever_stops_leaves_no_thread(tmp_path: Path) -> None:
    reading = batches(pl.scan_parquet(write(tmp_path / "a.parquet")), 1000)
    next(reading)
    reading.close()
    until = time.monotonic() + 60
    while any(thread.name == "ireval-batches" for thread in threading.enumerate()):
        assert time.monotonic() < until
        time.sleep(0.01)


def test_a_process_that_stops_halfway_ends(tmp_path: Path) -> None:
    path = write(tmp_path / "a.parquet")
    program = (
        "import sys, polars as pl\n"
        "from ireval_frames.engines.polars.batches import batches\n"
        "reading = batches(pl.scan_parquet(sys.argv[1]), 1000)\n"
        "print(next(reading).height)\n"
    )
    command = [sys.executable, "-c", program, str(path)]
    done = subprocess.run(command, check=False, capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout) == (0, "1000\n"), done.stderr


def test_plans_of_the_caller_name_their_file(tmp_path: Path) -> None:
    cut_inside(path := write(tmp_path / "bm25.parquet"))
    qrels = LONG.select("query_id", "doc_id", relevance=pl.lit(1)).head(10)
    with pytest.raises(FileError, match=r"bm25\.parquet is a damaged parquet file"):
        ir.evaluate(qrels, ir.io.scan_run(path), "RR").summary()
