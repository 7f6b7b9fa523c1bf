"""What a running command reports: that it works, and its result."""

from __future__ import annotations

import shlex
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from rich.status import Status

PATIENCE = 1.0


@contextmanager
def working(what: str) -> Iterator[None]:
    """A spinner on standard error after a second, if that is a terminal.

    Args:
        what: the text.
    """
    if not sys.stderr.isatty():
        yield
        return
    spinner = _Spinner(what)
    timer = threading.Timer(PATIENCE, spinner.start)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        spinner.stop()


def say_how_to_open(folder: Path) -> None:
    """Say how a folder with a page is opened, on standard error."""
    sys.stderr.write(f"To open it: python -m http.server -d {shlex.quote(str(folder))}, and http://localhost:8000\n")


class _Spinner:
    """The spinner; it does not start after it was stopped."""

    def __init__(self, what: str) -> None:
        self._what, self._lock = what, threading.Lock()
        self._status: Status | None = None
        self._stopped = False

    def start(self) -> None:
        from rich.console import Console

        with self._lock:
            if not self._stopped:
                self._status = Console(stderr=True).status(self._what)
                self._status.start()

    def stop(self) -> None:
        with self._lock:
            self._stopped = True
            if self._status is not None:
                self._status.stop()


_CAPTURED: ContextVar[list[Any] | None] = ContextVar("captured", default=None)
Result = TypeVar("Result")


def capture(result: Result) -> Result:
    """The result, which `ireval store keep` stores, if the command runs inside of it."""
    if (results := _CAPTURED.get()) is not None:
        results.append(result)
    return result


@contextmanager
def captured_results() -> Iterator[list[Any]]:
    """The results of the commands that run inside."""
    results: list[Any] = []
    token = _CAPTURED.set(results)
    try:
        yield results
    finally:
        _CAPTURED.reset(token)
