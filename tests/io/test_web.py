"""Servers of the web that are not as they should be, and folders of stores that are not as those of this machine."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler

import pytest

from ireval_frames.errors import FileError
from ireval_frames.io import read_run
from ireval_frames.io.storage import web
from tests.io.stores import Bucket, alone, answering, parquet
from tests.io.test_partitions import ROWS
from tests.io.test_remote import BOTH, evaluated

LINES = "".join(f"{q} Q0 {d} 1 {s} x\n" for q, d, s in ROWS.iter_rows()).encode()
Handler = BaseHTTPRequestHandler


@contextmanager
def server(get: Callable[[Handler], None]) -> Iterator[str]:
    """A server whose answers to HEAD are in order, and whose answers to GET are what the test says."""

    class Answers(Handler):
        def do_HEAD(self) -> None:
            self.send_response(200)
            self.send_header("Content-Length", str(len(LINES)))
            self.end_headers()

        def do_GET(self) -> None:
            get(self)

        def log_message(self, *_: object) -> None:
            pass

    with answering(Answers) as address, alone():
        yield address


def whole(handler: Handler, content: bytes = LINES, *, length: int | None = None) -> None:
    """Neither parts nor, unless asked for, a length."""
    handler.send_response(200)
    if length is not None:
        handler.send_header("Content-Length", str(length))
    handler.end_headers()
    handler.wfile.write(content)
    handler.close_connection = True


def test_text_needs_neither_parts_nor_a_length() -> None:
    with server(whole) as host:
        assert read_run(f"http://{host}/bm25.run").height == 3
        assert evaluated(f"HTTP://{host}/bm25.run") == {"bm25": 0.75}
        with pytest.raises(FileError, match=r"(?s)its server does not support range requests.*Download it"):
            evaluated(f"http://{host}/bm25.parquet")


def test_an_answer_that_breaks_off() -> None:
    with (
        server(lambda handler: whole(handler, length=len(LINES) + 9)) as host,
        pytest.raises(FileError, match=rf"bm25\.run broke off after {len(LINES)} of {len(LINES) + 9} bytes"),
    ):
        read_run(f"http://{host}/bm25.run")


@pytest.mark.parametrize("name", ["bm25.run", "bm25.parquet"])
def test_a_server_that_falls_silent(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setattr(web, "TIMEOUT", 0.3)
    done = threading.Event()
    started = time.monotonic()
    with server(lambda _: done.wait(120) and None) as host:
        with pytest.raises(FileError, match="does not answer"):
            evaluated(f"http://{host}/{name}")
        assert time.monotonic() - started < 60
        done.set()


@pytest.mark.parametrize("name", ["bm25.run", "bm25.parquet"])
def test_a_server_that_fails_is_asked_three_times(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setattr(web, "DELAY", 0.01)
    requested: list[str] = []

    def fails(handler: Handler) -> None:
        requested.append(handler.path)
        handler.send_error(503)

    with server(fails) as host, pytest.raises(FileError, match="its server answers 503"):
        evaluated(f"http://{host}/{name}")
    assert len(requested) == 3


# ---- folders of stores


def test_a_store_alone() -> None:
    with pytest.raises(FileError, match=r"s3:// names nothing in its store"):
        read_run("s3://")


@BOTH
def test_hidden_folders_are_passed_over(bucket: Bucket, engine: str) -> None:
    for key in ("run_id=a/part-0.parquet", "run_id=a/.staging/x.parquet", "_temporary/0/run_id=b/x.parquet"):
        bucket.upload(f"runs/{key}", ROWS)
    assert evaluated(bucket.url("runs/"), engine, storage_options=bucket.options) == {"a": 0.75}
    assert evaluated(bucket.url("runs/**/*.parquet"), engine, storage_options=bucket.options) == {"a": 0.75}


@BOTH
@pytest.mark.parametrize(
    "keys, says",
    [
        (("run_id=a/x.parquet", "x.parquet"), "name no column, those of .* the column run_id|name the column run_id"),
        (("run_id=a/x.parquet", "model=b/x.parquet"), "the column model, those of|the column run_id, those of"),
        (("run_id=k1=0.9/x.parquet", "run_id=k1=1/x.parquet"), r"(?s)has a second '='.*%3D"),
        (("run_id=a/run_id=b/x.parquet",), "two of its folders name the column run_id"),
        (("run_id=a/x.parquet", "run_id=a/x.PARQUET"), r"(?s)holds Parquet files and others.*\*\*/\*\.parquet"),
    ],
)
def test_folders_that_do_not_fit_together(bucket: Bucket, engine: str, keys: tuple[str, ...], says: str) -> None:
    for key in keys:
        bucket.upload(f"runs/{key}", parquet(ROWS))
    with pytest.raises(FileError, match=says):
        evaluated(bucket.url("runs/"), engine, storage_options=bucket.options)
