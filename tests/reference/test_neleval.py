"""neleval.  Its figures are stored, as it is written for older Pythons."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import ireval_frames as ir
from tests.contract.kit import ENGINES

STORED = json.loads((Path(__file__).parent / "neleval_3.1.1.json").read_text(encoding="utf-8"))
VALUES = ("Precision", "Recall", "F1")
# Its aggregates of overlaps; the filter of one of them is in the list of differences.
OVERLAPS = {
    "overlap-maxmax::span": {"on": "strong_mention_match", "match": "max"},
    "overlap-sumsum::span": {"on": "strong_mention_match", "match": "sum"},
    "overlap-sumsum::span+type": {"on": "strong_typed_mention_match", "match": "sum"},
}


def frame(side: str) -> pl.DataFrame:
    return pl.DataFrame(STORED[side], schema=["doc_id", "start", "end", "type", "kb_id"], orient="row")


def compared(engine: str, parameters_of: dict[str, dict[str, Any]], stored: dict[str, list[float]]) -> list[Any]:
    links = ir.Links(frame("gold"), frame("predicted"), offsets="inclusive", policy="neleval", engine=engine)
    measures = [getattr(ir.links, v)(**parameters) for parameters in parameters_of.values() for v in VALUES]
    values = links.evaluate(measures).summary()["value"].to_list()
    expected = [value for name in parameters_of for value in stored[name]]
    assert values == pytest.approx(expected, abs=1e-12)
    return measures


@pytest.mark.parametrize("engine", ENGINES)
def test_neleval(engine: str, agrees) -> None:
    """Its measures of links by name, its overlaps, and links that are cut into characters."""
    strong = STORED["strong"]
    measures = compared(engine, {name: {"on": name} for name in strong}, strong)
    measures += compared(engine, OVERLAPS, STORED["overlaps"])
    cut = STORED["characters"]
    measures += compared(engine, {name: {"on": name, "match": "characters"} for name in cut}, cut)
    agrees("neleval", *measures, family="links")
