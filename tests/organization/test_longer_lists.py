"""RS of longer lists equals the loop over all pairs, on both engines."""

from __future__ import annotations

import random

import polars as pl
import pytest

import ireval_frames as ir
from tests.contract.kit import ENGINES
from tests.oracles.organization import document, value


@pytest.mark.parametrize("engine", ENGINES)
def test_a_longer_list(engine: str) -> None:
    """Weights that vanish at deep ranks, and large groups of ties."""
    rng = random.Random(7)
    n = 300
    rows = [
        (
            float(rng.choice([0, 0, 0, 1, 2])),
            rng.choice([None, None, float(rng.randint(0, 150))]),
            rng.choice("abcde"),
            rng.choice("vwxyz"),
        )
        for _ in range(n)
    ]
    frame = pl.DataFrame(rows, schema=["relevance", "score", "label", "cluster_id"], orient="row")
    documents = [document(g, s, (label,), (cluster,)) for g, s, label, cluster in rows]
    measures = [
        ir.organization.RS(**parameters)
        for parameters in (
            {},
            {"pair_weight": "product", "n": 5},
            {"types": "pooled"},
            {"weights": "hyperbolic", "strict": False},
        )
    ]
    actual = ir.Organization(frame, engine=engine).evaluate(measures).summary()["value"].to_list()
    expected = [value("RS", documents, ["priority", "relatedness"], **dict(m.values)) for m in measures]
    assert actual == pytest.approx(expected, abs=1e-12)
