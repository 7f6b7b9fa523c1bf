"""The spinner: on a terminal, after a while, and never left behind."""

import io
import time

import pytest

from ireval_frames.cli.output import running


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def looking(monkeypatch: pytest.MonkeyPatch, stream: io.StringIO, patience: float) -> io.StringIO:
    """Standard error as a stream; not a fixture, since pytest sets its own anew for every phase of a test."""
    monkeypatch.setattr("sys.stderr", stream)
    monkeypatch.setattr(running, "PATIENCE", patience)
    monkeypatch.setenv("TERM", "xterm")
    return stream


def test_long_work_shows_what_is_done(monkeypatch) -> None:
    stream = looking(monkeypatch, Terminal(), 0.0)
    deadline = time.monotonic() + 30
    with running.working("counting"):
        while "counting" not in stream.getvalue() and time.monotonic() < deadline:
            time.sleep(0.02)
    assert "counting" in stream.getvalue()
    # The cursor is shown again.
    assert stream.getvalue().rindex("\x1b[?25h") > stream.getvalue().rindex("\x1b[?25l")


def test_short_work_shows_nothing(monkeypatch) -> None:
    stream = looking(monkeypatch, Terminal(), 0.5)
    with running.working("counting"):
        pass
    time.sleep(0.7)
    assert stream.getvalue() == ""


def test_nothing_where_no_one_looks(monkeypatch) -> None:
    stream = looking(monkeypatch, io.StringIO(), 0.0)
    with running.working("counting"):
        time.sleep(0.2)
    assert stream.getvalue() == ""
