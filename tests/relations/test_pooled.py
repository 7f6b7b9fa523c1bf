"""Counts are summed over documents, times their weights, and a mean over documents is a mean."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest

import ireval_frames as ir
from tests.contract.kit import assert_same
from tests.oracles import relations as oracle
from tests.relations.cases import SHAPES
from tests.relations.suite import CASES

MEASURES = [
    "Precision", "Recall(match='head')", "F1", "F1(match='boundary', average='macro')", "ArgumentScore",
    "F1(match='argument-classification', average='weighted')", "F(beta=2, match='entities')", "NumCorrect",
    "SubsetAccuracy(match='trigger-identification')",
]  # fmt: skip
CASE = CASES["undirected"]
HALF = len(SHAPES) // 2


def evaluated(engine: str, measures: Any, *, weighted: bool) -> ir.Evaluation:
    frames = CASE.frames()
    documents = frames["documents"].with_columns(part=pl.int_range(pl.len()) // HALF)
    documents = documents if weighted else documents.drop("weight")
    subject = ir.Relations(
        frames["gold"], frames["predicted"], documents=documents, by="part", engine=engine, **CASE.options
    )
    return subject.evaluate(measures)


def groups(*, weighted: bool) -> dict[Any, list[oracle.Document]]:
    out: dict[Any, list[oracle.Document]] = {}
    for run, documents in CASE.units.items():
        for number, d in enumerate(documents.values()):
            weight = d.weight if weighted else 1.0
            out.setdefault((run, number // HALF), []).append(oracle.Document(d.gold, d.predicted, weight))
    return out


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("engine", ["polars", "duckdb"])
def test_sums_over_documents(engine: str, *, weighted: bool) -> None:
    evaluation = evaluated(engine, MEASURES, weighted=weighted)
    actual = {row[:3]: row[3] for row in evaluation.summary().select("measure", "run_id", "part", "value").iter_rows()}
    expected = {
        (str(m), *group): oracle.value(m.name, documents, CASE.rules, **m.arguments())
        for m in evaluation.measures
        for group, documents in groups(weighted=weighted).items()
    }
    assert_same(actual, expected, 1e-12, "pooled")


@pytest.mark.parametrize("engine", ["polars", "duckdb"])
def test_means_over_documents(engine: str) -> None:
    measure = "F1(match='boundary', aggregation='mean')"
    evaluation = evaluated(engine, measure, weighted=True)
    actual = {row[:2]: row[2] for row in evaluation.summary().select("run_id", "part", "value").iter_rows()}
    arguments = evaluation.measures[0].arguments()
    expected = {}
    for group, documents in groups(weighted=True).items():
        values = [(oracle.value("F1", [d], CASE.rules, **arguments), d.weight) for d in documents]
        defined = [(v, w) for v, w in values if v is not None]
        expected[group] = sum(v * w for v, w in defined) / sum(w for _, w in defined)
    assert_same(actual, expected, 1e-12, "means")
