"""The SQL text of an evaluation gives its values when it is run on the tables."""

from __future__ import annotations

import math
from typing import Any

import duckdb
import polars as pl
import pytest

from ireval_frames.errors import NotDefined
from tests.contract.kit import Frames, Suite, assert_same, main_cases, measure_names, parametrize


def run_text(frames: Frames, text: str) -> pl.DataFrame:
    """The result of the text on tables of the names that it refers to."""
    with duckdb.connect() as con:
        for name, frame in frames.items():
            con.from_arrow(frame.to_arrow()).create(name)
        return con.sql(text).pl()


@parametrize("case", main_cases, engines=False)
def test_values_per_unit(suite: Suite, case: str) -> None:
    # Steps in Python have no SQL text.
    measures = suite.few_variants(case) if case == main_cases(suite)[0] else suite.first_variants(case)
    measures = [m for m in measures if m.runs == "relational"]
    for batch in suite.batches(measures, 40):
        frames = suite.frames(case, batch[0])
        evaluation = suite.evaluation(case, batch, "duckdb")
        rows = run_text(frames, evaluation.per_unit.sql(wide=True))
        keys = [c for c in rows.columns if c not in {str(m) for m in batch}]
        for m in batch:
            actual = {
                (str(m), *row[:-1]): row[-1] for row in rows.select(*keys, pl.col(str(m)).cast(pl.Float64)).rows()
            }
            assert_same(actual, suite.results(case, "duckdb")[str(m)], 1e-12, "SQL text")


@parametrize("case", lambda suite: main_cases(suite)[:1], engines=False)
def test_summary(suite: Suite, case: str) -> None:
    values = suite.results(case, "duckdb")
    measures = [
        m for m in suite.first_variants(case) if m.runs == "relational" and math.inf not in values[str(m)].values()
    ]
    if not measures:
        return
    batch = suite.batches(measures[:: max(1, len(measures) // 10)])[0]
    frames = suite.frames(case, batch[0])
    evaluation = suite.evaluation(case, batch, "duckdb")
    rows = run_text(frames, evaluation.summary.sql(wide=True))
    wide = evaluation.wide()
    assert rows.columns == wide.columns
    for actual, expected in zip(rows.rows(), wide.rows(), strict=True):
        assert actual == tuple(_near(v) for v in expected)


def _near(value: Any) -> Any:
    return pytest.approx(value, rel=1e-12, abs=1e-12) if isinstance(value, float) else value


def _in_python(suite: Suite, name: str) -> list:
    return [(case, m) for case in suite.cases for m in suite.variants_of(case, name) if m.runs == "python"]


@parametrize("name", lambda suite: [n for n in measure_names(suite) if _in_python(suite, n)], engines=False)
def test_steps_in_python_are_refused(suite: Suite, name: str) -> None:
    """The error names the step, and so does the plan."""
    case, measure = _in_python(suite, name)[0]
    evaluation = suite.evaluation(case, [measure], "polars")
    with pytest.raises(NotDefined, match=r"a step in Python \((.|\n)*explain\(\)"):
        evaluation.per_unit.sql(wide=True)
    assert "through Python" in evaluation.explain()
