"""Counts are summed over documents, times their weights."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest

import ireval_frames as ir
from tests.contract.kit import assert_same
from tests.links.suite import LINKS, as_types
from tests.oracles import links as oracle

MEASURES = {
    "inclusive": [
        "Precision", "Recall(on='strong_link_match')", "F1(match='weak')", "F1(match='max', where='linked')",
        "F1(on=['start', 'end', 'type'], match='characters', average='macro')", "NumCorrect",
        "F(beta=2, on=['start', 'end', 'type', 'kb_id'], match='sum', average='weighted')", "SubsetAccuracy",
    ],
    "judged": ["Precision", "Recall(average='macro')", "F1(average='weighted')", "NumRedundant", "NumInexact"],
}  # fmt: skip


def documents_of(name: str, run: str) -> list[oracle.Document]:
    documents = LINKS.cases[name].units[run].values()
    first = LINKS.cases[name].units["run0"].values()
    out = [as_types(d) if name == "judged" else oracle.Document(d.gold, d.predicted) for d in documents]
    for d, of_first in zip(out, first, strict=True):
        d.weight = of_first.weight
    return out


@pytest.mark.parametrize("name", MEASURES)
@pytest.mark.parametrize("engine", ["polars", "duckdb"])
def test_sums_over_documents(name: str, engine: str) -> None:
    case: Any = LINKS.cases[name]
    frames = case.frames()
    subject = ir.Links(
        frames["gold"], frames["predicted"], documents=frames["documents"], engine=engine, **case.options
    )
    evaluation = subject.evaluate(MEASURES[name])
    actual = {row[:2]: row[2] for row in evaluation.summary().select("measure", "run_id", "value").iter_rows()}
    expected = {
        (str(m), run): oracle.value(m.name, documents_of(name, run), case.rules, **{"where": None, **m.arguments()})
        for m in evaluation.measures
        for run in case.units
    }
    assert_same(actual, expected, 1e-12, "pooled")


def test_documents_without_links_count() -> None:
    gold, predicted = ir.examples.links()
    ids = ["d1", "d2", "d3"]
    equal = ir.Links(gold, predicted, documents=ids).evaluate("SubsetAccuracy F1").summary()["value"].to_list()
    assert equal == [1 / 3, 0.4]
    table = pl.DataFrame({"doc_id": ids, "weight": [1.0, 1.0, 8.0], "genre": ["a", "a", "b"]})
    weighted = ir.Links(gold, predicted, documents=table, by="genre").evaluate("SubsetAccuracy")
    assert weighted.summary()["value"].to_list() == [0.0, 1.0]
