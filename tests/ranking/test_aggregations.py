"""Aggregations of queries' values equal the oracle's; undefined values are excluded and counted."""

from __future__ import annotations

import polars as pl
import pytest

import ireval_frames as ir
from ireval_frames.declaration import AGGREGATIONS
from tests.contract.kit import ENGINES
from tests.oracles.evaluate import summary
from tests.ranking.suite import CASES, FIRST, NAMES
from tests.together import each_of

VARIANTS = [m(aggregation=a) for m in FIRST for a in AGGREGATIONS]


@pytest.mark.parametrize("engine", ENGINES)
def test_equals_the_oracle(engine: str) -> None:
    case = CASES["text"]
    measures = VARIANTS
    evaluation = ir.evaluate(case.qrels_frame(), case.run_frame(), measures, engine=engine)
    units, actual = evaluation.per_unit(), evaluation.summary()
    assert actual["measure"].to_list() == [str(m) for m in measures] * len(case.runs)
    of = {key: part["value"].to_list() for key, part in units.group_by("run_id", "measure")}
    aggregations = {str(m): m.aggregation for m in measures}
    for row in actual.iter_rows(named=True):
        values = of[row["run_id"], row["measure"]]
        expected = summary(values, aggregations[row["measure"]])
        assert row["value"] == pytest.approx(expected, rel=1e-12, abs=1e-12), row
        assert row["n_units"] == len(values) == len(case.qrels)
        assert row["n_undefined"] == values.count(None)


@each_of(NAMES)
def test_the_declared_aggregation_is_the_default(name: str) -> None:
    measure = next(m for m in FIRST if m.name == name)
    assert measure.aggregation == measure.definition.aggregation == ("sum" if name.startswith("Num") else "mean")
    assert "aggregation" not in str(measure)


def aggregated(values: list[float | None], aggregation: str) -> float | None:
    """The summary of RR over queries whose first relevant document has rank 1/value; None is no query."""
    qrels = pl.DataFrame({"query_id": [f"q{i}" for i in range(len(values))], "doc_id": "a", "relevance": 1})
    rows = [
        (f"q{i}", f"x{j}" if j + 1 < round(1 / v) else "a", -float(j))
        for i, v in enumerate(values)
        if v
        for j in range(round(1 / v))
    ]
    run = pl.DataFrame(rows, schema={"query_id": pl.String, "doc_id": pl.String, "score": pl.Float64}, orient="row")
    return ir.evaluate(qrels, run, ir.RR(aggregation=aggregation)).summary()["value"].item()


@pytest.mark.parametrize(
    "aggregation, value",
    [
        ("mean", 1.75 / 4),
        ("sum", 1.75),
        ("median", 0.375),
        ("min", 0.0),
        ("max", 1.0),
        ("geometric", (1.0 * 0.5 * 0.25 * 1e-5) ** 0.25),
        ("std", (0.546875 / 3) ** 0.5),
    ],
)
def test_values_by_hand(aggregation: str, value: float) -> None:
    assert aggregated([1.0, 0.5, 0.25, 0.0], aggregation) == pytest.approx(value, rel=1e-11)


def test_deviation_of_one_query_is_undefined() -> None:
    assert aggregated([1.0], "std") is None
    assert aggregated([1.0], "median") == 1.0


@pytest.mark.parametrize("aggregation", AGGREGATIONS)
def test_all_undefined(aggregation: str) -> None:
    """Without defined values, the sum is 0, and other aggregations are undefined."""
    qrels = pl.DataFrame({"query_id": ["q"], "doc_id": ["a"], "relevance": [0]})
    run = pl.DataFrame({"query_id": ["q"], "doc_id": ["a"], "score": [1.0]})
    row = ir.evaluate(qrels, run, ir.BEP(aggregation=aggregation)).summary().row(0, named=True)
    assert row["value"] == (0.0 if aggregation == "sum" else None)
    assert (row["n_units"], row["n_undefined"]) == (1, 1)
