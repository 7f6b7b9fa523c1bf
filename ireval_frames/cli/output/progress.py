"""A sign of life on a terminal when work takes long."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

PATIENCE = 1.0


@contextmanager
def working(what: str) -> Iterator[None]:
    """A spinner on standard error after a second, if that is a terminal.

    Args:
        what: what is being done.
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


class _Spinner:
    """The spinner; it never starts once it was stopped."""

    def __init__(self, what: str) -> None:
        self._what, self._lock = what, threading.Lock()
        self._status: Any = None
        self._over = False

    def start(self) -> None:
        from rich.console import Console

        with self._lock:
            if not self._over:
                self._status = Console(stderr=True).status(self._what)
                self._status.start()

    def stop(self) -> None:
        with self._lock:
            self._over = True
            if self._status is not None:
                self._status.stop()
