"""The SQL text that is shown computes, run by hand against the caller's tables, what the evaluation gives."""

from __future__ import annotations

import duckdb
import pytest

import ireval_frames as ir
from ireval_frames.errors import NotDefined
from tests.contract.asked import SOME as ANY
from tests.contract.asked import WORLDS, Values, by_measure, evaluated_world, nothing_differs

# Steps in Python have no text.
SOME = [m for m in ANY if m.runs == "relational"]
PARTS = 25
IN_PYTHON = [m for m in ANY if m.runs == "python"]


@pytest.mark.parametrize("measure", IN_PYTHON, ids=str)
def test_steps_in_python_are_refused(measure: ir.Measure) -> None:
    """The text is refused with the step's name, and the plan says it too."""
    evaluation = ir.evaluate(WORLDS[0].qrels_frame(), WORLDS[0].run_frame(), measure)
    with pytest.raises(NotDefined, match=r"a step in Python \((.|\n)*explain\(\)"):
        evaluation.sql(wide=True)
    assert "through Python" in evaluation.explain()


def test_values_per_query() -> None:
    number, made = 0, WORLDS[0]
    qrels, run = made.qrels_frame(), made.run_frame()
    with duckdb.connect() as connection:
        connection.from_arrow(qrels.to_arrow()).create("qrels")
        connection.from_arrow(run.to_arrow()).create("run")
        # One text of all measures takes several times as long as texts of some.
        for at in range(0, len(SOME), PARTS):
            part = SOME[at : at + PARTS]
            rows = connection.sql(ir.evaluate(qrels, run, part).sql(wide=True)).pl()
            found: Values = {
                (str(m), r["run_id"], r["query_id"]): None if r[str(m)] is None else float(r[str(m)])
                for r in rows.iter_rows(named=True)
                for m in part
            }
            for name, values in by_measure(found).items():
                nothing_differs(values, evaluated_world(number, "duckdb")[name], 1e-12)


def test_summary() -> None:
    made = WORLDS[0]
    qrels, run = made.qrels_frame(), made.run_frame()
    evaluation = ir.evaluate(qrels, run, SOME[::9])
    with duckdb.connect() as connection:
        connection.from_arrow(qrels.to_arrow()).create("qrels")
        connection.from_arrow(run.to_arrow()).create("run")
        rows = connection.sql(evaluation.sql("summary", wide=True)).pl()
    assert rows["run_id"].to_list() == list(made.runs)
    for row in evaluation.summary().iter_rows(named=True):
        assert rows.filter(run_id=row["run_id"])[row["measure"]].item() == pytest.approx(
            row["value"], rel=1e-12, abs=1e-12
        )
