"""Lazy frames read when collected, only what is asked for, batch by batch, and as often as they are used."""

from __future__ import annotations

import gc
import io
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import polars as pl
import pytest

from ireval_frames.errors import MalformedFile
from ireval_frames.io import read_run, scan_qrels, scan_run
from tests.io.samples import CLEAN

MANY = "".join(f"q{n // 10} Q0 d{n} {n % 10 + 1} {-n}.5 t\n" for n in range(300))


def test_bad_lines_are_reported_when_collected(write_file):
    frame = scan_run(write_file(CLEAN + b"bad\n"))
    assert frame.collect_schema() == {
        "run_id": pl.String,
        "query_id": pl.String,
        "doc_id": pl.String,
        "score": pl.Float64,
    }
    with pytest.raises(MalformedFile):
        frame.collect()


def test_later_content_is_read(write_file):
    path = write_file(CLEAN)
    frame = scan_run(path)
    path.write_bytes(CLEAN * 2)
    assert frame.collect().height == 6
    assert frame.collect().height == 6


@pytest.mark.parametrize("engine", ["in-memory", "streaming"])
@pytest.mark.usefixtures("small_chunks")
def test_queries_on_the_lazy_frame(write_file, engine):
    lazy = scan_run(write_file(MANY), rank=True)
    eager = lazy.collect(engine=engine)
    assert eager.height == 300
    same = [
        lambda f: f.select("score"),
        lambda f: f.select("rank", "run_id"),
        lambda f: f.select(pl.len()),
        lambda f: f.filter(pl.col("query_id") == "q7").select("doc_id"),
        lambda f: f.filter(pl.col("score") < -200).head(3),
        lambda f: f.head(7).filter(pl.col("rank") > 5),
        lambda f: f.head(0),
        lambda f: f.slice(100, 50),
        lambda f: f.tail(3),
        lambda f: f.filter(pl.col("query_id") == "none"),
        lambda f: f.with_row_index().filter(pl.col("index") % 50 == 3),
        lambda f: f.join(f.group_by("query_id").agg(pl.col("score").max().alias("best")), on="query_id").sort("doc_id"),
    ]
    for query in same:
        assert query(lazy).collect(engine=engine).equals(query(eager.lazy()).collect(engine=engine))


@pytest.mark.usefixtures("small_chunks")
def test_first_rows_do_not_need_the_rest(write_file):
    assert scan_run(write_file(MANY + "bad\n")).head(5).collect().height == 5


@pytest.mark.usefixtures("small_chunks")
def test_batches(write_file):
    batches = list(scan_run(write_file(MANY)).collect_batches(chunk_size=20, maintain_order=True))
    assert len(batches) > 10
    assert pl.concat(batches).equals(read_run(write_file(MANY)))


def test_a_plan_that_uses_the_scan_twice_can_share_it(write_file, monkeypatch):
    from ireval_frames.io.text import chunks

    opened = []
    stream = chunks.Stream
    monkeypatch.setattr(chunks, "Stream", lambda *args: opened.append(args) or stream(*args))
    frame = scan_run(write_file(CLEAN))
    joined = frame.join(frame.group_by("query_id").agg(pl.len()), on="query_id")
    assert joined.collect(engine="in-memory").height == 3
    assert len(opened) == 1
    opened.clear()
    cached = scan_run(write_file(CLEAN)).cache()
    assert cached.join(cached.group_by("query_id").agg(pl.len()), on="query_id").collect(engine="streaming").height == 3
    assert len(opened) == 1


@pytest.mark.usefixtures("small_chunks")
def test_threads_end(write_file):
    for _ in range(4):
        scan_run(write_file(MANY)).head(1).collect()
        with pytest.raises(MalformedFile):
            scan_run(write_file(MANY + "bad")).collect()
    gc.collect()
    for _ in range(1200):
        alive = [t.name for t in threading.enumerate() if t.name.startswith("ireval")]
        if not alive:
            break
        time.sleep(0.05)
    assert alive == []


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="open files are counted on Linux")
def test_files_are_closed(write_file):
    path = write_file(MANY)
    frame = scan_run(path)
    open_before = len(list(Path("/proc/self/fd").iterdir()))
    for _ in range(10):
        frame.head(1).collect()
        frame.collect()
    gc.collect()
    # A thread that reads may still close its file.
    until = time.monotonic() + 60
    while len(list(Path("/proc/self/fd").iterdir())) > open_before + 2:
        assert time.monotonic() < until
        time.sleep(0.02)


def test_standard_input(monkeypatch):
    class Input:
        buffer = io.BytesIO(CLEAN)

    monkeypatch.setattr(sys, "stdin", Input)
    frame = scan_run("-")
    assert frame.collect()["run_id"].unique().to_list() == ["stdin"]
    assert frame.collect().height == 3


def test_standard_input_of_a_process():
    import gzip

    root = Path(__file__).parents[2]
    code = "from ireval_frames.io import read_qrels; print(read_qrels('-').rows())"
    done = subprocess.run(
        [sys.executable, "-c", code], input=gzip.compress(b"q 0 d 3\n"), capture_output=True, cwd=root, check=True
    )
    assert done.stdout.decode().strip() == "[('q', 'd', 3)]"
    broken = subprocess.run(
        [sys.executable, "-c", code], input=b"q 0 d x\n", capture_output=True, cwd=root, check=False
    )
    assert b"standard input, line 1: relevance 'x'" in broken.stderr


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="elsewhere the copy has a name until the process ends")
def test_no_copy_of_standard_input_is_left(tmp_path):
    code = (
        "import os, signal; from ireval_frames.io import scan_qrels; frame = scan_qrels('-'); "
        "print(frame.collect().height, flush=True); os.kill(os.getpid(), signal.SIGKILL)"
    )
    killed = subprocess.run(
        [sys.executable, "-c", code],
        input=b"q 0 d 3\n",
        capture_output=True,
        cwd=Path(__file__).parents[2],
        env=os.environ | {"TMPDIR": str(tmp_path)},
        timeout=60,
        check=False,
    )
    assert (killed.returncode, killed.stdout.strip()) == (-signal.SIGKILL, b"1")
    assert list(tmp_path.iterdir()) == []


def test_typed_standard_input(monkeypatch):
    data = io.BytesIO()
    pl.DataFrame({"query_id": ["q"], "doc_id": ["d"], "relevance": [1]}).write_parquet(data)

    class Input:
        buffer = io.BytesIO(data.getvalue())

    monkeypatch.setattr(sys, "stdin", Input)
    frame = scan_qrels("-")
    gc.collect()
    assert frame.collect().rows() == [("q", "d", 1)]
