"""Errors of reproductions."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest

import ireval_frames as ir
from ireval_frames.errors import (
    DuplicateRows,
    InvalidParameter,
    IrevalError,
    MismatchedTables,
    MissingColumn,
    NotDefined,
    UnknownName,
)

FRAME = pl.DataFrame({"query_id": [1, 2, 3], "a": [0.1, 0.2, 0.4], "b": [0.2, 0.5, 0.4]})
LONG_FRAME = FRAME.unpivot(index="query_id", variable_name="run_id").with_columns(
    measure=pl.lit("AP"), lang=pl.lit("en")
)


@pytest.mark.parametrize(
    "options, error, message",
    [
        ({"confidence": 1.0}, InvalidParameter, "confidence is 1.0"),
        ({"confidence": 0.5}, InvalidParameter, "more than 0.5"),
        ({"margin": 0}, InvalidParameter, "margin is 0"),
        ({"margin": {"AP": "wide"}}, InvalidParameter, "margin is .*'wide'"),
        ({"missing": "drop"}, InvalidParameter, "missing is 'drop'"),
        ({"design": "paird"}, UnknownName, "Did you mean paired"),
        ({"systems": ["a"]}, InvalidParameter, "systems is"),
        ({"systems": {"a": "b", "b": "b"}}, InvalidParameter, "with different values"),
        ({"runs": "run.txt"}, InvalidParameter, "runs is str"),
        ({"by": "lang"}, MissingColumn, "lang"),
    ],
)
def test_options(options: dict[str, Any], error: type[IrevalError], message: str) -> None:
    with pytest.raises(error, match=message):
        ir.replication.reproduction(FRAME, FRAME, **options)


@pytest.mark.parametrize(
    "original, replica, options, error, message",
    [
        (
            FRAME,
            FRAME.rename({"a": "x", "b": "y"}),
            {},
            MismatchedTables,
            r'no system in common: a, b; x, y(.|\n)*{"a": "x"}',
        ),
        (FRAME, FRAME, {"systems": {"a": "c"}}, UnknownName, "The replica has no system 'c'"),
        (FRAME, FRAME, {"systems": {"c": "a"}}, UnknownName, "The original has no system 'c'"),
        (FRAME, FRAME.head(2), {}, MismatchedTables, r'in the original only, not in the replica: 3(.|\n)*"intersect"'),
        (FRAME.head(1), FRAME, {}, MismatchedTables, "2 of 3 units with values of value are in the replica only"),
        (FRAME, FRAME.with_columns(pl.col("query_id") + 5), {"design": "paired"}, MismatchedTables, "share no unit"),
        (FRAME, FRAME.with_columns(pl.col("query_id").cast(pl.String)), {}, MismatchedTables, "none can be equal"),
        (
            LONG_FRAME,
            LONG_FRAME.with_columns(measure=pl.lit("RR")),
            {},
            MismatchedTables,
            "no measure in common: AP; RR",
        ),
        (
            LONG_FRAME,
            LONG_FRAME.with_columns(lang=pl.lit("de")),
            {"by": "lang"},
            MismatchedTables,
            r"AP of \('en',\); AP of \('de',\)",
        ),
        (LONG_FRAME, pl.concat([LONG_FRAME, LONG_FRAME.head(1)]), {}, DuplicateRows, "2 values of AP"),
        (FRAME, FRAME.clear(), {}, InvalidParameter, "The replica has no values"),
    ],
)
def test_tables(
    original: pl.DataFrame, replica: pl.DataFrame, options: dict[str, Any], error: type[IrevalError], message: str
) -> None:
    r = ir.replication.reproduction(original, replica, **options)
    with pytest.raises(error, match=message):
        r.table()


def test_effects_need_two_systems() -> None:
    with pytest.raises(NotDefined, match="one system"):
        ir.replication.reproduction(FRAME.drop("b"), FRAME.drop("b")).effects()
    with pytest.raises(UnknownName, match="'c'"):
        ir.replication.reproduction(FRAME, FRAME, baseline="c").effects()


def test_names_of_result_columns() -> None:
    with pytest.raises(InvalidParameter, match="'design' is a column of the result already"):
        ir.replication.reproduction(LONG_FRAME.with_columns(design=1), LONG_FRAME.with_columns(design=1), by="design")


def test_different_groups() -> None:
    labels = pl.DataFrame({"part": [1, 1, 2, 2], "label": [0, 1, 0, 1], "prediction": [0, 1, 1, 1]})
    original, replica = ir.Labels(labels).evaluate("Accuracy", by="part"), ir.Labels(labels).evaluate("Accuracy")
    with pytest.raises(MismatchedTables, match=r"by=\['part'\] and the replica by=\[\]"):
        ir.replication.reproduction(original, replica).table()
