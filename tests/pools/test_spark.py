"""Pools of frames of Spark stay there, and are those of Polars."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest

import ireval_frames as ir
from tests import spark
from tests.pools.cases import grades, on_polars, table

METHODS: tuple[dict[str, Any], ...] = (
    {"depth": 5},
    {"method": "mean-rank", "depth": 5, "budget": 3},
    {"method": "rrf", "depth": 5, "total": 9},
    {"method": "stratified", "strata": {2: 1.0, 8: 0.4}},
)


@pytest.fixture
def session() -> Any:
    """The session."""
    return spark.session()


@pytest.mark.parametrize("options", METHODS, ids=str)
def test_methods(session: Any, options: dict[str, Any]) -> None:
    runs = table(0)
    frame = session.createDataFrame(runs.to_arrow(compat_level=pl.CompatLevel.oldest()))
    qrels = grades(runs, 0).filter(pl.int_range(pl.len()) % 3 == 0)
    for known in (None, qrels):
        pool = ir.pool(frame, qrels=known, **options)
        actual = pl.DataFrame(pl.from_arrow(pool.toArrow()))
        expected = on_polars(runs, qrels=known, **options)
        assert actual.columns == expected.columns
        keys = ["query_id", "doc_id"]
        for row, other in zip(actual.sort(keys).rows(), expected.sort(keys).rows(), strict=True):
            assert [pytest.approx(x, rel=1e-11) if isinstance(x, float) else x for x in other] == list(row)


def test_coverage_of_a_collection(session: Any) -> None:
    docs = pl.DataFrame({"doc_id": ["a", "b", "c", "a"]})
    qrels = pl.DataFrame({"query_id": [*"qqqqr"], "doc_id": [*"abzac"], "relevance": [1, 0, 1, 2, -1]})
    frame = session.createDataFrame(docs.to_arrow(compat_level=pl.CompatLevel.oldest()))
    actual, expected = (ir.pools.collection_coverage(table, qrels) for table in (frame, docs))
    for part in ("summary", "per_query", "dangling", "never_judged"):
        assert getattr(actual, part)().equals(getattr(expected, part)()), part
