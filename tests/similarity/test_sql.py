"""The SQL of a comparison runs by hand and gives the same; many tables of one plan are made once."""

from __future__ import annotations

import duckdb
import pytest

import ireval_frames as ir
from tests.contract.kit import differences, values
from tests.similarity.cases import frame, make_case
from tests.similarity.suite import some


@pytest.mark.parametrize("tables", [1, 2])
def test_by_hand(tables: int) -> None:
    runs, measures = frame(make_case(21, queries=10)), some(21, 2)
    against = runs if tables == 2 else None
    compared = ir.Similarity(runs, against=against).evaluate(measures)
    with duckdb.connect() as connection:
        connection.from_arrow(runs.to_arrow()).create("runs")
        connection.from_arrow(runs.to_arrow()).create("against")
        rows = connection.sql(compared.per_unit.sql(wide=True)).pl()
        summary = connection.sql(compared.summary.sql(wide=True)).pl()
        named = ir.Similarity("runs", against="against" if tables == 2 else None, con=connection).evaluate(measures)
        assert not differences(values(named), values(compared))
        assert named.per_unit.sql(wide=True) == ir.Similarity(
            "runs", against="against" if tables == 2 else None, con=connection
        ).evaluate(measures).per_unit.sql(wide=True)
    actual = {
        (str(m), r["run_id"], r["other_run_id"], r["query_id"]): r[str(m)]
        for r in rows.iter_rows(named=True)
        for m in measures
    }
    assert not differences(actual, values(compared))
    assert len(summary) == len(compared.wide())


def test_the_pair_count_can_be_read() -> None:
    """Discordant pairs are counted as the definition says: every item with every item of the same two lists."""
    text = ir.Similarity(frame(make_case(22, queries=3))).evaluate("Tau").per_unit.sql(wide=True)
    assert "two_items AS (" in text
    assert "before_top < top AND before_other_top > other_top" in text


def test_many_measures_stay_quick() -> None:
    """A plan whose tables feed each other runs each once.

    30 measures take seconds, where repeating would take hours.
    """
    runs = frame(make_case(23, queries=4))
    measures = some(23, 5)
    assert len(measures) > 25
    actual = values(ir.Similarity(runs, engine="duckdb").evaluate(measures))
    assert not differences(actual, values(ir.Similarity(runs).evaluate(measures)))
