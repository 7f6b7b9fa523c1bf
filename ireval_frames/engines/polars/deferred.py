"""Frames of Polars whose rows are computed by Python at their first use."""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import polars as pl

from ireval_frames.engines.polars.frame import PolarsFrame

Result = TypeVar("Result")


def compute_once(function: Callable[[], Result]) -> Callable[[], Result]:
    """The function, called once: parts of a plan that run in parallel share its result."""
    lock, cached = threading.Lock(), functools.cache(function)

    def call() -> Result:
        with lock:
            return cached()

    return call


def deferred(result: Callable[[], pl.DataFrame | pl.LazyFrame], schema: Mapping[str, Any]) -> PolarsFrame:
    """A frame of this schema, whose rows the function returns; of a lazy frame only the required columns."""
    frame = pl.defer(result, schema=dict(schema), validate_schema=False)  # type: ignore[arg-type]
    return PolarsFrame(frame, tuple(schema))
