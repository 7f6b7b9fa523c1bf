"""The package rbo.  Its figures are stored, as it cannot be installed beside NumPy 2."""

from __future__ import annotations

import json
from pathlib import Path

import polars as pl
import pytest

import ireval_frames as ir
from tests.contract.kit import ENGINES

engines = pytest.mark.parametrize("engine", ENGINES)
RBO = json.loads((Path(__file__).parent / "rbo_0.1.3.json").read_text(encoding="utf-8"))


@engines
def test_rbo(engine: str, agrees) -> None:
    """With p = 1 it is the average overlap down to the shorter end."""
    cases = RBO["cases"]
    tables = [
        pl.concat([ir.similarity.ranking(c[side]).with_columns(query_id=pl.lit(i)) for i, c in enumerate(cases)])
        for side in ("one", "other")
    ]
    depths = sorted({min(len(c["one"].split()), len(c["other"].split())) for c in cases})
    names = {c["p"]: (ir.similarity.RBO(p=c["p"], estimate="truncated"), ir.similarity.RBO(p=c["p"])) for c in cases}
    requested = [m for two in names.values() for m in two] + [ir.similarity.AO @ d for d in depths]
    compared = ir.Similarity(tables[0], against=tables[1], engine=engine).evaluate(requested).per_unit()
    values = {(q, m): v for q, m, v in compared.select("query_id", "measure", "value").iter_rows()}
    for i, case in enumerate(cases):
        truncated, extrapolated = map(str, names[case["p"]])
        assert values[i, truncated] == pytest.approx(case["rbo"], abs=1e-12)
        assert values[i, extrapolated] == pytest.approx(case["rbo_ext"], abs=1e-12)
        assert values[i, f"AO@{min(len(case[s].split()) for s in ('one', 'other'))}"] == pytest.approx(
            case["rbo_p1"], abs=1e-12
        )
    agrees("rbo", *requested, family="similarity")
