"""What prints as its summary, and gives it in other ways."""

from __future__ import annotations

import dataclasses
import threading
from abc import abstractmethod
from collections.abc import Callable, Hashable, Sequence
from typing import Any

import polars as pl

from ireval_frames.displayed import Displayed, read
from ireval_frames.drawable import Estimating
from ireval_frames.results import BoundTable, Result


class Summarised(Estimating, Displayed):
    """What has a summary."""

    def __init__(self) -> None:
        self._rows: dict[Hashable, pl.DataFrame] = {}
        self._lock = threading.RLock()

    def _cached(self, key: Hashable, of: Result, collect: Callable[[], pl.DataFrame] | None = None) -> Result:
        """The result, whose rows are collected when they are first read, once."""

        def rows() -> pl.DataFrame:
            with self._lock:
                if key not in self._rows:
                    self._rows[key] = of.collect() if collect is None else collect()
                return self._rows[key]

        return dataclasses.replace(of, rows=rows)

    @property
    @abstractmethod
    def summary(self) -> BoundTable[Any]:
        """The summary."""

    def explain(self) -> str:
        """The tables of the plan of the summary, their columns, and who asked for them."""
        return self.summary.explain()

    @property
    def provenance(self) -> dict[str, Any]:
        """What it was made of."""
        return self.summary.result().provenance

    def __str__(self) -> str:
        # A terminal may break a row, but no number.
        return read(self.summary(), tbl_cols=-1, tbl_width_chars=200)

    def _displays(self) -> Sequence[pl.DataFrame]:
        """The summary."""
        return [self.summary()]


def normal_interval(confidence: float) -> str:
    """What the intervals are called.

    Example:
        >>> normal_interval(0.95)
        '95% normal interval'
    """
    return f"{confidence * 100:g}% normal interval"
