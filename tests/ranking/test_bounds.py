"""Bounds of values and of differences, against all gradings of small random lists."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

import ireval_frames as ir
from ireval_frames.declaration import Measure
from tests.oracles import bounds as oracle
from tests.ranking.bounds_cases import EXACT, OPEN, random_case, value_of
from tests.ranking.cases import Case

ALWAYS_EXACT = {str(Measure.parse(text, "ranking")) for text in EXACT}
BINARY, GRADED = (0.0, 1.0), (0.0, 1.0, 2.0, 3.0)


def differing(
    case: Case, texts: Sequence[str], grades: Sequence[float], *, outside: int = 0, **options: Any
) -> list[Any]:
    """Lists whose bounds are not those of all gradings, or, where they are not exact, do not enclose them."""
    engine, policy = options.pop("engine", "polars"), options.pop("policy", {})
    ev = ir.evaluate(
        case.qrels_frame(""), case.run_frame("run0"), texts, engine=engine, policy={"overlap": "allow"} | policy
    )
    out = []
    measures = {str(m): m for m in ev.measures}
    for row in ev.bounds(unretrieved=outside, **{"assignments": 1} | options).iter_rows(named=True):
        query, measure = row["query_id"], measures[row["measure"]]
        order = [doc for doc, _ in case.runs["run0"][query]]
        judgments = case.qrels[query]
        documents = [*oracle.unjudged(order, judgments), *(f"outside{i}" for i in range(outside))]
        ends = oracle.extremes(
            lambda j, m=measure, q=query: value_of(case, m, "run0", q, j), judgments, documents, grades
        )
        out += wrong(row, ends, (row["low"], row["high"]), measure)
        if row["n_unjudged"] != len(documents) - outside:
            out.append((row, documents))
    return out


def wrong(row: Any, ends: tuple[float, float] | None, actual: tuple[Any, Any], measure: Measure) -> list[Any]:
    """The row, if it does not say what all gradings give."""
    low, high = actual
    if ends is None:
        return [] if (low, high, row["exact"]) == (None, None, None) else [(row, ends)]
    if row["exact"]:
        # Smoothed logarithms are of other size.
        return [] if actual == pytest.approx(ends, rel=1e-12, abs=1e-12) else [(row, ends)]
    if row["exact"] is None or str(measure) in ALWAYS_EXACT:
        return [(row, ends)]
    encloses = (low is None or low <= ends[0] + 1e-12) and (high is None or high >= ends[1] - 1e-12)
    return [] if encloses else [(row, ends)]


@pytest.mark.parametrize("engine", ["polars", "duckdb"])
@pytest.mark.parametrize("grades", [BINARY, GRADED], ids=["binary", "graded"])
def test_bounds_are_those_of_all_gradings(grades: Sequence[float], engine: str) -> None:
    n, texts = (12, EXACT) if engine == "polars" else (4, EXACT[::3])
    case = random_case(len(grades), n, 6 if grades == BINARY else 3, grades)
    assert not differing(case, texts, grades, engine=engine)


@pytest.mark.external
@pytest.mark.parametrize("text", [*EXACT, *OPEN])
def test_bounds_of_3000_lists(text: str) -> None:
    for seed, grades, most in ((1, BINARY, 8), (2, GRADED, 4)):
        assert not differing(random_case(seed, 1500, most, grades), [text], grades)
