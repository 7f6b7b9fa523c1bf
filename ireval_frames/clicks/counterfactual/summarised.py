"""What prints as its summary, and gives it in other ways."""

from __future__ import annotations

import dataclasses
import threading
from abc import abstractmethod
from collections.abc import Hashable, Sequence
from typing import Any

import polars as pl

from ireval_frames.displayed import Displayed
from ireval_frames.drawable import Estimating
from ireval_frames.results import Given, Result

_SHOWN: dict[str, Any] = {
    "tbl_hide_dataframe_shape": True,
    "tbl_hide_column_data_types": True,
    "tbl_rows": 100,
    "tbl_cols": 20,
}


class Summarised(Estimating, Displayed):
    """What has a summary."""

    def __init__(self) -> None:
        self._known: dict[Hashable, pl.DataFrame] = {}
        self._lock = threading.RLock()

    def _once(self, name: Hashable, of: Result) -> Result:
        """The result of that name, whose frame is computed when it is first looked at, once."""

        def collected() -> pl.DataFrame:
            with self._lock:
                if name not in self._known:
                    self._known[name] = of.collect()
                return self._known[name]

        return dataclasses.replace(of, collected=collected)

    @property
    @abstractmethod
    def summary(self) -> Given[Any]:
        """The summary."""

    def to_native(self) -> Any:
        """The summary, still lazy in the engine's own kind; the data is not checked."""
        return self.summary.to_native()

    def sql(self) -> str:
        """The statement that DuckDB runs for the summary."""
        return self.summary.sql()

    def explain(self) -> str:
        """The tables of the plan of the summary, their columns, and who asked for them."""
        return self.summary.explain()

    @property
    def provenance(self) -> dict[str, Any]:
        """What it was made of."""
        return self.summary.result().provenance

    def __str__(self) -> str:
        with pl.Config(**_SHOWN):
            return str(self.summary())

    __repr__ = __str__

    def displays(self) -> Sequence[pl.DataFrame]:
        """The summary."""
        return [self.summary()]


def normal_interval(confidence: float) -> str:
    """What the intervals are called.

    Example:
        >>> normal_interval(0.95)
        '95% normal interval'
    """
    return f"{confidence * 100:g}% normal interval"
