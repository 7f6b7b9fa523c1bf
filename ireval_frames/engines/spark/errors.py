"""Spark's errors as ours."""

from __future__ import annotations

import re
from typing import Any

from ireval_frames.engines.spark import jvm
from ireval_frames.errors import EngineError

STOPPED = "Start it again: spark = SparkSession.builder.getOrCreate(), and build the frames anew."
# Lines that name what was called, or that something failed, but no cause.
WITHOUT_CAUSE = (
    r"^An error occurred while calling |Exception thrown in awaitResult|^\S*SparkException: Job aborted"
    r"|\[INTERNAL_ERROR|^at "
)
ERROR_CLASS = r"\[[A-Z][A-Z0-9_]+(\.[A-Z0-9_]+)?\]"
# What classic sessions, and those of Connect, say once they have ended.
ENDED = (
    r"stopped SparkContext|SparkContext was shut down|Py4JNetwork|NO_ACTIVE_SESSION|INVALID_HANDLE\.SESSION_"
    r"|StatusCode\.UNAVAILABLE|on closed channel"
)


def failures() -> tuple[type[BaseException], ...]:
    """What Spark and its clients raise."""
    from py4j.protocol import Py4JError

    # Tables are passed to Spark through Arrow.
    from pyarrow import ArrowException
    from pyspark.errors import PySparkException

    return (PySparkException, Py4JError, ConnectionError, ArrowException)


def ended(session: Any) -> bool:
    """Whether a classic session has been stopped or cannot be reached."""
    try:
        return jvm.stopped(session)
    except failures():
        return True


def _cause(text: str) -> str:
    """Of Java's message, the innermost cause with an error class, else the first line that names a cause."""
    lines = [line.strip().removeprefix(": ") for line in text.splitlines() if line.strip()]
    causes = [line.removeprefix("Caused by: ") for line in lines if line.startswith("Caused by: ")]
    classed = [cause for cause in causes if re.search(ERROR_CLASS, cause) and "[INTERNAL_ERROR" not in cause]
    candidates = [line for line in [*classed[::-1], *lines[:2], *causes[::-1]] if not re.search(WITHOUT_CAUSE, line)]
    return next(iter(candidates), next(iter(lines), ""))


def engine_error(error: BaseException, session: Any = None) -> EngineError:
    """Spark's error as ours, with the cause named.

    Args:
        error: what was raised.
        session: where; after it has been stopped, errors say something else.
    """
    # The exception of an executor is the cause of the one here.
    text = f"{error}\n{getattr(error, '__cause__', None) or ''}"
    first = _cause(text) or type(error).__name__
    if ended(session):
        return EngineError("The Spark session has ended.", STOPPED)
    if isinstance(error, ConnectionError) or re.search(ENDED, text):
        return EngineError(f"The Spark session has ended: {first}", STOPPED)
    raised = re.findall(r"^(?:\w+\.)*(\w*(?:Error|Exception): .+)$", text, re.MULTILINE)
    if "Python worker" in text and raised:
        # The last line of the executor's traceback.
        return EngineError(f"A step in Python failed on an executor of Spark: {raised[-1].strip()}")
    return EngineError(f"Spark could not run the query: {first}")
