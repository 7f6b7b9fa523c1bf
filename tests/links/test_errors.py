"""What tables of links must not hold, what `on` and `where` may be, and the line that each error advises."""

from __future__ import annotations

from typing import Any

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
    NotDefined,
    UnknownName,
)

GOLD, PREDICTED = ir.examples.links()
SLOTS = ir.examples.slots()
engines = pytest.mark.parametrize("engine", ["polars", "duckdb"])


def first(table: pl.DataFrame, column: str, value: Any) -> pl.DataFrame:
    """The table with another value in its first row."""
    changed = pl.when(pl.int_range(pl.len()) > 0).then(pl.col(column)).otherwise(pl.lit(value))
    return table.with_columns(changed.alias(column))


INVALID: dict[str, tuple[pl.DataFrame, str]] = {
    "ends before it starts": (first(PREDICTED, "end", -1), r"predicted table ends before it starts.*'end' is -1"),
    "no end": (first(PREDICTED, "end", None), r"'end' of the predicted table holds null"),
    "a fraction": (first(PREDICTED, "start", 0.5), r"'start' of the predicted table holds 0.5"),
    "no document": (first(PREDICTED, "doc_id", None), r"'doc_id' is null"),
    "too large": (first(PREDICTED, "end", 2**62), r"'end' .* holds 4611686018427387904 .*beyond 2\^53"),
}


@engines
@pytest.mark.parametrize("what", INVALID)
def test_invalid_values(what: str, engine: str) -> None:
    predicted, message = INVALID[what]
    with pytest.raises(InvalidValue, match=rf"(?s){message}.*\n  "):
        ir.Links(GOLD, predicted, engine=engine).evaluate("F1").summary()


def test_positions_that_are_not_compared_may_be_null() -> None:
    predicted = first(PREDICTED, "start", None)
    assert ir.Links(GOLD, predicted, on="entity_match").evaluate("F1").summary()["value"].round(4).item() == 0.6667


@engines
def test_judgments(engine: str) -> None:
    gold, predicted = SLOTS
    slots = {"doc": "query_id", "on": ["slot", "value"], "policy": "tac-kbp", "engine": engine}
    counts = "NumCorrect NumRedundant NumInexact NumWrong NumMissing"
    words = ir.Links(gold, predicted, **slots).evaluate(counts).summary()["value"].to_list()
    codes = gold.with_columns(judgment=pl.col("judgment").replace_strict({"correct": 1, "inexact": 3, "wrong": -1}))
    assert ir.Links(codes, predicted, **slots).evaluate(counts).summary()["value"].to_list() == words
    floats = codes.with_columns(pl.col("judgment").cast(pl.Float64))
    assert ir.Links(floats, predicted, **slots).evaluate(counts).summary()["value"].to_list() == words
    known = gold.with_columns(judgment=pl.when(pl.col("value") == "Ada").then(pl.lit("R")).otherwise("judgment"))
    assert ir.Links(known, predicted, **slots).evaluate(counts).summary()["value"].to_list() == [2, 1, 1, 1, 1]
    apart = gold.with_columns(value=pl.col("value").replace("prof.", "professor"), class_id=pl.int_range(7))
    with pytest.raises(InvalidValue, match=r"'title', 'professor' of 'q' in two classes, 0 and 1 \(1 answers"):
        ir.Links(apart, predicted, **slots).evaluate("F1").summary()
    with pytest.raises(InvalidValue, match=r"something else than a judgment in 7 rows(.|\n)*redundant \(r, 2\)"):
        ir.Links(gold.with_columns(judgment=pl.lit("maybe")), predicted, **slots).evaluate("F1").summary()


@engines
def test_equal_rows(engine: str) -> None:
    twice = pl.concat([PREDICTED, PREDICTED.head(1)])
    of = {policy: ir.Links(GOLD, twice, policy=f"duplicates={policy}", engine=engine)
          for policy in ("distinct", "spurious", "error")}  # fmt: skip
    values = {p: of[p].evaluate("Precision Recall").summary()["value"].to_list() for p in ("distinct", "spurious")}
    assert values == {"distinct": [2 / 5, 2 / 5], "spurious": [2 / 6, 2 / 5]}
    with pytest.raises(DuplicateRows, match=r"document 'd1' is in 2 rows of the predicted(.|\n)*duplicates=distinct"):
        of["error"].evaluate("F1").summary()


