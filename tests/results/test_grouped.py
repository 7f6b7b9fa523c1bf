"""Grouping an evaluation again takes the columns that `by=` takes, and no others."""

from __future__ import annotations

import polars as pl
import pytest

import ireval_frames as ir
from ireval_frames.errors import InvalidParameter

IDS = ["1", "2", "3"]
RESERVED = ("value", "measure", "n_units", "n_undefined", "run_id")
QRELS = pl.DataFrame(
    {"query_id": IDS, "doc_id": IDS, "relevance": 1, "kind": ["x", "y", "x"]} | dict.fromkeys(RESERVED, "a")
)
RUN = pl.DataFrame({"query_id": IDS, "doc_id": ["1", "2", "x"], "score": 1.0})
ITEMS = pl.DataFrame({"user": [1, 1, 2], "label": [1, 1, 0], "prediction": [1, 0, 0], "kind": ["x", "y", "x"]})


def test_as_the_subject_is_grouped() -> None:
    actual = ir.evaluate(QRELS, RUN, "AP").grouped("kind").summary()
    assert actual.equals(ir.evaluate(QRELS, RUN, "AP", by="kind").summary())
    labels = ir.Labels(ITEMS, unit="user")
    assert (
        labels.evaluate("Accuracy").grouped("kind").summary().equals(labels.evaluate("Accuracy", by="kind").summary())
    )


@pytest.mark.parametrize("name", [*RESERVED, "query_id"])
def test_columns_of_the_result_are_refused(name: str) -> None:
    evaluation = ir.evaluate(QRELS, RUN, "AP")
    for by in (name, ["kind", name]):
        with pytest.raises(InvalidParameter, match=f"by='{name}' is a column of the result already"):
            evaluation.grouped(by)
    way_out = (
        QRELS.rename({name: f"{name}_group"}) if name != "query_id" else QRELS.with_columns(query_id_group="doc_id")
    )
    assert ir.evaluate(way_out, RUN, "AP").grouped(f"{name}_group").summary()["n_units"].sum() == 3


def test_the_unit_is_no_group() -> None:
    evaluation = ir.Labels(ITEMS, unit=["user", "kind"]).evaluate("Accuracy")
    for by in ("user", ["kind"]):
        with pytest.raises(InvalidParameter, match="by= and unit= both name"):
            evaluation.grouped(by)
    with pytest.raises(InvalidParameter, match="by= and unit= both name 'user'"):
        ir.compare(evaluation, by="user")
