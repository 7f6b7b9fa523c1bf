"""Rows that several parts of a statement read, kept by Spark until the result has been read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ireval_frames.engines.spark_errors import ended, failures

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

# Rows are freed in the background.
NOT_WAITING = False


def keep(frame: DataFrame, kept: list[DataFrame]) -> DataFrame:
    """The frame with its rows kept from when they are first made; its plan is let go of, which readers would repeat."""
    made = frame.localCheckpoint(eager=False)
    kept.append(made)
    return made


def let_go(kept: Sequence[DataFrame]) -> None:
    """Free the rows of checkpoints; those of Connect its server frees with the frames."""
    for frame in kept:
        if (inside := getattr(frame, "_jdf", None)) is None:
            continue
        try:
            inside.queryExecution().logical().rdd().unpersist(NOT_WAITING)
        except failures():
            # They are gone with their session.
            if not ended(frame.sparkSession):
                raise
