"""Open Bandit Pipeline's estimators for slates.  Its figures are stored; `making_obp.py` wrote them."""

from __future__ import annotations

import json
from pathlib import Path

import polars as pl
import pytest

import ireval_frames as ir
from tests.contract.kit import ENGINES

OBP = json.loads((Path(__file__).parent / "obp_0.5.7.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("engine", ENGINES)
def test_the_same_values(engine: str) -> None:
    slates = (
        pl.DataFrame(OBP["slates"]).with_row_index("serp_id").with_columns(position=[1, 2, 3], doc_id=["a", "b", "c"])
    )
    rows = slates.explode(pl.exclude("serp_id"))
    actual = ir.clicks.off_policy(rows, estimators=list(OBP["values"]), engine=engine).summary()
    assert dict(actual.select("estimator", "value").iter_rows()) == pytest.approx(OBP["values"], rel=1e-12)