@engines
def test_which_links_count(engine: str) -> None:
    def f1(**options: Any) -> float:
        value: float = ir.Links(GOLD, PREDICTED, engine=engine, **options).evaluate("F1").summary()["value"].item()
        return value

    assert f1(where="linked") == f1(on="strong_link_match") == 2 / 6
    assert f1(where="nil") == f1(on="strong_nil_match") == 2 / 4
    assert f1(where={"type": "PER"}) == 2 / 5
    assert f1(where={"type": ["PER", "LOC"]}) == 4 / 8
    assert f1(nil=None, on=["kb_id"]) == f1(nil="", on=["kb_id"])
    assert f1(nil="Q", on=["kb_id"], where="linked") == 2 * 1 / 3


@pytest.mark.parametrize(
    "error, call",
    [
        (MissingColumn, lambda: ir.Links(GOLD, PREDICTED, on=["start", "slot"]).evaluate("F1")),
        (MissingColumn, lambda: ir.Links(GOLD, PREDICTED.drop("kb_id"), on="entity_match").evaluate("F1")),
        (MissingColumn, lambda: ir.Links(GOLD, PREDICTED.drop("kb_id")).evaluate("F1(where='linked')")),
        (MissingColumn, lambda: ir.Links(*SLOTS, doc="query_id").evaluate("F1")),
        (MissingColumn, lambda: ir.Links(GOLD, PREDICTED, where={"slot": "title"}).evaluate("F1")),
        (NotDefined, lambda: ir.Links(GOLD, PREDICTED).evaluate("F1(average='macro')")),
        (NotDefined, lambda: ir.Links(GOLD, PREDICTED, on="entity_match").evaluate("F1(match='weak')")),
        (NotDefined, lambda: ir.Links(GOLD.with_columns(judgment=1), PREDICTED).evaluate("F1(match='weak')")),
        (NotDefined, lambda: ir.Links(*SLOTS, doc="query_id", on=["slot", "value"]).errors()),
        (InvalidParameter, lambda: ir.Links(GOLD, PREDICTED, on=[])),
        (InvalidParameter, lambda: ir.Links(GOLD, PREDICTED, where=["linked"])),
        (InvalidParameter, lambda: ir.Links(GOLD, PREDICTED, where={"type": 3}).evaluate("F1")),
        (InvalidParameter, lambda: ir.Links(GOLD, PREDICTED, offsets="half-open")),
        (InvalidParameter, lambda: ir.Links(GOLD, PREDICTED).evaluate("F1(on=3)")),
        (UnknownName, lambda: ir.Links(GOLD, PREDICTED, policy="tac")),
        (MismatchedTables, lambda: ir.Links(GOLD, PREDICTED.with_columns(kb_id=1)).evaluate("F1")),
    ],
)
def test_errors_say_what_to_write(error: type[IrevalError], call: Any) -> None:
    with pytest.raises(error) as caught:
        call()
    assert caught.value.hint


def test_columns_by_their_own_names() -> None:
    gold, predicted = (t.rename({"start": "begin", "type": "label", "kb_id": "wikidata"}) for t in (GOLD, PREDICTED))
    links = ir.Links(gold, predicted, kb_id="wikidata", on=["begin", "end", "label", "wikidata"])
    assert links.evaluate("F1").summary()["value"].item() == 0.4
    assert links.report().select("type", "support").rows()[:3] == [("LOC", 1.0), ("ORG", 1.0), ("PER", 3.0)]


@engines
@pytest.mark.parametrize("judgment", [1.5, float("nan"), True])
def test_judgments_that_are_none(judgment: Any, engine: str) -> None:
    gold = SLOTS[0].with_columns(judgment=pl.lit(judgment))
    with pytest.raises(InvalidValue, match="something else than a judgment in 7 rows"):
        ir.Links(gold, SLOTS[1], doc="query_id", on=["slot", "value"], engine=engine).evaluate("F1").summary()


def test_overlaps_of_equal_links() -> None:
    """They are one, whatever the policy says of equal links."""
    twice = pl.concat([PREDICTED, PREDICTED])
    for policy in ("distinct", "spurious"):
        links = ir.Links(GOLD, twice, policy=f"duplicates={policy}")
        assert links.evaluate("Precision(match='weak')").summary()["value"].item() == 0.6


def test_what_the_user_may_have_meant() -> None:
    with pytest.raises(MissingColumn, match="Did you mean strong_link_match"):
        ir.Links(GOLD, PREDICTED, on="strong_link_mach").evaluate("F1").summary()
    with pytest.raises(InvalidParameter, match=r'Write where=\{"type": \["3"\]\}'):
        ir.Links(GOLD, PREDICTED, where={"type": [3]}).evaluate("F1").summary()
    with pytest.raises(InvalidParameter, match="nil is 3"):
        ir.Links(GOLD, PREDICTED, nil=3)  # type: ignore[arg-type]
    with pytest.raises(NotDefined, match="has no start and end: slot, value"):
        ir.Links(*SLOTS, doc="query_id", on=["slot", "value"]).evaluate("F1(match='weak')")
