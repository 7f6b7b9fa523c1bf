"""The gain of a document, from 0 to 1: binary at a grade, or on a declared scale of grades."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import polars as pl

from ireval_frames.declaration import Measure
from ireval_frames.errors import InvalidParameter, InvalidValue
from ireval_frames.expr import Expr, col, when
from ireval_frames.parameters import number
from ireval_frames.ranking.context import Query
from ireval_frames.ranking.parameters import documents
from ireval_frames.ranking.tables import relevant

MIN_REL = number(0.0, "the largest grade without a gain", low=0.0)
MAX_REL = number(what="the largest grade of the scale, which gains 1", low=0.0, high=1e15, open_ends=True)
OPTIONAL_MAX_REL = number(
    None,
    "the largest grade of the scale, which gains 1; None for binary gains at `rel`",
    low=0.0,
    high=1e15,
    open_ends=True,
)


@dataclass(frozen=True)
class Gains:
    """The gain of a row with a column `relevance`: `worst` is 0 for unjudged documents, `best` is 1."""

    worst: Expr

    @property
    def best(self) -> Expr:
        """Unjudged documents, and ranks that hold none, gain 1."""
        return when(col("relevance") >= 0).then(self.worst).otherwise(1.0)


def binary(rel: float) -> Gains:
    """1 for documents of grade `rel` or more."""
    return Gains(relevant(rel))


def require_span(measure: Measure, arguments: Mapping[str, Any]) -> None:
    """Refuse an empty scale.

    Raises:
        InvalidParameter: `min_rel` is not below `max_rel`.
    """
    low, high = arguments["min_rel"], arguments["max_rel"]
    if high is not None and low >= high:
        raise InvalidParameter(
            f"{measure} has min_rel={low:g} and max_rel={high:g}; min_rel must be the smaller one.",
            f"Write max_rel={low + 1:g}.",
        )


def scaled(q: Query, min_rel: float, max_rel: float) -> Gains:
    """(grade − min_rel) / (max_rel − min_rel), 0 below min_rel; a grade above max_rel is an error."""
    require_scale(q, max_rel)
    return Gains(_gain(min_rel, max_rel))


def positive_gains(q: Query, min_rel: float, max_rel: float) -> Expr:
    """The number of judged documents with a positive gain on a scale."""
    return q.num_gaining(_gain(min_rel, max_rel))


def _gain(min_rel: float, max_rel: float) -> Expr:
    grade = col("relevance")
    return when(grade > min_rel).then((grade - min_rel) / (max_rel - min_rel)).otherwise(0.0)


def graded(q: Query, rel: float, min_rel: float, max_rel: float | None) -> Gains:
    """On the scale if there is one, else binary."""
    return binary(rel) if max_rel is None else scaled(q, min_rel, max_rel)


def any_gain(q: Query, rel: float, min_rel: float, max_rel: float | None) -> Expr:
    """The number of judged documents with a positive gain, on the scale if there is one, else binary."""
    return documents(q, rel) if max_rel is None else positive_gains(q, min_rel, max_rel)


def require_scale(q: Query, max_rel: float) -> None:
    """Refuse judgments above the declared maximum."""

    def error(rows: pl.DataFrame, count: int) -> InvalidValue:
        row = rows.row(0, named=True)
        return InvalidValue(
            f"{q.measure} takes grades up to {max_rel:g}, but {count} judgments are above: query_id "
            f"{row['query_id']!r},"
            f" doc_id {row['doc_id']!r}, relevance {row['relevance']:g}.",
            f"Declare the scale: {q.measure.split('(')[0].split('@')[0]}(max_rel={row['relevance']:g}).",
        )

    q.tables.plan.require(q.tables.qrels, col("relevance") > max_rel, error)
