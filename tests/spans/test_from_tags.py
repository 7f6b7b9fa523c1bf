"""`Spans.from_tags`: values, conventions, what is told of repairs, documents without spans, and arguments."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import duckdb
import polars as pl
import pytest

import ireval_frames as ir
from ireval_frames.errors import InvalidParameter, InvalidValue, NotDefined, ReadingWarning, UnknownName
from tests.oracles.tags import spans_of_tags

engines = pytest.mark.parametrize("engine", ["polars", "duckdb"])
ROWS = {
    "a": (["B-PER", "I-PER", "O", "B-LOC"], ["I-PER", "I-PER", "O", "O"]),
    "b": (["O", "B-LOC", "I-LOC", "O"], ["O", "B-LOC", "I-PER", "O"]),
    "c": (["O"], ["O"]),
}
FRAME = pl.DataFrame(
    [(doc, at, *tags) for doc, both in ROWS.items() for at, tags in enumerate(zip(*both, strict=True))],
    schema=["doc_id", "position", "gold", "predicted"],
    orient="row",
)


def values(frame: Any, measures: str, **how: Any) -> list[float | None]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ReadingWarning)
        return ir.Spans.from_tags(frame, **how).evaluate(measures).summary()["value"].to_list()


@engines
@pytest.mark.parametrize("repair", ["conll", "strict", "begin"])
def test_values_are_those_of_the_spans(engine: str, repair: str) -> None:
    """Of the spans that the loop finds, as tables."""
    sides = []
    for side in range(2):
        spans = [(doc, *span) for doc, both in ROWS.items() for span in spans_of_tags(both[side], "IOB2", repair)[0]]
        sides.append(pl.DataFrame(spans, schema=["doc_id", "start", "end", "type"], orient="row"))
    measures = "Precision Recall F1 F1(match='partial') F1(average='macro') TokenF1 F1(aggregation='mean')"
    expected = ir.Spans(*sides, documents=list(ROWS)).evaluate(measures).summary()["value"].to_list()
    assert values(FRAME, measures, repair=repair, engine=engine) == pytest.approx(expected, rel=1e-12)


@engines
def test_what_a_repair_made_is_told(engine: str) -> None:
    subject = ir.Spans.from_tags(FRAME, engine=engine)
    told = r"Tags are not as IOB2 writes them; repair='conll': 2 of 3 spans of column 'predicted' are made of them\."
    evaluation = subject.evaluate("F1")
    with pytest.warns(ReadingWarning, match=told):
        assert evaluation.summary()["value"].item() == 1 / 3
    assert "tags: Tags are not as IOB2" in evaluation.explain(counts=True)
    assert subject.repairs().rows() == [("gold", 3, 0, 0), ("predicted", 3, 2, 0)]
    dropped = r"repair='strict': 2 runs of column 'predicted' are dropped, beside 1 spans\."
    with pytest.warns(ReadingWarning, match=dropped):
        ir.Spans.from_tags(FRAME, repair="strict", engine=engine).evaluate("F1").summary()
    with pytest.raises(InvalidValue, match="2 runs of tags in column 'predicted' are not as IOB2"):
        ir.Spans.from_tags(FRAME, repair="error", engine=engine).evaluate("F1").summary()
    # Without a scheme no tag is wrong, and right tags are told nothing of.
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        ir.Spans.from_tags(FRAME, convention="seqeval", engine=engine).evaluate("F1").summary()
        ir.Spans.from_tags(FRAME, gold="gold", predicted="gold", engine=engine).evaluate("F1").summary()
    with pytest.raises(NotDefined, match="These spans are not made from tags"):
        ir.Spans(FRAME.head(0), FRAME.head(0), start="position", end="position", type="gold").repairs()


@engines
def test_documents_without_a_span_count(engine: str) -> None:
    with pytest.warns(ReadingWarning):
        units = ir.Spans.from_tags(FRAME, engine=engine).evaluate("F1").per_unit(counts=True)
    assert units["doc_id"].to_list() == ["a", "b", "c"]
    assert units.row(2)[2:] == (None, 0, 0)
    assert values(FRAME, "F1(aggregation='mean')", engine=engine) == [pytest.approx(1 / 3)]
    weighted = pl.DataFrame({"doc_id": ["a", "b", "c"], "weight": [3.0, 1.0, 1.0]})
    assert values(FRAME, "Recall", documents=weighted, engine=engine) == [3 / 7]


@engines
def test_groups_and_systems(engine: str) -> None:
    frame = FRAME.with_columns(
        genre=pl.when(pl.col("doc_id") == "a").then(pl.lit("x")).otherwise(pl.lit("y")), silent=pl.lit("O")
    )
    assert values(frame, "Recall", by="genre", engine=engine) == [0.5, 0.0]
    evaluation = ir.Spans.from_tags(frame, predicted=["predicted", "gold", "silent"], engine=engine).evaluate(
        "Precision Recall"
    )
    with pytest.warns(ReadingWarning, match="of column 'predicted'"):
        summary = evaluation.wide()
    # A system that predicts nothing is one, too.
    assert summary.rows() == [("gold", 1.0, 1.0), ("predicted", 1 / 3, 1 / 3), ("silent", None, 0.0)]
    changing = FRAME.with_columns(genre=pl.col("position"))
    with pytest.raises(InvalidValue, match="Document 'a' is in 4 groups of genre; so are 1 others"):
        values(changing, "F1", by="genre", engine=engine)


@engines
def test_conventions_bring_their_policies(engine: str) -> None:
    nothing = FRAME.with_columns(predicted=pl.lit("O"))
    assert values(nothing, "Precision", engine=engine) == [None]
    for convention in ("seqeval", "seqeval-strict", "conlleval", "nervaluate"):
        assert values(nothing, "Precision", convention=convention, engine=engine) == [0.0]
        assert values(nothing, "Precision", convention=convention, policy="undefined=1", engine=engine) == [1.0]
    joined = FRAME.with_columns(gold=pl.Series(["E-P", "B-P", *["O"] * 7]), predicted=pl.Series(["E-P", *["O"] * 8]))
    assert values(joined, "Recall", scheme="IOBES", engine=engine) == [0.5]
    assert values(joined, "Recall", convention="conlleval", engine=engine) == [0.0]


def test_tables_of_a_connection_and_files(tmp_path: Path) -> None:
    path = tmp_path / "tags.csv"
    FRAME.write_csv(path)
    con = duckdb.connect()
    con.register("tags", FRAME.to_arrow())
    for tags, more in ((path, {}), (str(path), {"engine": "duckdb"}), ("tags", {"con": con}), (FRAME.lazy(), {})):
        assert values(tags, "F1", **more) == [1 / 3]


def test_arguments() -> None:
    with pytest.raises(UnknownName, match="no scheme of tags 'IOBS'"):
        ir.Spans.from_tags(FRAME, scheme="IOBS")  # type: ignore[arg-type]
    with pytest.raises(InvalidParameter, match="The column of documents is called 'type', which is a column of spans"):
        ir.Spans.from_tags(FRAME.rename({"doc_id": "type"}), doc="type")
    with pytest.raises(InvalidParameter, match="predicted"):
        ir.Spans.from_tags(FRAME, predicted=["predicted", "predicted"])
    with pytest.raises(InvalidParameter, match="'predicted' is 'y' in columns=, and another"):
        ir.Spans.from_tags(FRAME, predicted="predicted", columns={"predicted": "y"})
