"""What tables of relations must not hold, and the line that each error advises."""

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
    NothingInCommon,
    UnknownName,
)

GOLD, PREDICTED = ir.examples.relations()
EVENTS = ir.examples.events()
UNTYPED = "F1(match='trigger-identification', average='macro')"
engines = pytest.mark.parametrize("engine", ["polars", "duckdb"])


def first(column: str, value: Any) -> pl.DataFrame:
    """The predictions with another value in their first row."""
    return PREDICTED.with_columns(
        pl.when(pl.int_range(pl.len()) > 0).then(pl.col(column)).otherwise(pl.lit(value)).alias(column)
    )


def lacking(argument: str) -> pl.DataFrame:
    """The predictions, of which the first one lacks an argument."""
    columns = [pl.col(f"{argument}_{part}") for part in ("start", "end", "type")]
    return PREDICTED.with_columns(pl.when(pl.int_range(pl.len()) > 0).then(c) for c in columns)


INVALID: dict[str, tuple[pl.DataFrame, str]] = {
    "ends before it starts": (first("head_end", -1), r"predicted table ends before it starts.*'head_end' is -1"),
    "half a span": (first("tail_end", None), r"has 'tail_start' and no 'tail_end'"),
    "a fraction": (first("head_start", 0.5), r"'head_start' of the predicted table holds 0.5 .*positions are whole"),
    "not a number": (first("head_start", float("nan")), r"'head_start' of the predicted table holds nan"),
    "no label": (first("label", None), r"'label' of the predicted table is null in a row: a relation has no label"),
    "no type": (first("tail_type", None), r"'tail_type' .* is null in a row: an argument has no type"),
    "no document": (first("doc_id", None), r"'doc_id' is null"),
    "too large": (first("head_end", 2**62), r"'head_end' .* holds 4611686018427387904 .*beyond 2\^53"),
    "no head": (lacking("head"), r"'head_start' .* is null in a row: a relation lacks an argument"),
    "no tail": (lacking("tail"), r"'tail_start' .* is null in a row: a relation lacks an argument"),
}


@engines
@pytest.mark.parametrize("what", INVALID)
def test_invalid_values(what: str, engine: str) -> None:
    predicted, message = INVALID[what]
    with pytest.raises(InvalidValue, match=rf"(?s){message}.*\n  "):
        ir.Relations(GOLD, predicted, engine=engine).evaluate("F1").summary()


def test_types_that_are_null_are_a_type_by_a_policy() -> None:
    gold, predicted = (t.with_columns(tail_type=pl.lit(None, pl.String)) for t in (GOLD, PREDICTED))
    summary = ir.Relations(gold, predicted, policy="untyped=equal").evaluate("F1 F1(match='boundary')").summary()
    assert summary["value"].to_list() == [0.6, 0.6]


@engines
def test_equal_rows(engine: str) -> None:
    twice = pl.concat([PREDICTED, PREDICTED.head(1)])
    of = {policy: ir.Relations(GOLD, twice, policy=f"duplicates={policy}", engine=engine)
          for policy in ("distinct", "spurious", "error")}  # fmt: skip
    values = {p: of[p].evaluate("Precision Recall").summary()["value"].to_list() for p in ("distinct", "spurious")}
    assert values == {"distinct": [2 / 5, 2 / 5], "spurious": [2 / 6, 2 / 5]}
    with pytest.raises(DuplicateRows, match=r"document 'd1' is in 2 rows of the predicted(.|\n)*duplicates=distinct"):
        of["error"].evaluate("F1").summary()


