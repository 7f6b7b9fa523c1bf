"""The SQL text that is shown computes, run by hand, what the evaluation gives."""

from __future__ import annotations

import duckdb
import pytest

import ireval_frames as ir
from tests.contract.asked import nothing_differs
from tests.labels.asked import SOME, WORLDS, Values, by_measure, evaluated_world


@pytest.mark.parametrize("where", WORLDS)
def test_values_per_unit(where: str) -> None:
    made, frame = WORLDS[where], WORLDS[where].frame()
    # The stages that the worlds of single labels share are written alike.
    measures = SOME[where][{"text": slice(0, None, 2), "two": slice(1, None, 2), "sets": slice(0, None, 2)}[where]]
    text = ir.Labels(frame, unit="part", positive=made.positive).evaluate(measures).sql(wide=True)
    with duckdb.connect() as con:
        con.from_arrow(frame.to_arrow()).create("labels")
        rows = con.sql(text).pl()
    found: Values = {(str(m), r["run_id"], r["part"]): r[str(m)] for r in rows.iter_rows(named=True) for m in measures}
    for name, values in by_measure(found).items():
        nothing_differs(values, evaluated_world(where, "duckdb")[name], 1e-12)


def test_summary() -> None:
    frame = WORLDS["text"].frame()
    evaluation = ir.Labels(frame, unit="part").evaluate("MCC NumItems Accuracy(aggregation='median')")
    with duckdb.connect() as con:
        con.from_arrow(frame.to_arrow()).create("labels")
        rows = con.sql(evaluation.sql("summary", wide=True)).pl()
    for row in evaluation.summary().iter_rows(named=True):
        assert rows.filter(run_id=row["run_id"])[row["measure"]].item() == pytest.approx(row["value"], rel=1e-12)
