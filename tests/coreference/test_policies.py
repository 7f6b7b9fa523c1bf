"""Policies about mentions of one side, entities of one mention, undefined values, and links that the gold lacks."""

from __future__ import annotations

from typing import Any

import pytest

import ireval_frames as ir
from tests.coreference.cases import make_case
from tests.oracles import coreference as oracle

CASE = make_case(5)
DOCUMENTS = CASE.documents("run0")
POLICIES = [
    dict(zip(("twinless", "singletons", "no_links", "undefined"), values, strict=True))
    for values in [
        ("drop", "keep", "key", 0),
        ("sys", "drop", "key", 0),
        ("sys", "keep", "both", None),
        ("rahman-ng", "keep", "key", 0),
        ("all", "drop", "both", None),
        ("all", "keep", "key", 1),
    ]
]


def text(policy: dict[str, Any]) -> str:
    return ",".join(f"{k}={'null' if v is None else v}" for k, v in policy.items())


@pytest.mark.parametrize("engine", ["polars", "duckdb"])
@pytest.mark.parametrize("policy", POLICIES, ids=text)
def test_equal_the_oracle(policy: dict[str, Any], engine: str) -> None:
    """Per document, and pooled over all."""
    frames = CASE.frames()
    subject = ir.Coreference(
        frames["gold"], frames["predicted"], documents=frames["documents"], policy=text(policy), engine=engine
    )
    evaluation = subject.evaluate(oracle.ORACLES)
    for doc, measure, value in evaluation.per_unit().rows():
        expected = oracle.value(measure, [DOCUMENTS[doc]], **policy)
        assert value == (expected if expected is None else pytest.approx(expected, rel=1e-12, abs=1e-12)), (
            doc,
            measure,
        )
    for measure, value, *_ in evaluation.summary().rows():
        expected = oracle.value(measure, list(DOCUMENTS.values()), **policy)
        assert value == pytest.approx(expected, rel=1e-12, abs=1e-12), measure
