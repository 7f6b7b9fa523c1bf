"""Runs and judgments without rows."""

from __future__ import annotations

import pytest

import ireval_frames as ir
from tests.contract.kit import ENGINES, assert_same
from tests.ranking.cases import Case
from tests.ranking.suite import FIRST, SMALL, expected

engines = pytest.mark.parametrize("engine", ENGINES)


@engines
def test_an_empty_run_counts_every_query(engine: str) -> None:
    case = SMALL["one of two queries"]
    run = case.run_frame("r").clear()
    actual = ir.evaluate(case.qrels_frame(), run, FIRST, engine=engine, policy="overlap=allow")
    empty_case = Case(case.qrels, {"r": {}})
    values_expected = {(m, q): v for measure in FIRST for (m, _, q), v in expected(empty_case, measure).items()}
    assert_same(
        {(r["measure"], r["query_id"]): r["value"] for r in actual.per_unit().iter_rows(named=True)},
        values_expected,
        1e-12,
    )
    assert actual.summary()["n_units"].to_list() == [2] * len(FIRST)


@engines
def test_an_empty_run_of_many_has_no_systems(engine: str) -> None:
    case = SMALL["one of two queries"]
    actual = ir.evaluate(case.qrels_frame(), case.run_frame().clear(), FIRST, engine=engine, policy="overlap=allow")
    assert actual.per_unit().columns == ["run_id", "query_id", "measure", "value"]
    assert actual.per_unit().height == actual.summary().height == actual.wide().height == 0


@engines
def test_empty_judgments_have_no_units(engine: str) -> None:
    case = SMALL["one hit"]
    actual = ir.evaluate(case.qrels_frame().clear(), case.run_frame("r"), FIRST, engine=engine, policy="overlap=allow")
    assert actual.per_unit().height == 0
    summary = actual.summary()
    assert summary["measure"].to_list() == [str(m) for m in FIRST]
    assert summary["n_units"].to_list() == [0] * len(FIRST)
    assert [v for v, m in zip(summary["value"], FIRST, strict=True) if m.aggregation == "mean"] == [None] * sum(
        m.aggregation == "mean" for m in FIRST
    )


@engines
def test_both_empty(engine: str) -> None:
    case = SMALL["one hit"]
    assert (
        ir.evaluate(case.qrels_frame().clear(), case.run_frame().clear(), FIRST, engine=engine, policy="overlap=allow")
        .per_unit()
        .height
        == 0
    )
