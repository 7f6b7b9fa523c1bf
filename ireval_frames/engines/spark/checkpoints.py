"""Rows that several parts of a statement read, kept by Spark until the result has been read."""

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
NOT_WAITING = False


def keep(frame: DataFrame, kept: list[DataFrame]) -> DataFrame:
    """The frame with its rows kept from when they are first made; its plan is let go of, which readers would repeat."""
    made = frame.localCheckpoint(eager=False)
    kept.append(made)
    return made


def let_go(kept: Sequence[DataFrame]) -> None:
    """Free the rows of checkpoints; those of Connect its server frees with the frames."""
    for frame in kept:
        if not jvm.is_classic(frame):
            continue
        try:
            jvm.checkpoint(frame).unpersist(NOT_WAITING)
        except failures():
            # They are gone with their session.
            if not ended(frame.sparkSession):
                raise


def holding(frame: DataFrame, kept: Sequence[DataFrame]) -> DataFrame:
    """The frame, which keeps the rows as long as it is there, or a frame or a view that was made of it."""
    if not jvm.is_classic(frame):
        jvm.hold_with_plan(frame, kept)
        return frame
    # Frames that are made of it get its session from it: one of their own, which is the same to Spark.
    session = copy.copy(frame.sparkSession)
    weakref.finalize(session, _let_go_unless_viewed, frame.sparkSession, kept)
    return jvm.in_session(frame, session)


def _let_go_unless_viewed(session: Any, kept: Sequence[DataFrame]) -> None:
    """Free the rows, but not those that a view reads: they go with the session."""
    try:
        viewed = set() if ended(session) else set(_read_by_views(session))
    except failures():
        # The session ends.
        return
    let_go([frame for frame in kept if jvm.checkpoint(frame).id() not in viewed])


def _read_by_views(session: Any) -> Iterator[int]:
    """The numbers of the RDDs that temporary views read."""
    for view in session.catalog.listTables():
        if view.isTemporary:
            yield from (rdd.id() for rdd in jvm.checkpoints(session.table(view.name)))
