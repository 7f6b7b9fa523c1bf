"""A lazy frame read in batches; an exception while reading is raised, and never ends the batches early."""

from __future__ import annotations

import atexit
import threading
from collections.abc import Iterator
from queue import Empty, Queue

import polars as pl

# The number of batches that are read ahead.
WAITING = 2
# Seconds that the process waits at exit for threads whose batches nobody reads any more.
PATIENCE = 10.0


def batches(frame: pl.LazyFrame, rows: int | None = None) -> Iterator[pl.DataFrame]:
    """The rows in order, in batches.

    When a thread of Polars panics, as at a truncated file, `collect_batches` ends as if all rows were read; a sink
    raises the panic, so the batches come from one.

    Args:
        frame: what is read.
        rows: the number of rows of a batch; None leaves it to Polars.
    """
    reading = _Reading(frame, rows)
    try:
        while (batch := reading.queue.get()) is not None:
            yield batch
    finally:
        reading.stop()
    if reading.failure is not None:
        raise reading.failure


class _Reading:
    """A thread that reads a frame as far ahead as the queue has room.

    Attributes:
        queue: the batches, then None.
        failure: the exception, if there was one.
    """

    def __init__(self, frame: pl.LazyFrame, rows: int | None) -> None:
        self.queue: Queue[pl.DataFrame | None] = Queue(WAITING)
        self.failure: BaseException | None = None
        self._stopped = threading.Event()
        self.thread = threading.Thread(target=self._read, args=(frame, rows), name="ireval-batches", daemon=True)
        _running.add(self)
        self.thread.start()

    def stop(self) -> None:
        """Stop the thread without waiting for it, since it may be the one that calls this."""
        self._stopped.set()
        # Makes room for a batch that the thread is putting, and for the end.
        try:
            while True:
                self.queue.get_nowait()
        except Empty:
            return

    def _put(self, batch: pl.DataFrame) -> bool:
        """Put a batch into the queue; whether to stop."""
        if not self._stopped.is_set():
            self.queue.put(batch)
        return self._stopped.is_set()

    def _read(self, frame: pl.LazyFrame, rows: int | None) -> None:
        try:
            frame.sink_batches(self._put, chunk_size=rows, maintain_order=True)
        except BaseException as error:  # noqa: BLE001 - raised by the reader of the batches
            self.failure = error
        finally:
            self.queue.put(None)
            _running.discard(self)


_running: set[_Reading] = set()


@atexit.register
def _end() -> None:
    """A thread that puts a batch while Python exits would abort the process."""
    for reading in list(_running):
        reading.stop()
        reading.thread.join(PATIENCE)
