"""Checkpoints: rows that several parts of a statement read, stored by Spark until the result has been read."""

from __future__ import annotations

import copy
import weakref
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from ireval_frames.engines.spark import jvm
from ireval_frames.engines.spark.errors import ended, failures

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

# Rows are freed in the background.
BLOCKING = False


def checkpoint(frame: DataFrame, checkpoints: list[DataFrame]) -> DataFrame:
    """The frame with its rows stored once computed, and without its plan, which every reader would repeat."""
    out = frame.localCheckpoint(eager=False)
    checkpoints.append(out)
    return out


def free(checkpoints: Sequence[DataFrame]) -> None:
    """Free the rows of checkpoints; a server of Connect frees them with the frames."""
    for frame in checkpoints:
        if not jvm.is_classic(frame):
            continue
        try:
            jvm.checkpoint(frame).unpersist(BLOCKING)
        except failures():
            # The session has ended, and the rows with it.
            if not ended(frame.sparkSession):
                raise


def owning(frame: DataFrame, checkpoints: Sequence[DataFrame]) -> DataFrame:
    """The frame, with checkpoints that live as long as it does, or a frame or a view derived from it."""
    if not jvm.is_classic(frame):
        jvm.add_to_plan(frame, checkpoints)
        return frame
    # Derived frames inherit its session object: a copy of its own, which is the same session to Spark.
    session = copy.copy(frame.sparkSession)
    weakref.finalize(session, _free_unless_viewed, frame.sparkSession, checkpoints)
    return jvm.in_session(frame, session)


def _free_unless_viewed(session: Any, checkpoints: Sequence[DataFrame]) -> None:
    """Free the rows, except those that a view reads, which end with the session."""
    try:
        viewed = set() if ended(session) else set(_read_by_views(session))
    except failures():
        # The session ends.
        return
    free([frame for frame in checkpoints if jvm.checkpoint(frame).id() not in viewed])


def _read_by_views(session: Any) -> Iterator[int]:
    """The ids of the RDDs that temporary views read."""
    for view in session.catalog.listTables():
        if view.isTemporary:
            yield from (rdd.id() for rdd in jvm.checkpoints(session.table(view.name)))
