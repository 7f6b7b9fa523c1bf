"""A table of tags as gold, predicted and documents: shapes, sentences, systems, and what it must not hold."""

from __future__ import annotations

import json
import pickle
from pathlib import Path
from typing import Any

import duckdb
import polars as pl
import pytest

import ireval_frames as ir
from ireval_frames.engines.row_checks import run_checks
from ireval_frames.errors import DuplicateRows, EngineError, InvalidValue, MissingColumn, WrongType
from ireval_frames.spans.tags import reading
from ireval_frames.spans.tags_table import TagsAs, TagTable
from tests.planner.engines import ENGINES, Opened

engines = pytest.mark.parametrize("engine", ENGINES)
FRAME = pl.DataFrame(
    {
        "doc_id": ["a"] * 5 + ["b"] * 3 + ["c"],
        "sentence_id": [1, 1, 1, 2, 2, 1, 1, 1, 1],
        "position": [0, 1, 2, 0, 1, 0, 1, 2, 0],
        "gold": ["B-PER", "I-PER", "O", "B-LOC", "I-LOC", "O", "I-X", "O", "O"],
        "predicted": ["B-PER", "I-LOC", "O", "B-LOC", "B-LOC", "O", "O", "O", "O"],
        "genre": ["x"] * 5 + ["y"] * 4,
    }
)
GOLD = [("a", 0, 2, "PER"), ("a", 3, 5, "LOC"), ("b", 1, 2, "X")]
PREDICTED = [("a", 0, 1, "PER"), ("a", 1, 2, "LOC"), ("a", 3, 4, "LOC"), ("a", 4, 5, "LOC")]


class Tables:
    """The tables of a table of tags on an engine, checked."""

    def __init__(self, engine: str, frame: pl.DataFrame, repair: str = "conll", **more: Any) -> None:
        self.opened = Opened(engine)
        self.tags = TagTable(
            frame, more.get("columns", {}), more.get("systems", ()), more.get("by", ()), reading(None, repair, None)
        )
        run_checks(self.opened.engine, TagsAs(self.tags, "gold").checks(self.opened.engine))

    def rows(self, table: str) -> list[tuple[Any, ...]]:
        return sorted(self.opened.collect(TagsAs(self.tags, table).on(self.opened.engine)).rows(), key=str)


@engines
@pytest.mark.parametrize("shape", ["rows", "lists", "categories", "lists of categories"])
def test_shapes(engine: str, shape: str) -> None:
    """A row per token, in any order, or a row per sentence."""
    frame = FRAME.sample(fraction=1.0, shuffle=True, seed=3)
    if shape.startswith("lists"):
        frame = FRAME.group_by("doc_id", "sentence_id", "genre", maintain_order=True).agg("gold", "predicted")
        none = frame.head(1).with_columns(sentence_id=pl.lit(9, pl.Int64), gold=[], predicted=[])
        frame = pl.concat([frame, none.cast(frame.schema)])
    if shape == "categories":
        frame = frame.with_columns(pl.col("gold", "predicted").cast(pl.Categorical))
    if shape == "lists of categories":
        # DuckDB reads no batch of empty lists of categories.
        frame = frame.rechunk().with_columns(pl.col("gold", "predicted").cast(pl.List(pl.Categorical)))
    tables = Tables(engine, frame, by=["genre"])
    assert tables.rows("gold") == GOLD
    assert tables.rows("predicted") == PREDICTED
    assert tables.rows("documents") == [("a", "x"), ("b", "y"), ("c", "y")]
    opened = tables.tags.on(tables.opened.engine)
    # I-X after O, and I-LOC after B-PER.
    assert opened.repairs == {"gold": (3, 1, 0), "predicted": (4, 1, 0)}
    assert TagsAs(tables.tags, "predicted").checks(tables.opened.engine) == ()


@engines
def test_arrays(engine: str) -> None:
    """Lists of one length."""
    rows = FRAME.filter(pl.col("doc_id") == "b").group_by("doc_id").agg("gold", "predicted")
    frame = rows.with_columns(pl.col("gold", "predicted").cast(pl.Array(pl.String, 3)))
    assert Tables(engine, frame).rows("gold") == GOLD[2:]


