"""A whole run, query by query, and the figure that sums the queries up."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from .gain import ideal_discounted_cumulated_gain
from .measures import GRADED, NEEDS_NO_RELEVANT, ORACLES
from .order import ranking as ordered
from .relevance import Judgments, count_relevant, is_judged

# trec_eval puts this floor under every value of a geometric mean.
SMALLEST = 0.00001


def per_query(
    qrels: Mapping[Any, Judgments],
    run: Mapping[Any, Sequence[tuple[Any, ...]]],
    name: str,
    *,
    ties: str = "trec_eval",
    precision: int = 64,
    missing: str = "zero",
    depth: int | None = None,
    judged_only: bool = False,
    no_relevant: str = "zero",
    **parameters: Any,
) -> dict[Any, float | None]:
    """The value of each query with judgments; queries of the run alone are ignored.

    missing="zero" gives a query the run lacks what an empty list gets, 0 where
    that is undefined; "skip" leaves it out. no_relevant says the same for
    queries without a relevant document: "zero" keeps the measure's own value,
    "skip" leaves them out, "null" makes them undefined. It does not touch
    counts and Judged.
    """
    check("missing", missing, ("zero", "skip"))
    check("no_relevant", no_relevant, ("zero", "skip", "null"))
    values: dict[Any, float | None] = {}
    for query_id, judgments in qrels.items():
        is_missing = query_id not in run
        if is_missing and missing == "skip":
            continue
        if no_relevant != "zero" and not has_relevant(name, judgments, parameters):
            if no_relevant == "null":
                values[query_id] = None
            continue
        ranking = ordered(run.get(query_id, []), ties, precision)[:depth]
        if judged_only:
            # After the cut: the judged among the first documents, not the
            # first judged documents.
            ranking = [doc_id for doc_id in ranking if is_judged(doc_id, judgments)]
        value = ORACLES[name](ranking, judgments, **parameters)
        if value is None and is_missing:
            value = 0.0
        values[query_id] = value
    return values


def has_relevant(name: str, judgments: Judgments, parameters: dict[str, Any]) -> bool:
    """Whether a query has what the measure looks for."""
    if name in NEEDS_NO_RELEVANT:
        return True
    if name in GRADED or parameters.get("max_rel") is not None:
        gains = parameters.get("gains")
        return ideal_discounted_cumulated_gain(judgments, gains=gains) > 0
    return count_relevant(judgments, parameters.get("rel", 1)) > 0


def summary(
    values: Mapping[Any, float | None] | Sequence[float | None],
    aggregation: str = "mean",
) -> float | None:
    """One figure for all queries. Undefined values are left out; None if none is left."""
    listed = values.values() if isinstance(values, Mapping) else values
    defined = sorted(value for value in listed if value is not None)
    count = len(defined)
    if aggregation == "sum":
        return math.fsum(defined)
    if count == 0:
        return None
    if aggregation == "mean":
        return math.fsum(defined) / count
    if aggregation == "geometric":
        logs = [math.log(max(value, SMALLEST)) for value in defined]
        return math.exp(math.fsum(logs) / count)
    if aggregation == "median":
        return (defined[(count - 1) // 2] + defined[count // 2]) / 2
    if aggregation == "min":
        return defined[0]
    if aggregation == "max":
        return defined[-1]
    if aggregation == "std":
        if count < 2:
            return None
        mean = math.fsum(defined) / count
        squares = [(value - mean) ** 2 for value in defined]
        return math.sqrt(math.fsum(squares) / (count - 1))
    raise ValueError(f"unknown aggregation {aggregation!r}")


def check(parameter: str, value: str, allowed: tuple[str, ...]) -> None:
    if value not in allowed:
        raise ValueError(f"{parameter} is one of {allowed}, not {value!r}")
