"""The SQL text that is shown computes, run by hand, what the evaluation gives; the order of rows does not matter."""

from __future__ import annotations

import duckdb
import pytest

import ireval_frames as ir
from tests.contract.asked import nothing_differs
from tests.organization.asked import ENGINES, ON, WORLDS, Values, evaluated_world, values


@pytest.mark.parametrize("where", ["mixed", "overlaps"])
def test_values_per_unit(where: str) -> None:
    gold, system = WORLDS[where].tables()
    measures = ON["duckdb"][where][::5]
    overlapping = WORLDS[where].overlapping
    text = ir.Organization(gold, system, overlapping=overlapping).evaluate(measures).sql(wide=True)
    with duckdb.connect() as con:
        con.from_arrow(gold.to_arrow()).create("gold")
        con.from_arrow(system.to_arrow()).create("system")
        rows = con.sql(text).pl()
    found: Values = {
        (str(m), r["run_id"], r["query_id"]): r[str(m)] for r in rows.iter_rows(named=True) for m in measures
    }
    wanted = evaluated_world(where, "duckdb")
    nothing_differs(found, {k: wanted[k] for k in found}, 1e-12)
    assert len(found) == len(measures) * rows.height


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("where", ["mixed", "overlaps"])
def test_row_order(where: str, engine: str) -> None:
    made = WORLDS[where]
    tables = [t.sample(fraction=1, shuffle=True, seed=5) for t in made.tables()]
    measures = ON["duckdb"][where][::5]
    found = values(ir.Organization(*tables, overlapping=made.overlapping, engine=engine).evaluate(measures))
    wanted = evaluated_world(where, "duckdb")
    nothing_differs(found, {k: wanted[k] for k in found}, 1e-12)


def test_explained() -> None:
    evaluation = ir.Organization(*ir.examples.ranking()).evaluate("RS")
    text = evaluation.explain()
    assert "counts_by_grade: a row per (unit_0, position, grade)" in text
    assert "missing = replab" in text
    assert evaluation.provenance["policy"] == {"missing": "replab"}
