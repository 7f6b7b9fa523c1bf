"""What tables must not hold is an error that says what to write, and writing it helps."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import ireval_frames as ir
from ireval_frames.errors import (
    DuplicateRows,
    InvalidParameter,
    InvalidValue,
    MismatchedTables,
    MissingColumn,
    NotDefined,
    NothingInCommon,
    OverlapWarning,
    WrongType,
)

GOLD, PREDICTED = ir.examples.spans()


def value(gold: pl.DataFrame | Path = GOLD, predicted: pl.DataFrame | Path = PREDICTED, **options: Any) -> float:
    out: float = ir.Spans(gold, predicted, **options).evaluate("F1").summary()["value"].item()
    return out


def changed(row: int, **values: Any) -> pl.DataFrame:
    at = pl.int_range(pl.len()) == row
    return PREDICTED.with_columns(pl.when(at).then(pl.lit(v)).otherwise(c).alias(c) for c, v in values.items())


def test_ends_before_starts() -> None:
    with pytest.raises(
        InvalidValue, match="1 span of the predicted table ends before it starts, such as 9 to 3 in 'a'"
    ):
        value(predicted=changed(2, end=3))
    with pytest.raises(InvalidValue, match=r"has no length: 'start' and 'end' are both 9(.|\n)*offsets=\"inclusive\""):
        value(predicted=changed(2, end=9))
    assert value(GOLD.with_columns(pl.col("end") - 1), changed(2, end=9), offsets="inclusive") == 0.2


def test_positions_below_zero_and_null() -> None:
    with pytest.raises(InvalidValue, match="'start' of the predicted table holds -1; positions count from 0"):
        value(predicted=changed(0, start=-1))
    with pytest.raises(InvalidValue, match="1 row of the predicted table has no 'end': it is null"):
        value(predicted=changed(0, end=None))


def test_positions_are_whole_numbers() -> None:
    """Floats are, too, as pandas has them, and text of files; what is none is refused, on each engine alike."""
    assert value(GOLD.with_columns(pl.col("start").cast(pl.Float64))) == value()
    with pytest.raises(WrongType, match="'start' of the gold table is Boolean; it must hold whole numbers"):
        value(GOLD.with_columns(start=pl.lit(value=True)))
    with pytest.raises(InvalidValue, match=r"'start' of the gold table holds 0.5 \(1 such rows\); positions are whole"):
        value(GOLD.with_columns(start=pl.Series([0.5, *GOLD["start"][1:]])))


@pytest.mark.parametrize("engine", ["polars", "duckdb"])
@pytest.mark.parametrize(
    "end, message",
    [("2.7", "'end' of the gold table holds 2.7"), ("x", "'end' has text where numbers are expected: .x.")],
)
def test_positions_in_files(engine: str, end: str, message: str, tmp_path: Path) -> None:
    for name, at in (("good", "2.0"), ("bad", end)):
        (tmp_path / f"{name}.csv").write_text(f"doc_id,start,end,type\n01,0,{at},A\n")
    assert value(tmp_path / "good.csv", tmp_path / "good.csv", engine=engine) == 1.0
    with pytest.raises(InvalidValue, match=message):
        value(tmp_path / "bad.csv", tmp_path / "good.csv", engine=engine)


def test_spans_twice() -> None:
    twice = pl.concat([PREDICTED, PREDICTED.head(1)])
    with pytest.raises(DuplicateRows, match="from 0 to 2 of type 'PER' is in 2 rows of document 'a' in the predicted"):
        value(predicted=twice)
    assert value(predicted=twice, policy="duplicates=merge") == 0.4
    assert value(predicted=twice, policy="duplicates=count") == 4 / 11


def test_types_that_are_null() -> None:
    with pytest.raises(InvalidValue, match=r"1 span of the predicted table has no type(.|\n)*untyped=skip"):
        value(predicted=changed(0, type=None))
    assert value(predicted=changed(0, type=None), policy="untyped=skip") == 2 / 9


def test_types_on_one_side() -> None:
    with pytest.raises(MissingColumn, match=r"predicted table has no column of types(.|\n)*type=\"their_name\""):
        value(predicted=PREDICTED.drop("type"))
    assert value(predicted=PREDICTED.rename({"type": "kind"}), gold=GOLD.rename({"type": "kind"}), type="kind") == 0.4
    assert value(GOLD.drop("type"), PREDICTED.drop("type")) == 0.6


def test_types_of_two_kinds() -> None:
    with pytest.raises(MismatchedTables, match="'type' holds text and column 'type' holds numbers"):
        value(predicted=PREDICTED.with_columns(type=pl.lit(1)))
    with pytest.raises(
        InvalidParameter, match=r"types names the class 1, but the labels are text(.|\n)*types=\[\"1\"\]"
    ):
        ir.Spans(GOLD, PREDICTED).evaluate("F1(types=[1])")
    with pytest.raises(InvalidParameter, match=r"no span is of the types 'per', 'loc'(.|\n)*report\(\)"):
        ir.Spans(GOLD, PREDICTED).evaluate("F1(types=['per', 'loc'])").summary()
    with pytest.raises(NotDefined, match="names types, and the spans have none"):
        ir.Spans(GOLD.drop("type"), PREDICTED.drop("type")).evaluate("F1(types=['PER'])")


def test_documents_on_one_side_only() -> None:
    with pytest.raises(NothingInCommon):
        value(predicted=PREDICTED.with_columns(pl.col("doc_id") + "x"))
    assert value(predicted=PREDICTED.with_columns(pl.col("doc_id") + "x"), policy="overlap=allow") == 0.0


def test_fragments() -> None:
    rows = [("a", 0, 2, "PER", "s1"), ("a", 5, 7, "PER", "s1"), ("a", 3, 4, "LOC", None)]
    parts = pl.DataFrame(rows, ["doc_id", "start", "end", "type", "span"], orient="row")
    assert value(parts, parts.reverse(), fragment="span") == 1.0
    assert value(parts, parts.head(1), fragment="span") == 0.0
    partial = ir.Spans(parts, parts.head(1), fragment="span").evaluate("F1(match='partial')")
    assert partial.summary()["value"].item() == pytest.approx(1 / 3)
    with pytest.raises(MissingColumn, match="no column 'span'"):
        value(parts, parts.drop("span"), fragment="span")
    with pytest.raises(
        InvalidValue, match="fragments of span 's1' of document 'a' in the predicted table have 2 types"
    ):
        value(parts, parts.with_columns(type=pl.Series(["PER", "LOC", "LOC"])), fragment="span")
    with pytest.raises(InvalidValue, match=r"Fragments of span 's1' .* overlap at 1"):
        value(parts, parts.with_columns(start=pl.Series([0, 1, 3])), fragment="span")


def test_options() -> None:
    with pytest.raises(InvalidParameter, match=r"offsets is 'chars'(.|\n)*offsets=\"inclusive\""):
        value(offsets="chars")
    with pytest.raises(NotDefined, match=r"has a threshold, which match='strict' does not read(.|\n)*match='iou'"):
        ir.Spans(GOLD, PREDICTED).evaluate("F1(threshold=0.7)")
    with pytest.raises(NotDefined, match=r"typed=False(.|\n)*Write F1\(match='exact'\)"):
        ir.Spans(GOLD, PREDICTED).evaluate("F1(typed=False)")


def test_names_of_other_tools() -> None:
    names = {"doc_id": "document_id", "start": "start_char", "end": "end_char", "type": "label"}
    assert value(GOLD.rename(names), PREDICTED.rename({"start": "begin", "type": "entity_type"})) == 0.4


def test_text_files(tmp_path: Any) -> None:
    for name, frame in (("gold", GOLD), ("predicted", PREDICTED)):
        frame.write_csv(tmp_path / f"{name}.csv")
    for engine in ("polars", "duckdb"):
        assert value(tmp_path / "gold.csv", tmp_path / "predicted.csv", engine=engine) == 0.4  # type: ignore[arg-type]


@pytest.mark.parametrize("engine", ["polars", "duckdb"])
@pytest.mark.parametrize("none", [None, float("nan")])
def test_rows_without_a_fragment_are_spans_of_their_own(engine: str, none: float | None) -> None:
    """Of one place and two types, nested where their offsets are written with the same digits, or twice."""
    rows = [("a", 1, 123, "X", none), ("a", 1, 123, "Y", none), ("a", 11, 23, "X", none), ("a", 200, 210, "X", 1.0)]
    types = {"doc_id": pl.String, "start": pl.Int64, "end": pl.Int64, "type": pl.String, "part": pl.Float64}
    frame = pl.DataFrame(rows, types, orient="row")
    ev = ir.Spans(frame, frame.head(2), fragment="part", engine=engine).evaluate("NumGold Recall")
    assert ev.summary()["value"].to_list() == [4.0, 0.5]
    twice = pl.concat([frame, frame.head(1)])
    with pytest.raises(DuplicateRows, match="from 1 to 123 of type 'X' is in 2 rows"):
        value(twice, frame, fragment="part", engine=engine)
    assert value(twice, frame, fragment="part", engine=engine, policy="duplicates=merge") == 1.0
    assert value(twice, frame, fragment="part", engine=engine, policy="duplicates=count") == pytest.approx(8 / 9)


@pytest.mark.parametrize("engine", ["polars", "duckdb"])
def test_rows_of_the_gold_count_once_however_many_systems_there_are(engine: str) -> None:
    systems = pl.concat([PREDICTED.with_columns(run_id=pl.lit(run)) for run in "xyz"])
    for wrong, message in (
        (GOLD.with_columns(end=pl.col("start") - 1), f"^{GOLD.height} spans of the gold table end before"),
        (GOLD.with_columns(type=pl.lit(None, pl.String)), f"^{GOLD.height} spans of the gold table have no type"),
        (pl.concat([GOLD, GOLD]), f"is in 2 rows of document 'a' in the gold table; {GOLD.height} spans are"),
    ):
        with pytest.raises((InvalidValue, DuplicateRows), match=message):
            value(wrong, systems, engine=engine)


def test_positions_as_text_become_whole_numbers() -> None:
    with pytest.raises(WrongType, match=r"must hold whole numbers(.|\n)*cast\(pl.Int64\)"):
        value(GOLD, PREDICTED.with_columns(pl.col("start").cast(pl.String)))


def test_types_of_other_names_are_told(recwarn: pytest.WarningsRecorder) -> None:
    """Each side has types that the other lacks; a type that is never predicted is no surprise."""
    assert value(GOLD, PREDICTED.filter(pl.col("type") != "ORG")) == pytest.approx(4 / 9)
    assert not recwarn
    renamed = PREDICTED.with_columns(pl.col("type").replace({"PER": "PERSON"}))
    with pytest.warns(OverlapWarning, match="never has 'PER', and the gold table has no 'PERSON'"):
        value(GOLD, renamed)
    assert value(GOLD, renamed.with_columns(pl.col("type").replace({"PERSON": "PER"}))) == 0.4
    assert value(GOLD, renamed, policy="overlap=allow") == 0.0
    assert not recwarn


def test_tables_that_are_exchanged() -> None:
    systems = pl.concat([PREDICTED.with_columns(run_id=pl.lit(run)) for run in "xy"])
    for engine in ("polars", "duckdb"):
        with pytest.raises(InvalidValue, match=r"gold table has 2 systems in its column 'run_id'(.|\n)*gold.drop"):
            value(systems, GOLD, engine=engine)
    assert value(systems.filter(run_id="x"), GOLD) == 0.4
    assert value(PREDICTED.with_columns(run_id=pl.lit("x")), GOLD) == 0.4


def test_spans_of_several_annotators_are_no_gold() -> None:
    twice = pl.concat([GOLD.with_columns(rater_id=pl.lit(r)) for r in ("ann", "bob")])
    with pytest.raises(DuplicateRows, match=r"has annotators: take one, gold.filter(.|\n)*rater=\"rater_id\""):
        value(twice, PREDICTED)
    assert value(twice.filter(pl.col("rater_id") == "ann"), PREDICTED) == 0.4
    assert ir.Spans(twice, rater="rater_id").evaluate("F1").summary()["value"].to_list() == [1.0]


def test_tasks_of_label_studio_are_read_first(tmp_path: Path) -> None:
    path = tmp_path / "tasks.json"
    result = {"type": "labels", "from_name": "l", "to_name": "t", "id": "r",
              "value": {"start": 0, "end": 3, "labels": ["PER"]}}  # fmt: skip
    task = {"id": 1, "data": {"text": "Ada wrote"}, "annotations": [{"completed_by": 1, "result": [result]}]}
    path.write_text(json.dumps([task]))
    with pytest.raises(MissingColumn, match=r"annotated texts: ir.Spans\(ir.io.read_spans\(gold\)"):
        value(path, path)
    assert value(ir.io.read_spans(path), ir.io.read_spans(path)) == 1.0
