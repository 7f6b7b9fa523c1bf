"""Measures of coreference equal scorch's, which gives what the CoNLL scorer gives, document by document."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from scorch import scores

import ireval_frames as ir
from tests.contract.kit import ENGINES
from tests.coreference.cases import make_case

Sets = list[set[Any]]
THEIRS: dict[str, Callable[[Sets, Sets], tuple[float, float, float]]] = {
    "MUC": scores.muc,
    "B3": scores.b_cubed,
    "CEAFm": scores.ceaf_m,
    "CEAFe": scores.ceaf_e,
    # Its fast way needs a type that NumPy has no more.
    "BLANC": lambda key, response: scores.blanc(key, response, fast=False),
}
# It divides by 0 there, or has no link.
NOT_DEFINED = ("no gold", "no predictions", "nothing", "other mentions")


@pytest.mark.parametrize("engine", ENGINES)
def test_scorch(engine: str, agrees: Callable[..., None]) -> None:
    case = make_case(7, rounds=2)
    documents = {
        name: d for name, d in case.documents("run0").items() if name.partition(" ")[2] not in NOT_DEFINED
    }  # fmt: skip
    frames = case.frames()
    gold, predicted = (
        frames[side].filter(frames[side]["doc_id"].is_in(list(documents))) for side in ("gold", "predicted")
    )
    measures = [f"{kind}{side}" for kind in THEIRS for side in "RPF"]
    evaluation = ir.Coreference(gold, predicted, engine=engine).evaluate([*measures, "CoNLL"])
    values = {(doc, measure): value for doc, measure, value in evaluation.per_unit().rows()}
    for name, d in documents.items():
        key, response = ([set(entity) for entity in side] for side in (d.key, d.response))
        for kind, function in THEIRS.items():
            if kind == "BLANC" and len(key) == len(response) == len(key[0]) == len(response[0]) == 1:
                continue  # differences.py
            for side, expected in zip("RPF", function(key, response), strict=True):
                assert values[name, f"{kind}{side}"] == pytest.approx(expected, abs=1e-12), (name, kind)
        assert values[name, "CoNLL"] == pytest.approx(scores.conll2012(key, response), abs=1e-12)
    agrees("scorch", *measures, "CoNLL", family="coreference")
