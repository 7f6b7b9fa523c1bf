"""A lazy frame read in batches, whose end is its end: what goes wrong on the way is raised."""

from __future__ import annotations

import atexit
import threading
from collections.abc import Iterator
from queue import Empty, Queue

import polars as pl

# So many batches wait while one is worked on.
WAITING = 2
# Seconds that the process waits at its end for what nobody reads any more.
PATIENCE = 10.0


def batches(frame: pl.LazyFrame, rows: int | None = None) -> Iterator[pl.DataFrame]:
    """The rows in their order, in batches of about so many.

    Polars' `collect_batches` ends as if all were read when a thread of it panics, as at a file that was cut off;
    its sink raises the panic, and so hands the batches over here.

    Args:
        frame: what is read.
        rows: how many rows are in a batch; without it as many as Polars likes.
    """
    reading = _Reading(frame, rows)
    try:
        while (batch := reading.handed.get()) is not None:
            yield batch
    finally:
        reading.stop()
    if reading.failure is not None:
        raise reading.failure


class _Reading:
    """A thread that reads a frame, as far ahead as there is room.

    Attributes:
        handed: the batches; None is behind the last one.
        failure: what went wrong, once that is there.
    """

    def __init__(self, frame: pl.LazyFrame, rows: int | None) -> None:
        self.handed: Queue[pl.DataFrame | None] = Queue(WAITING)
        self.failure: BaseException | None = None
        self._stopped = threading.Event()
        self.thread = threading.Thread(target=self._read, args=(frame, rows), name="ireval-batches", daemon=True)
        _running.add(self)
        self.thread.start()

    def stop(self) -> None:
        """Let the thread go; it is not waited for, since it may be the one that lets a reader go."""
        self._stopped.set()
        # There is room again for a batch that is being handed over, and for the end.
        try:
            while True:
                self.handed.get_nowait()
        except Empty:
            return

    def _hand(self, batch: pl.DataFrame) -> bool:
        """Hand a batch over; whether that is enough."""
        if not self._stopped.is_set():
            self.handed.put(batch)
        return self._stopped.is_set()

    def _read(self, frame: pl.LazyFrame, rows: int | None) -> None:
        try:
            frame.sink_batches(self._hand, chunk_size=rows, maintain_order=True)
        except BaseException as error:  # noqa: BLE001 - raised where the batches are read
            self.failure = error
        finally:
            self.handed.put(None)
            _running.discard(self)


_running: set[_Reading] = set()


@atexit.register
def _end() -> None:
    """A thread that hands over a batch while Python ends would abort the process."""
    for reading in list(_running):
        reading.stop()
        reading.thread.join(PATIENCE)
