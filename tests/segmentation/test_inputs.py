"""What may be handed in, what is refused, and the policies."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import duckdb
import polars as pl
import pytest

import ireval_frames as ir
from ireval_frames.errors import (
    DuplicateRows,
    InvalidParameter,
    InvalidValue,
    IrevalError,
    MismatchedTables,
    MissingColumn,
    NothingInCommon,
    OverlapWarning,
    WrongType,
)
from tests.contract.kit import ENGINES

engines = pytest.mark.parametrize("engine", ENGINES)
FRAME = ir.examples.segments()
MEASURES = "Pk@2 WindowDiff@2 BoundaryP BoundaryR BoundaryF(tolerance=1) BoundarySimilarity"
EXPECTED = [1 / 6, 1 / 3, 2 / 3, 1.0, 0.8, 2 / 3]
GOLD = pl.DataFrame({"doc_id": ["d"] * 2, "position": [3, 6]})
PREDICTED = pl.DataFrame({"doc_id": ["d"] * 3, "position": [3, 5, 6]})
LENGTH = pl.DataFrame({"doc_id": ["d"], "length": [8]})


def values(*tables: Any, measures: str = MEASURES, **options: Any) -> list[float | None]:
    actual: list[float | None] = ir.Segmentation(*tables, **options).evaluate(measures).summary()["value"].to_list()
    return actual


def same(actual: list[float | None], expected: list[float] = EXPECTED) -> None:
    assert actual == pytest.approx(expected, rel=1e-12)


@engines
def test_every_form_of_table_has_the_same_values(engine: str) -> None:
    same(values(FRAME, engine=engine))
    gold = FRAME.select("doc_id", "position", segment="gold_segment")
    predicted = FRAME.select("doc_id", "position", "segment").sample(fraction=1, shuffle=True, seed=1)
    same(values(gold, predicted, engine=engine))
    same(values(GOLD, PREDICTED, documents=LENGTH, engine=engine))
    # Positions of one side say how long the document is.
    same(values(gold, PREDICTED, engine=engine))
    same(values(GOLD, predicted, engine=engine))
    # The ends may be listed, as begins or ends of segments are.
    ends = pl.concat([GOLD, pl.DataFrame({"doc_id": ["d"] * 2, "position": [0, 8]})])
    same(values(ends, PREDICTED, documents=LENGTH, engine=engine))


def test_files(tmp_path: Path) -> None:
    """Numbers in text files are text: position 10 comes behind 9."""
    frame = FRAME.with_columns(pl.col("position") + 5)
    frames = {"segments": frame, "gold": GOLD, "predicted": PREDICTED, "documents": LENGTH}
    paths = {name: str(tmp_path / f"{name}.csv") for name in frames}
    for name, table in frames.items():
        table.write_csv(paths[name])
    for engine in ENGINES:
        same(values(paths["segments"], engine=engine))
        same(values(paths["gold"], paths["predicted"], documents=paths["documents"], engine=engine))


def test_relations_and_names() -> None:
    frame = FRAME.rename({"doc_id": "talk", "position": "sentence", "gold_segment": "a", "segment": "b"})
    named = {"doc": "talk", "gold": "a", "predicted": "b"}
    same(values(frame, **named))
    same(values(frame, columns={"doc_id": "talk", "gold_segment": "a", "segment": "b"}))
    with duckdb.connect() as con:
        same(values(con.from_arrow(frame.to_arrow()), **named))


@pytest.mark.parametrize("dtype", [pl.UInt64, pl.Float32, pl.Categorical, pl.Enum(["1", "2", "3", "4"]), pl.Boolean])
@engines
def test_segments_of_any_type(dtype: Any, engine: str) -> None:
    """Only where the segment changes matters, so a name may come again."""
    segments = pl.col("gold_segment", "segment")
    text = dtype != pl.Boolean and not dtype.is_numeric()
    cast = segments.cast(pl.String).cast(dtype) if text else (segments % 2).cast(dtype)
    same(values(FRAME.with_columns(cast), engine=engine))


@engines
def test_positions_are_in_order_and_may_have_gaps(engine: str) -> None:
    frame = FRAME.with_columns(position=(pl.col("position") - 3) * 2.5).sample(fraction=1, shuffle=True, seed=3)
    same(values(frame, engine=engine))


@engines
def test_runs_share_the_gold(engine: str) -> None:
    runs = [FRAME.with_columns(run_id=pl.lit("one")), FRAME.with_columns(run_id=pl.lit("two"), segment="gold_segment")]
    frame = pl.concat(runs)
    expected = [("one", 1 / 6), ("two", 0.0)]
    for tables in (
        (frame,),
        (FRAME.select("doc_id", "position", "gold_segment"), frame.drop("gold_segment")),
    ):
        summary = ir.Segmentation(*tables, engine=engine).evaluate("Pk").summary()
        assert summary.select("run_id", "value").rows() == [(r, pytest.approx(v)) for r, v in expected]


@engines
def test_documents_that_are_named(engine: str) -> None:
    """A document without a boundary is in no table of boundaries."""
    documents = pl.DataFrame({"doc_id": ["d", "e"], "length": [8, 4], "genre": ["talk", "news"]})
    subject = ir.Segmentation(GOLD, PREDICTED, documents=documents, by="genre", engine=engine)
    rows = subject.evaluate("Pk BoundaryF BoundarySimilarity").summary().select("genre", "measure", "value").rows()
    assert rows == [
        ("news", "Pk", 0.0),
        ("news", "BoundaryF", None),
        ("news", "BoundarySimilarity", 1.0),
        ("talk", "Pk", pytest.approx(1 / 6)),
        ("talk", "BoundaryF", 0.8),
        ("talk", "BoundarySimilarity", pytest.approx(2 / 3)),
    ]
    assert values(GOLD, PREDICTED, documents=["d", "e"], measures="BoundarySimilarity", engine=engine) == [
        pytest.approx(5 / 6)
    ]


@engines
def test_documents_of_one_table(engine: str) -> None:
    """They count with the boundaries of the other side alone, and it is told."""
    more = pl.concat([GOLD, pl.DataFrame({"doc_id": ["e", "f"], "position": [2, 2]})])
    subject = ir.Segmentation(more, PREDICTED, engine=engine)
    evaluation = subject.evaluate("BoundaryR BoundaryP")
    assert evaluation.coverage().row(0) == (3, 3, 1, 1)
    with pytest.warns(OverlapWarning, match="documents"):
        assert evaluation.summary()["value"].to_list() == [0.5, pytest.approx(2 / 3)]
    with pytest.raises(NothingInCommon, match="No document of the gold table is in the predicted table"):
        values(GOLD.with_columns(doc_id=pl.lit("x")), PREDICTED, measures="BoundaryF", engine=engine)
    positions = FRAME.select("doc_id", "position", segment="gold_segment")
    one_more = pl.concat([positions, positions.with_columns(doc_id=pl.lit("e"))])
    with pytest.warns(OverlapWarning):
        # The other document has no predicted boundary.
        assert values(one_more, PREDICTED, measures="BoundaryR Pk", engine=engine)[0] == 0.5


def test_policies() -> None:
    short = pl.DataFrame({"doc_id": ["d"] * 2, "position": [0, 1], "gold_segment": [1, 1], "segment": [1, 1]})
    assert values(short, measures="Pk BoundaryF") == [None, None]
    assert values(short, measures="Pk BoundaryF", policy="undefined=1") == [1.0, 1.0]
    assert values(short, measures="BoundarySimilarity", policy="undefined=0") == [1.0]
    # NLTK has 7 gaps by twice 2 boundaries, which is 1.75 and so 2; segeval 8 positions by twice 3 segments: 1, so 2.
    assert values(FRAME, measures="Pk", policy="nltk") == values(FRAME, measures="Pk@2")
    many = FRAME.with_columns(gold_segment="position")
    assert values(many, measures="Pk", policy="nltk") == [0.0]
    assert values(many, measures="Pk") == values(many, measures="Pk@2")
    one = FRAME.with_columns(gold_segment=pl.lit(1))
    assert values(one, measures="Pk WindowDiff", policy="window=boundaries") == values(
        one, measures="Pk@4 WindowDiff@4"
    )
    same(values(FRAME, measures="WindowDiff(padded=True)"), [2 / 10])
    same(values(FRAME, measures="WindowDiff(padded=True)", policy="segeval"), [2 / 11])


REFUSED = {
    "a position twice": (
        lambda: (pl.concat([FRAME, FRAME.head(1)]),),
        DuplicateRows,
        "segments table has position 0 of document 'd' 2 times",
    ),
    "a boundary twice": (lambda: (pl.concat([GOLD, GOLD]), PREDICTED), DuplicateRows, "gold table has position [36]"),
    "no position": (
        lambda: (FRAME.with_columns(position=pl.when(pl.col("position") != 2).then("position")),),
        InvalidValue,
        r"1 row has no position in column 'position' (.|\n)*segments.remove",
    ),
    "a position that is infinite": (
        lambda: (FRAME.with_columns(position=pl.col("position") / 0.0),),
        InvalidValue,
        "8 rows have no position",
    ),
    "no segment": (
        lambda: (FRAME.with_columns(segment=pl.when(pl.col("position") > 1).then("segment")),),
        InvalidValue,
        "2 rows have no segment in column 'segment'",
    ),
    "no document": (
        lambda: (FRAME.with_columns(doc_id=pl.lit(None, pl.String)),),
        InvalidValue,
        "no item|no document",
    ),
    "part of a boundary": (
        lambda: (GOLD.with_columns(pl.col("position") + 0.5), PREDICTED),
        InvalidValue,
        r"holds 3.5 \(2 such rows\); a boundary is the number of positions before it",
    ),
    "a boundary below 0": (lambda: (GOLD, PREDICTED.with_columns(-pl.col("position"))), InvalidValue, "holds -3"),
    "lengths that differ": (
        lambda: (FRAME.select("doc_id", "position", "gold_segment"), FRAME.drop("gold_segment").head(7)),
        MismatchedTables,
        "'d' has 8 positions by the gold table and 7 by the predicted table",
    ),
    "positions that differ": (
        lambda: (
            FRAME.select("doc_id", "position", "gold_segment"),
            FRAME.drop("gold_segment").with_columns(pl.col("position") + 1),
        ),
        MismatchedTables,
        "Document 'd' has position 0 by the gold table, and not by the predicted table",
    ),
}


@engines
@pytest.mark.parametrize("what", REFUSED)
def test_bad_rows_are_refused(what: str, engine: str) -> None:
    tables, error, message = REFUSED[what]
    with pytest.raises(error, match=message):
        values(*tables(), measures="BoundaryF", engine=engine)


@engines
def test_boundaries_behind_the_end(engine: str) -> None:
    with pytest.raises(InvalidValue, match="a boundary after 6 positions of document 'd', which has 5"):
        values(GOLD, PREDICTED, documents=LENGTH.with_columns(length=pl.lit(5)), engine=engine)
    frame = FRAME.select("doc_id", "position", "gold_segment")
    with pytest.raises(MismatchedTables, match=r"8 positions by the gold table|9 positions by the documents table"):
        values(frame, PREDICTED, documents=LENGTH.with_columns(length=pl.lit(9)), engine=engine)


def test_what_cannot_be_asked() -> None:
    with pytest.raises(MissingColumn, match=r"Pk needs the number of positions(.|\n)*documents="):
        values(GOLD, PREDICTED, measures="BoundaryF Pk")
    with pytest.raises(MissingColumn, match="gold_segment"):
        values(FRAME.drop("gold_segment"))
    with pytest.raises(WrongType, match="position"):
        values(FRAME.with_columns(pl.col("position").cast(pl.String)))
    with pytest.raises(WrongType, match="'segment' is List"):
        values(FRAME.with_columns(segment=pl.concat_list("segment")))
    with pytest.raises(InvalidParameter, match="k of Pk"):
        values(FRAME, measures="Pk@0")
    with pytest.raises(IrevalError, match="doc_id"):
        ir.Segmentation(FRAME, by="doc_id").evaluate("Pk")


def test_counts_and_explanation() -> None:
    evaluation = ir.Segmentation(FRAME).evaluate("Pk BoundaryF(tolerance=2)")
    counted = evaluation.per_unit(counts=True)
    assert counted.select("n_gold", "n_predicted").unique().rows() == [(2.0, 3.0)]
    explained = evaluation.explain()
    assert "BoundaryF(tolerance=2): one pass over the boundaries" in explained
    assert "window = segments" in explained


@engines
def test_boundaries_may_have_labels(engine: str) -> None:
    """They are those of segments only under the names of segments."""
    labelled = GOLD.with_columns(label=pl.lit("chapter"), topic=pl.lit("x"))
    same(values(labelled, PREDICTED, documents=LENGTH, engine=engine))
    with pytest.raises(MismatchedTables, match="8 positions by the documents table and 2 by the gold table"):
        values(labelled.rename({"topic": "segment"}), PREDICTED, documents=LENGTH, engine=engine)


@engines
def test_a_run_has_all_positions_of_a_document_or_none(engine: str) -> None:
    whole, other = FRAME.with_columns(run_id=pl.lit("x")), FRAME.with_columns(run_id=pl.lit("y"))
    with pytest.raises(MismatchedTables, match="Run 'y' has 5 of the 8 positions of document 'd'"):
        values(pl.concat([whole, other.head(5)]), engine=engine)
    more = whole.with_columns(doc_id=pl.lit("e"))
    with pytest.warns(OverlapWarning, match="of 'y': 'e'"):
        assert values(pl.concat([whole, more, other]), measures="BoundaryR", engine=engine) == [1.0, 0.5]


@engines
def test_positions_that_floats_do_not_tell_apart(engine: str) -> None:
    one = pl.DataFrame({"doc_id": ["d"], "position": [2**62]})
    for tables in ((one, one.with_columns(pl.col("position") + 1)), (FRAME.with_columns(pl.col("position") + 2**53),)):
        with pytest.raises(InvalidValue, match=r"beyond 2\^53 floats do not distinguish positions"):
            values(*tables, measures="BoundaryF", engine=engine)


@engines
@pytest.mark.parametrize("length", [-1.0, 8.5, float("nan"), float("inf")])
def test_lengths(length: float, engine: str) -> None:
    documents = pl.DataFrame({"doc_id": ["d", "e"], "length": [8.0, length]})
    with pytest.raises(InvalidValue, match="Column 'length' of the documents table holds") as error:
        values(GOLD, PREDICTED, documents=documents, engine=engine)
    line = str(error.value).partition("is not known: ")[2]
    corrected = eval(line, {"pl": pl, "documents": documents})
    assert values(GOLD, PREDICTED, documents=corrected, measures="NumPositions", engine=engine) == [8.0]


def test_nan_is_no_segment() -> None:
    frame = FRAME.with_columns(segment=pl.lit(float("nan")))
    with pytest.raises(InvalidValue, match=r"\.is_nan\(\)"):
        values(frame)


@engines
def test_no_rows_of_runs(engine: str) -> None:
    frame = FRAME.with_columns(run_id=pl.lit("x")).clear()
    assert ir.Segmentation(frame, engine=engine).evaluate("Pk BoundaryF").summary().is_empty()
