"""Groups of gold passages in their forms, and what measures say of them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pytest

import ireval_frames as ir
from ireval_frames.errors import InvalidValue, MissingColumn

ROWS = [("q1", "a", 1, 1), ("q1", "b", 1, 1), ("q1", "c", 2, 1), ("q2", "a", 1, 1)]
LONG = pl.DataFrame([row[:3] for row in ROWS], ["query_id", "doc_id", "group_id"], orient="row")
OF_GROUPS = LONG.group_by("query_id", "group_id", maintain_order=True).agg("doc_id")
OF_QUERIES = OF_GROUPS.group_by("query_id", maintain_order=True).agg("doc_id")


@pytest.mark.parametrize("gold", [LONG, OF_GROUPS, OF_QUERIES, OF_GROUPS.drop("group_id"), pl.concat([LONG, LONG])])
def test_forms(gold: Any) -> None:
    assert ir.nuggets.any_of(gold).rows() == ROWS


def test_files_names_and_all_needed(tmp_path: Path) -> None:
    OF_QUERIES.rename({"doc_id": "positives"}).write_ndjson(tmp_path / "gold.jsonl")
    assert ir.nuggets.any_of(tmp_path / "gold.jsonl", doc="positives").rows() == ROWS
    mine = LONG.rename({"query_id": "question_id", "group_id": "fact"})
    assert ir.nuggets.any_of(mine).rows() == ROWS
    needed = ir.nuggets.any_of(LONG.drop("group_id"))
    run = pl.DataFrame({"query_id": ["q1"] * 3, "doc_id": [*"acb"], "score": [3.0, 2.0, 1.0]})
    names = "StRecall(complete=True)@2 StRecall(complete=True)@3 StRecall@2 Success@1"
    of_groups, of_all = (
        ir.evaluate(qrels, run, names, policy="missing=skip").wide() for qrels in (ir.nuggets.any_of(LONG), needed)
    )
    assert of_groups.rows() == [(1.0, 1.0, 1.0, 1.0)]
    assert of_all.rows() == [(0.0, 1.0, pytest.approx(2 / 3), 1.0)]


def test_errors() -> None:
    empty = pl.DataFrame({"query_id": ["q"], "doc_id": [[]]}, schema_overrides={"doc_id": pl.List(pl.String)})
    with pytest.raises(InvalidValue, match="1 row of the gold table has no passage"):
        ir.nuggets.any_of(empty)
    with pytest.raises(MissingColumn, match="hops"):
        ir.nuggets.any_of(LONG, group="hops")
    with pytest.raises(MissingColumn, match="doc_id"):
        ir.nuggets.any_of(LONG.drop("doc_id"))


def test_arrays_are_lists() -> None:
    pairs = pl.DataFrame(
        {"query_id": ["q"], "doc_id": [["a", "b"]]}, schema_overrides={"doc_id": pl.Array(pl.String, 2)}
    )
    assert ir.nuggets.any_of(pairs).rows() == [("q", "a", 1, 1), ("q", "b", 1, 1)]
    nested = {"doc_id": pl.Array(pl.Array(pl.String, 2), 1)}
    groups = pl.DataFrame({"query_id": ["q"], "doc_id": [[["a", "b"]]]}, schema_overrides=nested)
    assert ir.nuggets.any_of(groups).rows() == [("q", "a", 1, 1), ("q", "b", 1, 1)]
