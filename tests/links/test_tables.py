"""Counts, report, and each link with its error; and of any links the order of rows and swapped sides."""

from __future__ import annotations

from typing import Any

import hypothesis
import polars as pl
import pytest
from hypothesis import strategies as st

import ireval_frames as ir
from ireval_frames.links.matching import NAMED
from tests.links.cases import make_case
from tests.links.suite import LINKS, as_types
from tests.oracles import links as oracle

engines = pytest.mark.parametrize("engine", ["polars", "duckdb"])
FIELDS = ("gold", "predicted", "correct_gold", "redundant", "inexact")


def subject(case: Any, engine: str) -> ir.Links:
    frames = case.frames()
    return ir.Links(frames["gold"], frames["predicted"], documents=frames["documents"], engine=engine, **case.options)


@engines
def test_counts_of_judged_answers(engine: str) -> None:
    case, expected = LINKS.cases["tac"], []
    for run, documents in case.units.items():
        for name, d in documents.items():
            by_type = oracle.counts_by_type([as_types(oracle.Document(d.gold, d.predicted))], case.rules, on=None,
                                          where=None, match="strong")  # fmt: skip
            for kind, c in by_type.items():
                gold, predicted, correct, redundant, inexact = (int(getattr(c, f)) for f in FIELDS)
                spurious = predicted - correct
                wrong = spurious - redundant - inexact
                numbers = (gold, predicted, correct, gold - correct, spurious, redundant, inexact, wrong)
                expected.append((run, name, kind, *numbers))
    assert subject(case, engine).counts().rows() == sorted(expected)


@pytest.mark.parametrize(
    "engine, on", [("polars", "strong_typed_all_match"), ("duckdb", "entity_match"), ("polars", "strong_nil_match")]
)
def test_errors_and_report(engine: str, on: str) -> None:
    links = subject(LINKS.cases["inclusive"], engine)
    errors, counts = links.errors(on=on), links.counts(on=on, per_unit=False)
    assert dict(errors.group_by("error").len().rows()) == {
        k: v for k in ("correct", "missed", "spurious") if (v := counts[k].sum())
    }
    assert errors.columns == ["run_id", "doc_id", *NAMED[on][0], "error"]
    averages = ("micro", "macro", "weighted") if "type" in NAMED[on][0] else ("micro",)
    report = links.report(on=on)
    for average in averages:
        values = links.evaluate([ir.links.F1(on=on, average=average)]).summary()["value"]
        assert report.filter(pl.col("type") == f"{average} average")["f1"].to_list() == pytest.approx(values.to_list())


MATCHES = ("strong", "weak", "characters", "max", "sum")
MEASURES = [getattr(ir.links, m)(match=match) for match in MATCHES for m in ("Precision", "Recall", "F1")]


@hypothesis.settings(max_examples=3, deadline=None, database=None, derandomize=True)
@hypothesis.given(st.integers(0, 10_000).map(make_case), st.integers(0, 100))
def test_order_of_rows_and_swapped_sides(case: Any, seed: int) -> None:
    frames = case.frames()
    gold, predicted, documents = frames["gold"], frames["predicted"].drop("run_id"), frames["documents"]

    def values(one: pl.DataFrame, other: pl.DataFrame) -> list[Any]:
        return ir.Links(one, other, documents=documents).evaluate(MEASURES).summary()["value"].to_list()

    here, there = values(gold, predicted), values(predicted, gold)
    for i in range(0, len(here), 3):
        assert here[i : i + 2] == pytest.approx(there[i : i + 2][::-1], abs=1e-14)
        assert here[i + 2] == pytest.approx(there[i + 2], abs=1e-14)
    shuffled = (t.sample(fraction=1.0, shuffle=True, seed=seed) for t in (gold, predicted))
    assert values(*shuffled) == pytest.approx(here, abs=1e-14)
    assert set(values(gold, gold)) == {1.0}
    # What overlaps is never less than what is equal.
    strong, weak, *_ = here[2::3]
    assert weak >= strong


def test_every_match_by_name() -> None:
    """It compares its columns, and counts its links."""
    links = subject(LINKS.cases["inclusive"], "polars")
    named = [ir.links.F1(on=name) for name in NAMED]
    written = [ir.links.F1(on=on, where=where) for on, where in NAMED.values()]
    values = links.evaluate([*named, *written]).summary()["value"].to_list()
    runs = links.evaluate("NumGold").summary().height
    half = len(values) // 2 // runs
    for i in range(runs):
        of_run = values[i * 2 * half : (i + 1) * 2 * half]
        assert of_run[:half] == of_run[half:]


def test_the_slots_of_the_reference() -> None:
    """Two of three classes are filled by five responses: one is redundant, one inexact, one wrong."""
    slots = ir.Links(*ir.examples.slots(), doc="query_id", on=["slot", "value"], policy="tac-kbp")
    assert slots.evaluate("Precision Recall F1").summary()["value"].to_list() == [2 / 5, 2 / 3, 0.5]
    once = ir.Links(*ir.examples.slots(), doc="query_id", on=["slot", "value"])
    assert once.evaluate("Precision NumRedundant").summary()["value"].to_list() == [2 / 4, 0.0]
