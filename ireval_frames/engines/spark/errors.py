"""Spark's errors, told in our words."""

from __future__ import annotations

import re
from typing import Any

from ireval_frames.engines.spark import jvm
from ireval_frames.errors import EngineError

STOPPED = "Start it again: spark = SparkSession.builder.getOrCreate(), and build the frames anew."
# Classic sessions, and those of Connect.
# What was called, or that something failed, says nothing of what happened.
SAYS_NOTHING = (
    r"^An error occurred while calling |Exception thrown in awaitResult|^\S*SparkException: Job aborted"
    r"|\[INTERNAL_ERROR|^at "
)
CLASSED = r"\[[A-Z][A-Z0-9_]+(\.[A-Z0-9_]+)?\]"
ENDED = (
    r"stopped SparkContext|SparkContext was shut down|Py4JNetwork|NO_ACTIVE_SESSION|INVALID_HANDLE\.SESSION_"
    r"|StatusCode\.UNAVAILABLE|on closed channel"
)


def failures() -> tuple[type[BaseException], ...]:
    """What Spark and what speaks to it raise."""
    from py4j.protocol import Py4JError

    # What is handed to Spark goes through Arrow.
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
    """Of what Java tells, the innermost cause that has a class of errors, else the first line that says something."""
    lines = [line.strip().removeprefix(": ") for line in text.splitlines() if line.strip()]
    causes = [line.removeprefix("Caused by: ") for line in lines if line.startswith("Caused by: ")]
    classed = [cause for cause in causes if re.search(CLASSED, cause) and "[INTERNAL_ERROR" not in cause]
    told = [line for line in [*classed[::-1], *lines[:2], *causes[::-1]] if not re.search(SAYS_NOTHING, line)]
    return next(iter(told), next(iter(lines), ""))


def engine_error(error: BaseException, session: Any = None) -> EngineError:
    """Spark's error as ours, with the cause named.

    Args:
        error: what was raised.
        session: where; in one that has been stopped everything fails, in words that say something else.
    """
    # What an executor raised is the cause of what is raised here.
    text = f"{error}\n{getattr(error, '__cause__', None) or ''}"
    first = _cause(text) or type(error).__name__
    if ended(session):
        return EngineError("The Spark session has ended.", STOPPED)
    if isinstance(error, ConnectionError) or re.search(ENDED, text):
        return EngineError(f"The Spark session has ended: {first}", STOPPED)
    raised = re.findall(r"^(?:\w+\.)*(\w*(?:Error|Exception): .+)$", text, re.MULTILINE)
    if "Python worker" in text and raised:
        # The last line of the traceback that an executor sent.
        return EngineError(f"A step in Python failed on an executor of Spark: {raised[-1].strip()}")
    return EngineError(f"Spark could not run the query: {first}")
