"""A whole run, query by query, and the figure that sums the queries up."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from tests.oracles.gain import ideal_discounted_cumulated_gain
from tests.oracles.measures import BOTH, DIVERSITY, GRADED, NEEDS_NO_RELEVANT, ORACLES, PREFERENCES
from tests.oracles.order import ranking as ordered
from tests.oracles.relevance import Judgments, count_relevant, is_judged

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
    judged_by: Sequence[str] = (),
    undefined: float | None = 0.0,
    **parameters: Any,
) -> dict[Any, float | None]:
    """The value of each query with judgments; queries of the run alone are ignored.

    The judgments of a query are those of each assessor or for each subtopic
    (or, by assessor, for each subtopic) if judged_by says so, and the value is
    then the mean, unless the measure is one of diversity: it takes judgments
    by subtopic as they are. Subtopics without a relevant document do not
    count; the mean over none is what the measure gives where it is undefined.

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
        if no_relevant != "zero" and not has_relevant(name, flat(judgments, len(judged_by)), parameters):
            if no_relevant == "null":
                values[query_id] = None
            continue
        ranking = ordered(run.get(query_id, []), ties, precision)[:depth]
        value = of_query(
            name, ranking, judgments, list(judged_by), parameters, judged_only=judged_only, undefined=undefined
        )
        if value is None and is_missing:
            value = 0.0
        values[query_id] = value
    return values


def of_query(
    name: str,
    ranking: list[Any],
    judgments: Any,
    judged_by: list[str],
    parameters: dict[str, Any],
    *,
    judged_only: bool,
    undefined: float | None,
) -> float | None:
    """The value of one list: of the measure itself, or the mean over assessors or subtopics."""
    if name in PREFERENCES:
        # Documents without a judgment are in no preference, whether they are taken out or not.
        return ORACLES[name](ranking, judgments, **parameters)
    if judged_by[:1] == ["assessor_id"]:
        # Everyone who judged anything counts.
        return mean(
            [
                of_query(name, ranking, part, judged_by[1:], parameters, judged_only=judged_only, undefined=undefined)
                for part in judgments.values()
            ]
        )
    if judged_only:
        # After the cut: the judged among the first documents, not the first
        # judged documents. Whatever subtopic a document is judged for, it is
        # a judged one.
        whole = flat(judgments, len(judged_by))
        ranking = [doc_id for doc_id in ranking if is_judged(doc_id, whole)]
    if not judged_by or name in DIVERSITY:
        return ORACLES[name](ranking, judgments, **parameters)
    parts = [part for part in judgments.values() if has_relevant(name, part, parameters)]
    return mean([ORACLES[name](ranking, part, **parameters) for part in parts]) if parts else undefined


def mean(values: list[float | None]) -> float | None:
    """Of the defined values."""
    defined = [value for value in values if value is not None]
    return math.fsum(defined) / len(defined) if defined else None


def flat(judgments: Any, depth: int) -> Judgments:
    """The largest grade of each document, over subtopics and assessors."""
    if depth == 0:
        return judgments  # type: ignore[no-any-return]
    out: Judgments = {}
    for part in judgments.values():
        for doc_id, grade in flat(part, depth - 1).items():
            out[doc_id] = max(grade, out.get(doc_id, grade))
    return out


def has_relevant(name: str, judgments: Judgments, parameters: dict[str, Any]) -> bool:
    """Whether a query has what the measure looks for."""
    if name in NEEDS_NO_RELEVANT:
        return True
    if parameters.get("min_rel"):
        return any(grade > parameters["min_rel"] for grade in judgments.values())
    if name in GRADED or parameters.get("max_rel") is not None:
        gains = parameters.get("gains")
        gaining = ideal_discounted_cumulated_gain(judgments, gains=gains) > 0
        return gaining and (name not in BOTH or count_relevant(judgments, parameters.get("rel", 1)) > 0)
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