@engines
def test_positions_are_the_users_without_sentences(engine: str) -> None:
    frame = (
        FRAME.filter(pl.col("sentence_id") == 1).drop("sentence_id").with_columns(position=pl.col("position") * 2 + 7)
    )
    assert Tables(engine, frame).rows("gold") == [("a", 7, 10, "PER"), ("b", 9, 10, "X")]


@engines
def test_several_systems(engine: str) -> None:
    frame = FRAME.rename({"doc_id": "file", "predicted": "crf"}).with_columns(none=pl.lit("O"), same=pl.col("gold"))
    tables = Tables(engine, frame, systems=["crf", "none", "same"], columns={"doc_id": "file"})
    assert tables.rows("predicted") == sorted(
        [(*row, "crf") for row in PREDICTED] + [(*row, "same") for row in GOLD], key=str
    )
    with pytest.raises(MissingColumn, match=r"The tags table has no column 'cfr'(?s:.*)crf"):
        Tables(engine, frame, systems=["crf", "cfr"], columns={"doc_id": "file"})


@engines
@pytest.mark.parametrize(
    "frame, error, text",
    [
        (FRAME.with_columns(position=1), DuplicateRows, r"5 tokens .* in their sentence: position 1 of sentence 1 of"),
        (
            FRAME.drop("sentence_id"),
            DuplicateRows,
            r"position [01] of document 'a' is there twice.\s+If positions begin",
        ),
        (pl.concat([FRAME.with_columns(run_id=pl.lit(r)) for r in "xy"]), DuplicateRows, r"system(?s:.*)predicted="),
        (FRAME.with_columns(gold=pl.lit("S-PER")), InvalidValue, r"that IOB2 does not have: 'S-PER'(?s:.*)=\"IOBES\""),
        (
            FRAME.with_columns(gold=pl.lit("b_PER")),
            InvalidValue,
            "'b_PER'. Its tags are O, I-TYPE and B-TYPE(?s:.*)so: a",
        ),
        (FRAME.with_columns(gold=pl.lit(None)), InvalidValue, "9 tokens have no value in column 'gold'"),
        (FRAME.with_columns(gold=pl.lit(None, pl.String)), InvalidValue, "9 tokens have no value in column 'gold'"),
        (FRAME.with_columns(doc_id=pl.lit(None, pl.String)), InvalidValue, "9 tokens have no value in column 'doc_id'"),
        (FRAME.with_columns(gold=3), WrongType, r"numbers of tags(?s:.*)\"gold\"\).replace_strict"),
        (FRAME.with_columns(gold=True), WrongType, "is Boolean; tags are text, such as B-PER and O"),
        (FRAME.with_columns(position=pl.lit("x")), WrongType, "Column 'position' of the tags table is String"),
        (FRAME.drop("position"), MissingColumn, "no column of positions"),
        (FRAME.drop("doc_id"), MissingColumn, r"no column of documents(?s:.*)doc=\"sentence_id\""),
        (FRAME.drop("gold"), MissingColumn, "The tags table has no column 'gold'"),
        (
            pl.DataFrame({"doc_id": ["a"], "gold": [["O", "O"]], "predicted": [["O"]]}),
            InvalidValue,
            "In 1 row of the tags table the lists of tags differ in length: of 'a' 'gold' has 2 and 'predicted' has 1",
        ),
        (
            pl.DataFrame({"doc_id": ["a"], "gold": [["O", "O"]], "predicted": ["O"]}),
            WrongType,
            "Column 'gold' of the tags table holds lists, and column 'predicted' is String",
        ),
        (pl.DataFrame({"doc_id": ["a"], "gold": [[1]], "predicted": [[1]]}), WrongType, "list.eval"),
        (
            pl.DataFrame({"doc_id": ["a", "a"], "gold": [["O"]] * 2, "predicted": [["O"]] * 2}),
            DuplicateRows,
            "1 rows of the tags table have the position of another: position 0 of document 'a'",
        ),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_it_must_not_hold(engine: str, frame: pl.DataFrame, error: type[Exception], text: str) -> None:
    with pytest.raises(error, match=text):
        Tables(engine, frame)


@engines
def test_tags_that_break_the_scheme_as_an_error(engine: str) -> None:
    with pytest.raises(InvalidValue, match=r"1 run of tags in column 'gold' is not as IOB2 .*: 'I-X' at 1 of 'b'\."):
        Tables(engine, FRAME, "error")
    fine = FRAME.filter(pl.col("doc_id") == "c")
    assert Tables(engine, fine, "error").rows("gold") == []


def test_pickling() -> None:
    """What engines have opened is not pickled, and relations are refused."""
    engine = Opened("polars").engine
    tags = TagTable(FRAME, {}, (), (), reading(None, None, None))
    assert tags.on(engine) is tags.on(engine)
    again = pickle.loads(pickle.dumps(TagsAs(tags, "gold")))
    assert sorted(engine.collect(again.on(engine)).rows()) == GOLD
    with pytest.raises(EngineError, match="The tags table is a DuckDB relation"):
        pickle.dumps(TagTable(duckdb.sql("SELECT 1"), {}, (), (), reading(None, None, None)))


def test_files_and_tables_of_tokens_are_told_from_those_of_spans(tmp_path: Path) -> None:
    path = tmp_path / "tags.conll"
    path.write_text("Ada B-PER B-PER\nmet O O\n\nBo B-PER O\n", "utf-8")
    with pytest.raises(MissingColumn) as raised:
        ir.Spans.from_tags(str(path))
    line = raised.value.hint.partition(": ")[2]
    subject = eval(line, {"ir": ir, "path": path})
    assert subject.evaluate("Recall").summary()["value"].item() == 0.5
    with pytest.raises(MissingColumn, match=r"These are tags of tokens: ir\.Spans\.from_tags"):
        ir.Spans(FRAME, FRAME).evaluate("F1")


@pytest.mark.parametrize("key", ["label", "spans", "ents"])
def test_annotated_texts_are_told_from_tables_of_spans(key: str, tmp_path: Path) -> None:
    spans = [[0, 3, "PER"]] if key == "label" else [{"start": 0, "end": 3, "label": "PER"}]
    gold = predicted = tmp_path / "texts.jsonl"
    gold.write_text(json.dumps({"id": 1, "text": "Ada wrote", key: spans}), "utf-8")
    with pytest.raises(MissingColumn) as raised:
        ir.Spans(str(gold), str(predicted)).evaluate("F1")
    line = raised.value.hint.partition(": ")[2].removesuffix(".")
    assert eval(line, {"ir": ir, "gold": gold, "predicted": predicted}).evaluate("F1").summary()["value"].item() == 1


def test_hints_for_tags_of_other_forms_help() -> None:
    """Types alone, letters behind types, and lists without documents."""
    alone = FRAME.with_columns(pl.col("gold", "predicted").str.replace(r"^[BI]-", ""))
    with pytest.raises(InvalidValue, match=r"write the letter I before(.|\n)*otherwise(.|\n)*scheme=\"IOB1\""):
        ir.Spans.from_tags(alone).evaluate("F1").summary()
    lettered = alone.with_columns(
        pl.when(pl.col(c) == "O").then(pl.lit("O")).otherwise(pl.lit("I-") + pl.col(c)).alias(c)
        for c in ("gold", "predicted")
    )
    assert ir.Spans.from_tags(lettered, scheme="IOB1").evaluate("NumGold").summary()["value"].item() == 3.0
    behind = FRAME.with_columns(pl.col("gold", "predicted").str.replace(r"^([BI])-(.+)$", "$2-$1"))
    with pytest.raises(InvalidValue, match=r'Write the letter first: .*replace\(r"(.*)", "(.*)"\)\)') as raised:
        ir.Spans.from_tags(behind).evaluate("F1").summary()
    pattern, new = raised.value.hint.split('replace(r"')[1].removesuffix('"))').split('", "')
    turned = behind.with_columns(pl.col("gold", "predicted").str.replace(pattern, new))
    assert turned.equals(FRAME)
    lists = pl.DataFrame({"gold": [["B-X", "O"]], "predicted": [["B-X", "O"]]})
    with pytest.raises(MissingColumn, match=r'if each row is one: frame.with_row_index\("doc_id"\)'):
        ir.Spans.from_tags(lists).evaluate("F1").summary()
    assert ir.Spans.from_tags(lists.with_row_index("doc_id")).evaluate("F1").summary()["value"].item() == 1.0
