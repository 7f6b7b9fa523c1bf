"""Counts, report, and each relation with its error: they say what the measures say, and what the oracle says."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest

import ireval_frames as ir
from ireval_frames.relations.tables import MATCHES
from tests.oracles import relations as oracle
from tests.relations.suite import CASES

CASE = CASES["undirected"]
engines = pytest.mark.parametrize("engine", ["polars", "duckdb"])


def subject(engine: str, case: Any = CASE) -> ir.Relations:
    frames = case.frames()
    return ir.Relations(
        frames["gold"], frames["predicted"], documents=frames["documents"], engine=engine, **case.options
    )


@pytest.mark.parametrize(
    "engine, match", [("duckdb", "strict"), ("polars", "head"), ("polars", "trigger-identification")]
)
def test_counts(engine: str, match: str) -> None:
    rows = subject(engine).counts(match=match).rows()
    expected = []
    for run, documents in CASE.units.items():
        for name, d in documents.items():
            counts = oracle.counts_by_type([oracle.Document(d.gold, d.predicted)], match, CASE.rules, attached=False)
            for kind, c in counts.items():
                types = () if match == "trigger-identification" else (kind,)
                missed, spurious = c.gold - c.correct, c.predicted - c.correct
                expected.append((run, name, *types, *map(int, (c.gold, c.predicted, c.correct, missed, spurious))))
    assert rows == sorted(expected)


@engines
def test_counts_of_all_documents(engine: str) -> None:
    per_document = subject(engine).counts(match="boundary").drop("doc_id")
    summed = per_document.group_by("run_id", "label").sum().sort("run_id", "label")
    assert subject(engine).counts(match="boundary", per_unit=False).equals(summed)


@pytest.mark.parametrize(
    "engine, match", [("duckdb", "strict"), ("polars", "trigger-identification"), ("polars", "argument-classification")]
)
def test_the_report_has_the_measures(engine: str, match: str) -> None:
    report = subject(engine).report(match=match)
    typed = match != "trigger-identification"
    averages = ("micro", "macro", "weighted") if typed else ("micro",)
    assert report.columns == ["run_id", "label", "precision", "recall", "f1", "support"]
    for average in averages:
        measures = [getattr(ir.relations, m)(match=match, average=average) for m in ("Precision", "Recall", "F1")]
        values = subject(engine).evaluate(measures).wide().drop("n_units", strict=False)
        rows = report.filter(pl.col("label") == f"{average} average")
        assert [r[0] for r in values.rows()] == rows["run_id"].to_list()
        for expected, actual in zip(values.rows(), rows.rows(), strict=True):
            assert actual[2:5] == pytest.approx(expected[-3:], abs=1e-12)
    labels = report.filter(~pl.col("label").str.ends_with(" average"))
    assert (labels.height > 0) == typed
    if typed:
        total = report.filter(pl.col("label") == "micro average")["support"].to_list()
        assert labels.group_by("run_id").agg(pl.col("support").sum()).sort("run_id")["support"].to_list() == total


@pytest.mark.parametrize("match", MATCHES)
def test_errors_add_up(match: str) -> None:
    engine = "polars"
    errors = subject(engine).errors(match=match)
    counts = subject(engine).counts(match=match, per_unit=False)
    numbers = dict(errors.group_by("error").len().rows())
    assert numbers == {k: v for k in ("correct", "missed", "spurious") if (v := counts[k].sum())}
    assert errors.select(pl.exclude("error")).is_unique().all()


def test_arguments_with_their_triggers() -> None:
    events = ir.Relations(*ir.examples.events())
    attached = events.errors(match="argument-classification", attached=True)
    assert attached.columns[-3:] == ["head_start", "head_end", "error"]
    assert attached.filter(pl.col("error") == "correct").height == 2


def test_in_a_database_and_as_sql() -> None:
    relations = subject("duckdb")
    assert "relations_boundary" in relations.counts.sql(match="boundary")
    assert "relations_strict" in relations.evaluate("F1").summary.sql()


def test_the_documents_are_explained() -> None:
    note = "The documents are those of both tables; documents= names"
    assert note in ir.Relations(*ir.examples.relations()).evaluate("F1").explain()
    assert note not in ir.Relations(*ir.examples.relations(), documents=["d1", "d2"]).evaluate("F1").explain()
