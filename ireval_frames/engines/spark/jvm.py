"""What is reached only through private handles of PySpark, and nowhere else in the package.

PySpark has no public way to free the rows of `localCheckpoint`, to know which of them a view reads, to tell whether two
sessions are one, or whether a session has been stopped.  Frames and sessions of Connect have no such handles.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


def is_classic(frame: Any) -> bool:
    """Whether a frame is one of classic Spark, and not of Connect."""
    return hasattr(frame, "_jdf")


def checkpoint(frame: Any) -> Any:
    """The RDD that a checkpointed frame reads."""
    return frame._jdf.queryExecution().logical().rdd()


def checkpoints(frame: Any) -> Iterator[Any]:
    """The RDDs that a frame reads."""
    leaves = frame._jdf.queryExecution().analyzed().collectLeaves()
    for leaf in (leaves.apply(i) for i in range(leaves.size())):
        if leaf.getClass().getSimpleName() == "LogicalRDD":
            yield leaf.rdd()


def in_session(frame: Any, session: Any) -> DataFrame:
    """The same frame with another session object."""
    out: DataFrame = type(frame)(frame._jdf, session)
    return out


def add_to_plan(frame: Any, rows: Any) -> None:
    """Let the plan of a frame of Connect, which all derived frames refer to, refer to the rows, too."""
    frame._plan.ireval_frames_rows = rows


def same_session(one: Any, other: Any) -> bool:
    """Whether two sessions are the same to Spark."""
    first, second = (getattr(session, "_jsparkSession", None) for session in (one, other))
    return one is other or (first is not None and second is not None and bool(first.equals(second)))


def stopped(session: Any) -> bool:
    """Whether a classic session has been stopped; one of Connect raises an error when it is used."""
    context = getattr(session, "_sc", None)
    return context is not None and (context._jsc is None or bool(context._jsc.sc().isStopped()))
