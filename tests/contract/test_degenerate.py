"""Tables with nothing or next to nothing in them."""

from __future__ import annotations

import pytest

import ireval_frames as ir
from tests.contract.asked import ENGINES, FIRST, by_measure, evaluated, expected, few, nothing_differs
from tests.contract.worlds import World

engines = pytest.mark.parametrize("engine", ENGINES)

WORLDS = {
    "one hit": World({"q": {"a": 1.0}}, {"r": {"q": [("a", 1.0)]}}),
    "one miss": World({"q": {"a": 1.0}}, {"r": {"q": [("b", 1.0)]}}),
    "one document judged not relevant": World({"q": {"a": 0.0}}, {"r": {"q": [("a", 1.0)]}}),
    "one pooled document": World({"q": {"a": -1.0}}, {"r": {"q": [("a", 1.0)]}}),
    "no common query": World({"q": {"a": 1.0}}, {"r": {"p": [("a", 1.0)]}}),
    "all tied": World(
        {"q": {c: float(i % 3) for i, c in enumerate("abcdefgh")}}, {"r": {"q": [(c, 0.0) for c in "hagbfced"]}}
    ),
    "all unjudged": World({"q": {"a": 2.0}}, {"r": {"q": [(f"x{i}", float(i)) for i in range(20)]}}),
    "all relevant": World({"q": {f"d{i}": 1.0 for i in range(12)}}, {"r": {"q": [(f"d{i}", 0.5) for i in range(12)]}}),
    "one of two queries": World({"p": {"a": 1.0}, "q": {"a": 1.0}}, {"r": {"q": [("a", 1.0)]}}),
    "one of two runs answers": World(
        {"p": {"a": 1.0}, "q": {"a": 1.0}}, {"r": {"q": [("a", 1.0)]}, "s": {"p": [("a", 1.0)]}}
    ),
    "empty ids": World({"": {"": 1.0}}, {"": {"": [("", 1.0), (" ", 1.0)]}}),
}


@engines
@pytest.mark.parametrize("name", WORLDS)
def test_small_worlds(name: str, engine: str) -> None:
    made, turn = WORLDS[name], list(WORLDS).index(name) % 8
    asked = few(engine, [*FIRST[turn:], *FIRST[:turn]], 8)
    found = by_measure(evaluated(made, asked, engine))
    for measure in asked:
        nothing_differs(found[str(measure)], expected(made, measure), 1e-12)


@engines
def test_an_empty_run_counts_every_query(engine: str) -> None:
    made = WORLDS["one of two queries"]
    run = made.run_frame("r").clear()
    asked = few(engine, FIRST)
    found = ir.evaluate(made.qrels_frame(), run, asked, engine=engine)
    nothing = World(made.qrels, {"r": {}})
    wanted = {(m, q): v for measure in asked for (m, _, q), v in expected(nothing, measure).items()}
    nothing_differs(
        {(r["measure"], r["query_id"]): r["value"] for r in found.per_unit().iter_rows(named=True)}, wanted, 1e-12
    )
    assert found.summary()["n_units"].to_list() == [2] * len(asked)


@engines
def test_an_empty_run_of_many_has_no_systems(engine: str) -> None:
    made = WORLDS["one of two queries"]
    found = ir.evaluate(made.qrels_frame(), made.run_frame().clear(), few(engine, FIRST), engine=engine)
    assert found.per_unit().columns == ["run_id", "query_id", "measure", "value"]
    assert found.per_unit().height == found.summary().height == found.wide().height == 0


@engines
def test_empty_judgments_have_no_units(engine: str) -> None:
    made = WORLDS["one hit"]
    asked = few(engine, FIRST)
    found = ir.evaluate(made.qrels_frame().clear(), made.run_frame("r"), asked, engine=engine)
    assert found.per_unit().height == 0
    summary = found.summary()
    assert summary["measure"].to_list() == [str(m) for m in asked]
    assert summary["n_units"].to_list() == [0] * len(asked)
    assert [v for v, m in zip(summary["value"], asked, strict=True) if m.aggregation == "mean"] == [None] * sum(
        m.aggregation == "mean" for m in asked
    )


@engines
def test_both_empty(engine: str) -> None:
    made = WORLDS["one hit"]
    assert (
        ir.evaluate(made.qrels_frame().clear(), made.run_frame().clear(), few(engine, FIRST), engine=engine)
        .per_unit()
        .height
        == 0
    )
