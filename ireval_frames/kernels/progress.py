"""A progress bar on a terminal for long computations, such as distances of pairs."""

from __future__ import annotations

import sys
import threading
import time
from types import TracebackType
from typing import Any, Self

PATIENCE = 1.0


class Progress:
    """Counts what is done; shows a bar on standard error, if that is a terminal, once a second has passed.

    Args:
        what: the name of what is counted.
    """

    def __init__(self, what: str) -> None:
        self._what = what
        self._lock, self._started = threading.Lock(), time.monotonic()
        self._expected, self._done = 0, 0
        self._bar: Any = None
        self._task: Any = None
        self._shown = sys.stderr.isatty()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, error_type: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._bar is not None:
            self._bar.stop()

    def expect(self, number: int) -> None:
        """Expect N more."""
        self._expected += number

    def done(self, number: int) -> None:
        """Count N more as done."""
        if not self._shown:
            return
        with self._lock:
            self._done += number
            if self._bar is None and time.monotonic() - self._started > PATIENCE:
                self._start()
            if self._bar is not None:
                self._bar.update(self._task, completed=self._done, total=max(self._expected, self._done))

    def _start(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, TextColumn, TimeRemainingColumn
        from rich.progress import Progress as Bar

        columns = (
            TextColumn("{task.description}"),
            BarColumn(),
            TextColumn("{task.percentage:.0f} %"),
            TimeRemainingColumn(),
        )
        self._bar = Bar(*columns, console=Console(stderr=True), transient=True)
        self._task = self._bar.add_task(self._what, total=self._expected)
        self._bar.start()
