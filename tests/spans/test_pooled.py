"""Values over documents: pooled by their weights, in groups, and as means."""

from __future__ import annotations

import polars as pl
import pytest
from polars.testing import assert_frame_equal

import ireval_frames as ir
from ireval_frames import catalog
from ireval_frames.spans.inputs import SpanInputs
from tests.contract.kit import differences
from tests.oracles import spans as oracle
from tests.spans.cases import make_case
from tests.spans.suite import DEFINITIONS, variants

CASE = make_case(21, runs=2, weighted=True)
FRAMES = CASE.frames()
MEASURES = [m for d in DEFINITIONS for m in variants(d)]


def subject(**options: object) -> ir.Spans:
    return ir.Spans(FRAMES["gold"], FRAMES["predicted"], documents=FRAMES["documents"], **options)


@pytest.mark.parametrize("engine", ["polars", "duckdb"])
def test_numerators_and_denominators_are_summed_by_the_weights_of_documents(engine: str) -> None:
    rows = subject(engine=engine).evaluate(MEASURES).summary()
    actual = {(m, r): v for r, m, v in rows.select("run_id", "measure", "value").rows()}
    expected = {
        (str(m), run): oracle.value(m.name, list(documents.values()), **m.arguments())
        for m in MEASURES
        for run, documents in CASE.runs.items()
    }
    assert not differences(actual, expected)


def test_means_over_documents_are_weighted() -> None:
    ev = subject().evaluate("F1(aggregation='mean')")
    values = ev.per_unit().join(FRAMES["documents"], on="doc_id").drop_nulls("value")
    for run, value in ev.summary().select("run_id", "value").rows():
        of = values.filter(run_id=run)
        assert value == pytest.approx((of["value"] * of["weight"]).sum() / of["weight"].sum(), abs=1e-12)


def test_groups_are_pooled_apart() -> None:
    documents = FRAMES["documents"].with_columns(lang=pl.Series(["de", "en"] * (len(FRAMES["documents"]) // 2)))
    ev = ir.Spans(FRAMES["gold"], FRAMES["predicted"], documents=documents, by="lang").evaluate(
        "F1 F1(match='partial')"
    )
    langs = dict(documents.select("doc_id", "lang").rows())
    for run, lang, name, value in ev.summary().select("run_id", "lang", "measure", "value").rows():
        measure = catalog.parse(name, "spans")
        part = [d for doc, d in CASE.runs[run].items() if langs[doc] == lang]
        assert value == pytest.approx(oracle.value(measure.name, part, **measure.arguments()), abs=1e-12)


def test_documents_without_spans_count_where_they_are_named() -> None:
    gold, predicted = ir.examples.spans()
    named = ir.Spans(gold, predicted, documents=["a", "b", "c", "d"]).evaluate("SubsetAccuracy F1")
    assert named.summary()["value"].to_list() == [0.75, 0.4]
    assert named.summary()["n_units"].to_list() == [4, 4]
    assert named.per_unit().filter(doc_id="c")["value"].to_list() == [1.0, None]


def test_the_policy_says_what_is_undefined() -> None:
    gold, predicted = ir.examples.spans()
    nothing = {"documents": ["a", "b", "c"]}
    for policy, value in (("undefined=0", 0.0), ("undefined=1", 1.0), ("seqeval", 0.0)):
        ev = ir.Spans(gold, predicted, policy=policy, **nothing).evaluate("Precision Recall F1 TokenF1")
        assert ev.per_unit().filter(doc_id="c")["value"].to_list() == [value] * 4


def test_equal_spans_are_merged_or_counted() -> None:
    gold, predicted = ir.examples.spans()
    twice = pl.concat([predicted, predicted.filter(doc_id="b")])
    merged = ir.Spans(gold, twice, policy="duplicates=merge").evaluate("NumPredicted F1")
    assert merged.summary()["value"].to_list() == [5.0, 0.4]
    counted = ir.Spans(gold, twice, policy="duplicates=count")
    assert counted.evaluate("NumPredicted F1 Recall").summary()["value"].to_list() == [6.0, 4 / 11, 0.4]
    assert sorted(counted.errors().filter(doc_id="b")["error"]) == ["correct", "duplicate"]
    both = ir.Spans(pl.concat([gold, gold.filter(doc_id="b")]), twice, policy="nervaluate").evaluate("F1")
    assert both.summary()["value"].to_list() == [0.5]


def test_spans_without_a_type_are_skipped_or_one_more_type() -> None:
    gold, predicted = (
        frame.with_columns(pl.when(pl.col("type") != "PER").then("type")) for frame in ir.examples.spans()
    )
    skipped = ir.Spans(gold, predicted, policy="untyped=skip").evaluate("NumGold NumPredicted")
    assert skipped.summary()["value"].to_list() == [2.0, 3.0]
    typed = ir.Spans(gold, predicted, policy="untyped=type")
    assert typed.evaluate("F1 F1(match='type')").summary()["value"].to_list() == [0.4, 0.6]


DRAWN = "F1 F1(match='partial', average='macro') TokenF1 SubsetAccuracy F1(aggregation='mean')"


def test_drawn_documents_have_the_sums_of_their_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows are summed in each document once: as if the rows of each drawn document were evaluated."""
    ev = subject(by=()).evaluate(DRAWN)
    table = ir.resampling.bootstrap(ev, n_resamples=20).table()
    low, value, high = (table[c] for c in ("ci_low", "value", "ci_high"))
    assert ((low <= value) & (value <= high) & (low < high)).all()
    assert value.to_list() == pytest.approx(ev.summary()["value"].to_list())
    influence = ir.resampling.jackknife(ev).table()
    monkeypatch.setattr(SpanInputs, "sums_once", False)
    assert_frame_equal(ir.resampling.bootstrap(ev, n_resamples=20).table(), table, rel_tol=1e-9)
    assert_frame_equal(ir.resampling.jackknife(ev).table(), influence, rel_tol=1e-9)


def test_what_is_relational_is_one_query() -> None:
    ev = ir.Spans(*ir.examples.spans(), engine="duckdb")
    assert "SELECT" in ev.evaluate("F1 F1(match='overlap') TokenF1 F1(average='macro')").per_unit.sql()
    assert "through Python" in ev.evaluate("F1(match='partial')").explain()
