"""Several annotators: each pair of them is compared."""

from __future__ import annotations

import itertools

import polars as pl
import pytest

import ireval_frames as ir
from ireval_frames.errors import InvalidParameter, InvalidValue, MissingColumn
from tests.oracles import spans as oracle
from tests.oracles.spans_matching import span

ROWS = [
    ("ann", "a", 0, 2, "X"), ("ann", "a", 4, 7, "Y"), ("ann", "b", 1, 2, "X"), ("ann", "c", 0, 3, "X"),
    ("bob", "a", 0, 2, "X"), ("bob", "a", 4, 6, "Y"), ("bob", "b", 1, 2, "Y"),
    ("cat", "a", 0, 2, "X"), ("cat", "b", 1, 2, "X"), ("cat", "c", 0, 3, "X"),
]  # fmt: skip
MARKED = pl.DataFrame(ROWS, ["rater_id", "doc_id", "start", "end", "type"], orient="row")
MEASURES = "F1 F1(match='partial') Precision"


def expected(annotated: set[tuple[str, str]]) -> list[float]:
    out = []
    for a, b in itertools.combinations(("ann", "bob", "cat"), 2):
        documents = [
            oracle.Document(*([span(s, e, t) for r, d, s, e, t in ROWS if (r, d) == (rater, doc)] for rater in (a, b)))
            for doc in "abc"
            if {(a, doc), (b, doc)} <= annotated
        ]
        options = {"threshold": 0.5, "typed": True, "average": "micro", "types": None}
        for name, match in (("F1", "strict"), ("F1", "partial"), ("Precision", "strict")):
            out.append(oracle.value(name, documents, match=match, **options))
    return out


@pytest.mark.parametrize("engine", ["polars", "duckdb"])
def test_every_pair(engine: str) -> None:
    rows = ir.Spans(MARKED, rater="rater_id", engine=engine).evaluate(MEASURES).summary()
    everywhere = {(r, d) for r in ("ann", "bob", "cat") for d in "abc"}
    assert rows["value"].to_list() == pytest.approx(expected(everywhere), abs=1e-12)
    assert rows.select("rater_a", "rater_b").unique(maintain_order=True).rows() == [
        ("ann", "bob"), ("ann", "cat"), ("bob", "cat"),
    ]  # fmt: skip


def test_documents_that_both_have_annotated() -> None:
    annotated = [(r, d) for r in ("ann", "bob", "cat") for d in "abc" if (r, d) != ("bob", "c")]
    documents = pl.DataFrame(annotated, ["rater_id", "doc_id"], orient="row")
    subject = ir.Spans(MARKED, rater="rater_id", documents=documents)
    assert subject.evaluate(MEASURES).summary()["value"].to_list() == pytest.approx(expected(set(annotated)), abs=1e-12)
    pairs = subject.errors().select("rater_a", "rater_b", "doc_id").unique()
    assert pairs.filter(doc_id="c").rows() == [("ann", "cat", "c")]


def test_groups_stay_pairs() -> None:
    marked = MARKED.with_columns(lang=pl.when(pl.col("doc_id") == "a").then(pl.lit("de")).otherwise(pl.lit("en")))
    rows = ir.Spans(marked, rater="rater_id").evaluate("F1", by="lang").summary()
    assert rows.columns[:3] == ["rater_a", "rater_b", "lang"]
    assert rows.height == 6
    assert rows.filter(rater_b="bob", lang="de")["value"].item() == 0.5


def test_errors_name_the_column() -> None:
    with pytest.raises(MissingColumn, match="no column 'who'"):
        ir.Spans(MARKED, rater="who").evaluate("F1")
    null = pl.when(pl.int_range(pl.len()) > 0).then("rater_id").alias("rater_id")
    with pytest.raises(InvalidValue, match="1 span has no annotator: column 'rater_id' is null"):
        ir.Spans(MARKED.with_columns(null), rater="rater_id").evaluate("F1").summary()
    with pytest.raises(InvalidParameter, match="Leave predicted out"):
        ir.Spans(MARKED, MARKED, rater="rater_id")
    with pytest.raises(InvalidParameter, match=r'no predicted spans(.|\n)*rater="rater_id"'):
        ir.Spans(MARKED)


def test_one_annotator_alone() -> None:
    with pytest.raises(InvalidValue, match="'rater_id' has one annotator, 'ann', and two are compared"):
        ir.Spans(MARKED.filter(rater_id="ann"), rater="rater_id").evaluate("F1").summary()


def test_documents_of_annotators_are_a_table_without_weights() -> None:
    with pytest.raises(InvalidParameter, match="is a table that says who") as error:
        ir.Spans(MARKED, rater="rater_id", documents=["a", "b"])
    line = str(error.value).partition("Make it: ")[2]
    table = eval(line, {"pl": pl, "documents": ["a", "b"]})
    both = ir.Spans(MARKED.filter(pl.col("rater_id") != "cat", pl.col("doc_id") != "c"), rater="rater_id")
    assert both.evaluate("F1").summary()["n_units"].to_list() == [2]
    rows = ir.Spans(MARKED, rater="rater_id", documents=table).evaluate("F1").summary()
    assert rows.equals(both.evaluate("F1").summary())
    with pytest.raises(InvalidParameter, match="have no weights"):
        ir.Spans(MARKED, rater="rater_id", documents=table.with_columns(weight=1.0)).evaluate("F1")
