"""This project's work on spans."""

from collections.abc import Callable

import polars as pl

import ireval_frames as ir
from benchmarks.work import means
from benchmarks.work.means import Means

MODES = [
    f"{m}(match={mode!r})" for mode in ("strict", "exact", "partial", "type") for m in ("Precision", "Recall", "F1")
]


def modes(gold: str, predicted: str, engine: str = "polars", measures: str = "") -> Callable[[], Means]:
    """Precision, recall and F1 in four modes, of frames in memory."""
    sides = [pl.read_parquet(path) for path in (gold, predicted)]
    requested = measures or MODES
    return lambda: means.of(ir.Spans(*sides, engine=engine).evaluate(requested).summary())
