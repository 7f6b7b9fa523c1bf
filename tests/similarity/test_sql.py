"""The SQL text of a comparison gives its values; tables of a plan are computed once."""

from __future__ import annotations

import duckdb
import pytest

import ireval_frames as ir
from tests.contract.kit import differences, values
from tests.similarity.cases import frame, make_case
from tests.similarity.suite import sample


@pytest.mark.parametrize("tables", [1, 2])
def test_sql_gives_the_values(tables: int) -> None:
    runs, measures = frame(make_case(21, queries=10)), sample(21, 2)
    against = runs if tables == 2 else None
    comparison = ir.Similarity(runs, against=against).evaluate(measures)
    with duckdb.connect() as connection:
        connection.from_arrow(runs.to_arrow()).create("runs")
        connection.from_arrow(runs.to_arrow()).create("against")
        rows = connection.sql(comparison.per_unit.sql(wide=True)).pl()
        summary = connection.sql(comparison.summary.sql(wide=True)).pl()
        by_name = ir.Similarity("runs", against="against" if tables == 2 else None, con=connection).evaluate(measures)
        assert not differences(values(by_name), values(comparison))
        assert by_name.per_unit.sql(wide=True) == ir.Similarity(
            "runs", against="against" if tables == 2 else None, con=connection
        ).evaluate(measures).per_unit.sql(wide=True)
    actual = {
        (str(m), r["run_id"], r["other_run_id"], r["query_id"]): r[str(m)]
        for r in rows.iter_rows(named=True)
        for m in measures
    }
    assert not differences(actual, values(comparison))
    assert len(summary) == len(comparison.wide())


def test_counts_of_pairs_in_the_text() -> None:
    """Discordant pairs are counted by the definition: over all pairs of items of the two lists."""
    text = ir.Similarity(frame(make_case(22, queries=3))).evaluate("Tau").per_unit.sql(wide=True)
    assert "two_items AS (" in text
    assert "before_top < top AND before_other_top > other_top" in text


def test_many_measures_are_fast() -> None:
    """Each table of a plan is computed once: 30 measures take seconds; repeated tables would take hours."""
    runs = frame(make_case(23, queries=4))
    measures = sample(23, 5)
    assert len(measures) > 25
    actual = values(ir.Similarity(runs, engine="duckdb").evaluate(measures))
    assert not differences(actual, values(ir.Similarity(runs).evaluate(measures)))
