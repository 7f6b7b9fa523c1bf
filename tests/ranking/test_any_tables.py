"""Any tables, made by Hypothesis: every measure equals its oracle on both engines."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.contract.kit import ENGINES, assert_same, by_measure
from tests.ranking.cases import Case
from tests.ranking.suite import FIRST, evaluated, expected

# Few documents and few scores, so that ties, hits and shared ids are common.
IDS = st.sampled_from(["a", "b", "B", "é", "10", "9", "", " ", "\U0001f600"]) | st.text(
    st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=4
)
SCORES = st.sampled_from([0.0, -0.0, 1.0, 1.0 + 1e-9, -5.0, 1e300, 5e-324, float("inf"), float("-inf")]) | st.floats(
    allow_nan=False
)
GRADES = st.sampled_from([-2.0, -1.0, 0.0, 1.0, 2.0, 3.0, 4.0]) | st.floats(-2, 4, allow_nan=False)
JUDGMENTS = st.dictionaries(IDS, GRADES, min_size=1, max_size=9)
LIST = st.dictionaries(IDS, SCORES, min_size=1, max_size=9).map(lambda scores: list(scores.items()))
QUERIES = st.sampled_from(["1", "2", "02", "q"])
TABLES = st.builds(
    Case,
    st.dictionaries(QUERIES, JUDGMENTS, min_size=1, max_size=3),
    st.dictionaries(
        st.sampled_from(["x", "X", "y"]), st.dictionaries(QUERIES, LIST, min_size=1, max_size=3), min_size=1, max_size=2
    ),
)
SETTINGS = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize=True)


@settings(SETTINGS, max_examples=15)
@given(TABLES)
def test_polars(case: Case) -> None:
    check(case, "polars", FIRST)


@settings(SETTINGS, max_examples=3)
@given(TABLES)
def test_duckdb(case: Case) -> None:
    check(case, "duckdb", FIRST)


def check(case: Case, engine: str, measures: list) -> None:
    results = by_measure(evaluated(case, measures, engine))
    for measure in measures:
        assert_same(results[str(measure)], expected(case, measure), 1e-9)


@pytest.mark.parametrize("engine", ENGINES)
def test_extreme_scores(engine: str) -> None:
    scores = [float("inf"), float("-inf"), 1.7976931348623157e308, 5e-324, 0.0, -0.0, -5e-324, float("inf")]
    docs = [(f"d{i}", s) for i, s in enumerate(scores)]
    check(Case({"q": {f"d{i}": float(i % 4) for i in range(8)}}, {"r": {"q": docs}}), engine, FIRST)