@pytest.mark.parametrize(
    "error, call",
    [
        (MissingColumn, lambda: ir.Relations(*EVENTS).evaluate("F1")),
        (MissingColumn, lambda: ir.Relations(GOLD, PREDICTED.drop("label")).evaluate("F1(match='boundary')")),
        (MissingColumn, lambda: ir.Relations(GOLD, PREDICTED.drop("head_id")).evaluate("F1(match='entities')")),
        (MissingColumn, lambda: ir.Relations(GOLD, PREDICTED.with_columns(head_token=1)).evaluate("F1(match='head')")),
        (MissingColumn, lambda: ir.Relations(GOLD, PREDICTED.drop("doc_id")).evaluate("F1")),
        (NotDefined, lambda: ir.Relations(GOLD, PREDICTED).evaluate(UNTYPED)),
        (InvalidParameter, lambda: ir.Relations(GOLD, PREDICTED, undirected="spouse")),
        (InvalidParameter, lambda: ir.Relations(GOLD, PREDICTED, undirected=[1]).evaluate("F1")),
        (InvalidParameter, lambda: ir.Relations(GOLD, PREDICTED).evaluate("F1(match='span')")),
        (InvalidParameter, lambda: ir.Relations(GOLD, PREDICTED).counts(match="span")),
        (UnknownName, lambda: ir.Relations(GOLD, PREDICTED, policy="duplicate=error")),
        (MismatchedTables, lambda: ir.Relations(GOLD, PREDICTED.with_columns(label=1)).evaluate("F1")),
        (NothingInCommon, lambda: ir.Relations(GOLD, first("doc_id", "d9").head(1)).evaluate("F1").summary()),
    ],
)  # fmt: skip
def test_errors_say_what_to_write(error: type[IrevalError], call: Any) -> None:
    with pytest.raises(error) as caught:
        call()
    assert caught.value.hint


def test_another_comparison_is_advised() -> None:
    gold, predicted = (t.drop("head_type", "tail_type") for t in (GOLD, PREDICTED))
    with pytest.raises(MissingColumn, match=r"F1 compares 'strict'.*'head_type'(.|\n)*F1\(match='boundary'\)"):
        ir.Relations(gold, predicted).evaluate("F1")
    assert ir.Relations(gold, predicted).evaluate("F1(match='boundary')").summary()["value"].item() == 0.6


def test_names_of_other_tools() -> None:
    names = {"head": "subject", "tail": "object"}
    gold, predicted = (
        t.rename({c: f"{names[c[:4]]}{c[4:]}" for c in t.columns if c[:4] in names} | {"label": "relation"})
        for t in (GOLD, PREDICTED)
    )
    assert ir.Relations(gold, predicted).evaluate("F1").summary()["value"].item() == 0.4


def test_a_direction_that_does_not_matter() -> None:
    turned = PREDICTED.rename({c: {"head": "tail", "tail": "head"}[c[:4]] + c[4:] for c in PREDICTED.columns if "_" in c
                               and c != "doc_id"}).select(PREDICTED.columns)  # fmt: skip
    labels = ["born_in", "spouse", "works_for"]
    assert ir.Relations(GOLD, turned).evaluate("F1").summary()["value"].item() == 0.0
    for undirected in (labels, True):
        assert ir.Relations(GOLD, turned, undirected=undirected).evaluate("F1").summary()["value"].item() == 0.4


@engines
def test_arguments_that_a_comparison_lacks(engine: str) -> None:
    unnamed = first("head_id", None)
    assert ir.Relations(GOLD, unnamed, engine=engine).evaluate("F1").summary()["value"].item() == 0.4
    with pytest.raises(InvalidValue, match=r"'head_id' .* a relation lacks an argument"):
        ir.Relations(GOLD, unnamed, engine=engine).evaluate("F1(match='entities')").summary()
    gold, predicted = EVENTS
    lost = gold.with_columns(pl.lit(None, dtype=pl.Int64).alias(c) for c in ("trigger_start", "trigger_end"))
    with pytest.raises(
        InvalidValue, match=r"'trigger_start' of the gold table is null in \d+ rows: an event has no trigger"
    ):
        ir.Relations(lost, predicted, engine=engine).evaluate("F1(match='trigger-identification')").summary()


def test_types_of_heads_and_tails() -> None:
    numbers = [t.with_columns(tail_type=pl.lit(1)) for t in (GOLD, PREDICTED)]
    assert ir.Relations(*numbers).evaluate("F1").summary()["value"].item() == 0.6
    with pytest.raises(MismatchedTables, match="'head_type' of the gold table holds text and column 'tail_type'"):
        ir.Relations(*numbers, undirected=True).evaluate("F1").summary()


def test_rows_of_the_gold_are_counted_once() -> None:
    systems = pl.concat([PREDICTED.with_columns(run_id=pl.lit(run)) for run in "xy"])
    gold = GOLD.with_columns(head_start=pl.col("head_start") + 0.5)
    with pytest.raises(InvalidValue, match=r"holds 0.5 \(5 such rows\)"):
        ir.Relations(gold, systems).evaluate("F1").summary()
    with pytest.raises(
        DuplicateRows, match=r"2 rows of the gold table \(5 relations are in several\): .*head_start 0,"
    ):
        ir.Relations(pl.concat([GOLD, GOLD]), systems, policy="duplicates=error").evaluate("F1").summary()
