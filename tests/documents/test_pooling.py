"""Values per document, pooled over documents, and of documents with weights."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

import ireval_frames as ir

GOLD = pl.DataFrame({"doc_id": [*"aabbc"], "start": [0, 5, 2, 7, 1], "end": [2, 6, 4, 9, 3], "type": [*"PLPPL"]})
SPANS = pl.DataFrame({"doc_id": [*"aabbb"], "start": [0, 5, 2, 8, 20], "end": [2, 6, 4, 9, 21], "type": [*"PPPPL"]})
PREDICTED = pl.concat([SPANS.with_columns(run_id=pl.lit("x")), GOLD.head(3).with_columns(run_id=pl.lit("y"))])
MEASURES = "Precision Recall F1 F1(average='macro') F1(aggregation='mean')"
EMPTY = {"doc_id": [*"abcd"]}


def values(evaluation: ir.Evaluation) -> dict[str, float | None]:
    """The summary of one system, by measure."""
    return dict(evaluation.summary().select("measure", "value").iter_rows())


@pytest.mark.parametrize("engine", ["polars", "duckdb"])
def test_numerators_and_denominators_are_summed(engine: str) -> None:
    spans = ir.Spans(GOLD, SPANS, documents=pl.DataFrame(EMPTY), engine=engine)
    evaluation = spans.evaluate(MEASURES)
    # Right: a 1 of 2 and 2, b 1 of 2 and 3, c 0 of 1 and 0; F1 of P is 2·2/(3 + 4), of L 0.
    expected = {"Precision": 2 / 5, "Recall": 2 / 5, "F1": 4 / 10, "F1(average='macro')": (4 / 7 + 0) / 2}
    assert values(evaluation) == pytest.approx({**expected, "F1(aggregation='mean')": (2 / 4 + 2 / 5 + 0) / 3})
    rows = evaluation.per_unit(wide=True).sort("doc_id")
    assert rows["F1"].to_list() == pytest.approx([2 / 4, 2 / 5, 0, None])
    assert evaluation.summary()["n_units"].to_list() == [4] * 5
    # The document without spans is left out of the mean, and of nothing that is pooled.
    assert evaluation.summary()["n_undefined"].to_list() == [0, 0, 0, 0, 1]
    nothing = ir.Spans(GOLD.clear(), SPANS.clear(), documents=pl.DataFrame(EMPTY), engine=engine).evaluate("F1")
    assert nothing.summary().select("value", "n_units", "n_undefined").row(0) == (None, 4, 4)


@pytest.mark.parametrize("engine", ["polars", "duckdb"])
def test_a_document_of_weight_two_counts_as_two(engine: str) -> None:
    documents = pl.DataFrame({**EMPTY, "weight": [2.0, 1.0, 0.0, 3.0], "half": [1, 1, 2, 2]})
    weighted = ir.Spans(GOLD, SPANS, documents=documents, engine=engine)
    twice = [t.filter(pl.col("doc_id").is_in(["a", "b"])) for t in (GOLD, SPANS)]
    copies = [pl.concat([t, t.filter(pl.col("doc_id") == "a").with_columns(doc_id=pl.lit("e"))]) for t in twice]
    names = MEASURES + " NumGold"
    expected = ir.Spans(*copies, engine=engine).evaluate(names)
    assert values(weighted.evaluate(names)) == pytest.approx(values(expected))
    by_half = weighted.evaluate("F1", by="half").summary()
    assert by_half.select("half", "value").rows() == [(1, pytest.approx(values(expected)["F1"])), (2, None)]
    with pytest.raises(ir.errors.NotDefined, match="no weighted median"):
        weighted.evaluate("F1(aggregation='median')").summary()


def test_systems_are_evaluated_on_the_same_documents() -> None:
    extra = PREDICTED.with_columns(pl.when(pl.col("start") == 20).then(pl.lit("d")).otherwise("doc_id").alias("doc_id"))
    with pytest.warns(ir.errors.OverlapWarning, match="1 of 3 documents of the gold are not in the predicted"):
        rows = ir.Spans(GOLD, extra).evaluate("F1").per_unit()
    assert rows.group_by("run_id", maintain_order=True).agg("doc_id").rows() == [
        ("x", ["a", "b", "c", "d"]),
        ("y", ["a", "b", "c", "d"]),
    ]


@pytest.mark.parametrize("documents", [None, [*"abc"]])
def test_coverage_counts_documents(documents: list[str] | None) -> None:
    coverage = ir.Spans(GOLD, PREDICTED, documents=documents).evaluate("F1").coverage()
    assert coverage.columns == ["run_id", "units", "documents_gold", "documents_predicted", "documents_both"]
    assert coverage.rows() == [("x", 3, 3, 2, 2), ("y", 3, 3, 2, 2)]


def test_pooled_values_are_resampled_by_documents() -> None:
    spans = ir.Spans(GOLD, PREDICTED, documents=["a", "b", "c"])
    options = {"n_resamples": 200, "seed": 1}
    of_subject = ir.resampling.bootstrap(spans, "F1 F1(aggregation='mean')", **options)
    of_evaluation = ir.resampling.bootstrap(spans.evaluate("F1 F1(aggregation='mean')"), **options)
    assert of_subject.table().equals(of_evaluation.table())
    row = of_subject.compare("x").row(0, named=True)
    assert (row["value_baseline"], row["value"]) == pytest.approx((4 / 10, 6 / 8))
    assert row["n_resampled"] == 3


def test_comparisons_tell_that_they_are_of_means(tmp_path: Path) -> None:
    spans = ir.Spans(GOLD, PREDICTED, documents=["a", "b", "c"])
    comparison = spans.evaluate("F1 F1(aggregation='mean')").compare("x")
    told = "F1 is pooled over doc_id in summaries, and compared here by means over doc_id"
    assert told in comparison.explain()
    assert told in str(comparison)
    store = ir.Store(tmp_path / "results")
    store.add(spans.evaluate("F1 F1(aggregation='mean')"))
    of_store = store.compare("x", "y", "F1")
    assert told in str(of_store)
    assert "pooled" not in str(store.compare("x", "y", "F1(aggregation='mean')"))
    one, other = (ir.Spans(GOLD, p, documents=["a", "b", "c"]).evaluate("F1") for p in (SPANS, GOLD))
    with pytest.raises(ir.errors.NotDefined, match=r"F1 is pooled .*\n.*Evaluate F1\(aggregation='mean'\)"):
        ir.gate(one, other, rules=["F1 drop <= 0.1"])


def test_other_families_do_not_pool() -> None:
    with pytest.raises(ir.errors.InvalidParameter, match="'pooled'; allowed: mean, sum"):
        ir.AP(aggregation="pooled")


def test_documents_must_name_all() -> None:
    documents = ["a", "b"]
    spans = ir.Spans(GOLD, SPANS, documents=documents)
    with pytest.raises(ir.errors.InvalidValue, match=r"1 row of the gold table is of documents .*: 'c'") as raised:
        spans.evaluate("F1").summary()
    line = str(raised.value.hint).rpartition(": ")[2]
    rest = eval(line, {"gold": GOLD, "pl": pl, "documents": documents})
    assert values(ir.Spans(rest, SPANS, documents=documents).evaluate("Recall")) == {"Recall": 2 / 4}
    with pytest.raises(ir.errors.InvalidValue, match="names 'a' 2 times"):
        ir.Spans(GOLD, SPANS, documents=pl.DataFrame({"doc_id": [*"abca"]})).evaluate("F1").summary()
    with pytest.raises(ir.errors.MissingColumn, match="documents table has no column 'half'"):
        ir.Spans(GOLD, SPANS, documents=[*"abc"], by="half").evaluate("F1")


def test_documents_and_queries_without_an_id_are_called_so() -> None:
    lost = GOLD.with_columns(pl.when(pl.col("doc_id") != "c").then("doc_id").alias("doc_id"))
    with pytest.raises(
        ir.errors.InvalidValue, match="1 row of the gold table has no document: column 'doc_id' is null"
    ):
        ir.Spans(lost, SPANS).evaluate("F1").summary()
