"""The program of the authors of rank-biased utility.  Its figures are stored, as it needs Java."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import ireval_frames as ir
from tests.contract.kit import ENGINES

STORED = json.loads((Path(__file__).parent / "rbu_0.1.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("call", STORED, ids=lambda c: f"p={c['p']}, e={c['effort']}")
def test_rbu(call: dict[str, Any], engine: str, agrees) -> None:
    """Its effort and its utility by subtopic, with weights that sum to 1."""
    columns = ["query_id", "doc_id", "relevance", "subtopic_id", "subtopic_weight"]
    qrels = pl.DataFrame(call["judgments"], schema=columns, orient="row")
    run = pl.DataFrame(call["lists"], schema=["query_id", "doc_id"], orient="row").with_row_index("place")
    run = run.select("query_id", "doc_id", score=-pl.col("place").cast(pl.Float64))
    measure = ir.RBU(p=call["p"], effort=call["effort"], subtopics="mean")
    values = dict(ir.evaluate(qrels, run, measure, engine=engine).per_unit().select("query_id", "value").iter_rows())
    assert values == pytest.approx(call["values"], abs=5.001e-5)
    agrees("RBU", measure, family="ranking")
