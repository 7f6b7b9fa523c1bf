"""What a click model takes for a log: a subject of impressions, or lists of results without clicks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol, runtime_checkable

import narwhals.stable.v2 as nw

from ireval_frames.engines.base import Engine
from ireval_frames.engines.frame import Frame
from ireval_frames.engines.sources import Source, open_engine, opened
from ireval_frames.errors import MissingColumn, WrongType, listed
from ireval_frames.io.reading import TABLE


class LogInputs(Protocol):
    """The canonical frame of a log (`clicks/inputs.py`)."""

    @property
    def impressions(self) -> Frame:
        """A row per shown result."""

    @property
    def keys(self) -> tuple[str, ...]:
        """The aliases of its columns of groups."""

    @property
    def names(self) -> dict[str, str]:
        """The user's names of these, by alias."""

    @property
    def engine(self) -> Engine:
        """Where it is."""


@runtime_checkable
class Log(Protocol):
    """A click log: `ir.Impressions`."""

    def inputs(self, by: Any = None) -> LogInputs:
        """Its canonical frame."""


def impressions(log: Any, by: Sequence[str]) -> tuple[Engine, Frame]:
    """A log's rows, their groups under the user's names, and the engine.

    Raises:
        WrongType: it is no log.
    """
    if not isinstance(log, Log):
        raise WrongType(
            f"A click model is evaluated on a log; this is of type {type(log).__name__}.",
            "Write ir.Impressions(frame).",
        )
    given = log.inputs([b for b in by if b != "run_id"])
    return given.engine, given.impressions.rename(given.names)


def lists(pages: Any, by: Sequence[str], con: Any) -> tuple[Engine, Frame]:
    """Lists of results, `serp_id query_id doc_id position` and the columns of groups; clicks are none of them.

    Raises:
        MissingColumn: a column is not there.
    """
    if isinstance(pages, Log):
        return impressions(pages, by)
    engine = open_engine(pages, None, con)
    frame = opened(Source(pages, "pages", TABLE), engine)
    wanted = (*by, "serp_id", "query_id", "doc_id", "position")
    for column in wanted:
        if column not in frame.columns:
            raise MissingColumn(
                f"The pages table has no column {column!r} (it has: {listed(frame.columns, 20)}).",
                f'Rename one: frame.rename({{"their_name": "{column}"}})',
            )
    weight = {"weight": nw.col("weight")} if "weight" in frame.columns else {}
    return engine, frame.select(*wanted, click=nw.lit(0), **weight)
