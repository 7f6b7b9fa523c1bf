"""The spinner: on a terminal, after a while, and never left behind."""

import io
import time

import pytest

from ireval_frames.cli import progress


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture
def terminal(monkeypatch):
    stream = Terminal()
    monkeypatch.setattr("sys.stderr", stream)
    monkeypatch.setattr(progress, "PATIENCE", 0.05)
    monkeypatch.setenv("TERM", "xterm")
    return stream


def test_long_work_shows_what_is_done(terminal) -> None:
    deadline = time.monotonic() + 20
    with progress.working("counting"):
        while "counting" not in terminal.getvalue() and time.monotonic() < deadline:
            time.sleep(0.05)
    assert "counting" in terminal.getvalue()


def test_short_work_shows_nothing(terminal) -> None:
    with progress.working("counting"):
        pass
    time.sleep(0.2)
    assert terminal.getvalue() == ""


def test_nothing_where_no_one_looks(monkeypatch) -> None:
    stream = io.StringIO()
    monkeypatch.setattr("sys.stderr", stream)
    monkeypatch.setattr(progress, "PATIENCE", 0.0)
    with progress.working("counting"):
        time.sleep(0.1)
    assert stream.getvalue() == ""
