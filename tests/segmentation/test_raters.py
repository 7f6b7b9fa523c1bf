"""Several annotators: every pair that segmented a document is compared."""

from __future__ import annotations

import polars as pl
import pytest

import ireval_frames as ir
from ireval_frames.errors import InvalidParameter, InvalidValue, MismatchedTables, MissingColumn
from tests.contract.kit import ENGINES
from tests.oracles.segmentation import Document, value

engines = pytest.mark.parametrize("engine", ENGINES)
# By document and annotator: the segments of positions.
ANNOTATED = {
    "d": {"ann": "aaabbbcc", "bob": "aaabbbbb", "cy": "aabbbbcc"},
    "e": {"ann": "aabb", "bob": "abbb"},
    "f": {"cy": "aaaa"},
}
ROWS = [
    (doc, rater, position, segment)
    for doc, raters in ANNOTATED.items()
    for rater, segments in raters.items()
    for position, segment in enumerate(segments)
]
FRAME = pl.DataFrame(ROWS, schema=["doc_id", "rater_id", "position", "topic"], orient="row")
PAIRS = (("ann", "bob"), ("ann", "cy"), ("bob", "cy"))


@engines
def test_every_pair_of_a_document(engine: str) -> None:
    subject = ir.Segmentation(
        FRAME.sample(fraction=1, shuffle=True, seed=2), rater="rater_id", gold="topic", engine=engine
    )
    measures = {
        "Pk": {"k": None},
        "BoundaryF": {"tolerance": 0, "beta": 1},
        "BoundarySimilarity": {"transpositions": 2},
    }
    evaluation = subject.evaluate(list(measures))
    actual = {row[:4]: row[4] for row in evaluation.per_unit().iter_rows()}
    expected = {}
    for one, other in PAIRS:
        for doc, raters in ANNOTATED.items():
            if one in raters and other in raters:
                document = Document.of_segments(list(raters[one]), list(raters[other]))
                for name, parameters in measures.items():
                    of_oracle = value(name, [document], **parameters)
                    expected[one, other, doc, name] = None if of_oracle is None else pytest.approx(float(of_oracle))
    assert actual == expected
    summary = evaluation.summary().filter(pl.col("measure") == "Pk")
    assert summary.select("rater_a", "rater_b", "n_units").rows() == [(*p, 2 if p == PAIRS[0] else 1) for p in PAIRS]


@engines
def test_groups_and_types_of_annotators(engine: str) -> None:
    numbers = {"ann": 2, "bob": 10, "cy": 3}
    frame = FRAME.with_columns(pl.col("rater_id").replace_strict(numbers), kind=pl.col("doc_id").replace({"f": "d"}))
    subject = ir.Segmentation(frame, rater="rater_id", gold="topic", by="kind", engine=engine)
    rows = subject.evaluate("BoundarySimilarity").summary().select("rater_a", "rater_b", "kind").rows()
    assert rows == [(2, 3, "d"), (2, 10, "d"), (2, 10, "e"), (3, 10, "d")]
    categories = FRAME.with_columns(pl.col("rater_id").cast(pl.Enum(["cy", "bob", "ann"])))
    subject = ir.Segmentation(categories, rater="rater_id", gold="topic", engine=engine)
    assert subject.evaluate("Pk").summary().select("rater_a", "rater_b").rows() == list(PAIRS)


def test_what_is_refused() -> None:
    with pytest.raises(MissingColumn, match="no column 'judge'"):
        ir.Segmentation(FRAME, rater="judge", gold="topic").evaluate("Pk").summary()
    with pytest.raises(MissingColumn, match=r"no column 'segment'(.|\n)*annotators has a row for each position"):
        ir.Segmentation(FRAME.drop("topic"), rater="rater_id").evaluate("Pk").summary()
    with pytest.raises(InvalidParameter, match="Leave documents out"):
        ir.Segmentation(FRAME, rater="rater_id", gold="topic", documents=["d"])
    with pytest.raises(InvalidParameter, match="Leave system out"):
        ir.Segmentation(FRAME, FRAME, rater="rater_id", gold="topic")


@pytest.mark.parametrize("engine", ["polars", "duckdb"])
def test_annotators_that_are_none(engine: str) -> None:
    rows = {"doc_id": "d", "position": [*range(3)] * 2, "segment": [*"aab", *"abb"], "coder": ["x"] * 3 + ["y"] * 3}
    frame = pl.DataFrame(rows)

    def evaluated(frame: pl.DataFrame, rater: str = "coder") -> pl.DataFrame:
        return ir.Segmentation(frame, rater=rater, engine=engine).evaluate("BoundarySimilarity").summary()

    assert evaluated(frame)["value"].to_list() == [0.5]
    with pytest.raises(InvalidValue, match="'coder' of the segments table is null in 3 rows: no annotator"):
        evaluated(frame.with_columns(pl.when(pl.col("coder") == "x").then("coder")))
    with pytest.raises(InvalidValue, match="No document has two annotators in column 'coder'"):
        evaluated(frame.head(3))
    with pytest.raises(MismatchedTables, match="3 positions by annotator 'x' and 2 by annotator 'y'"):
        evaluated(frame.head(5))
    moved = frame.with_columns(position=pl.col("position") + pl.when(pl.col("coder") == "y").then(1).otherwise(0))
    with pytest.raises(MismatchedTables, match="has position 0 by annotator 'x', and not by annotator 'y'"):
        evaluated(moved)
    with pytest.raises(InvalidParameter, match="a column 'rater_a'"):
        evaluated(frame.rename({"coder": "rater_a"}), "rater_a")
