"""Frames of Spark are fused there, to what Polars gives."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest

import ireval_frames as ir
from tests import spark
from tests.pools.cases import RUNS, grades, table

WEIGHTS = dict(zip(RUNS, (0.5, 2.0, 1.0, 0.25), strict=True))
METHODS: tuple[dict[str, Any], ...] = (
    {"method": "rrf"},
    {"method": "rrf", "missing": "last", "depth": 5},
    {"method": "combmnz", "normalize": "zmuv"},
    {"method": "combmed", "normalize": "borda"},
    {"method": "wsum", "weights": WEIGHTS, "normalize": "dbsf"},
    {"method": "condorcet"},
    {"method": "isr", "ties": "average"},
)


@pytest.fixture
def session() -> Any:
    """The session."""
    return spark.session()


@pytest.mark.filterwarnings("ignore:Not every run has all")
@pytest.mark.parametrize("options", [*METHODS, {"method": "probfuse"}, {"method": "slidefuse"}], ids=str)
def test_methods(session: Any, options: dict[str, Any]) -> None:
    runs = table(0)
    learns = options["method"] in ("probfuse", "slidefuse")
    more = {"qrels": grades(runs, 1), "folds": 2, "seed": 3} if learns else {}
    frame = session.createDataFrame(runs.to_arrow(compat_level=pl.CompatLevel.oldest()))
    fused = ir.fuse(frame, **options, **more)
    expected = ir.fuse(runs, **options, **more).collect()
    assert fused.to_native().columns == expected.columns
    for row, other in zip(fused.collect().rows(), expected.rows(), strict=True):
        assert row == (*other[:2], pytest.approx(other[2], rel=1e-12, abs=1e-12), *other[3:])
