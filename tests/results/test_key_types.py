"""Keys of results have the types of the columns that were handed in, whatever the engine, and their order."""

from __future__ import annotations

import datetime as dt
from typing import Any

import polars as pl
import pytest
from polars.testing import assert_frame_equal

import ireval_frames as ir

TIMES = [dt.datetime.fromisoformat(day) for day in ("2024-01-01", "2024-07-02")]
KEYS: dict[str, tuple[list[Any], Any]] = {
    "a time of a zone": (TIMES, pl.Datetime("us", "Europe/Madrid")),
    "a time in UTC": (TIMES, pl.Datetime("ms", "UTC")),
    "a time": (TIMES, pl.Datetime("ns")),
    "an enum": (["z", "a"], pl.Enum(["z", "a"])),
    "a category": (["z", "a"], pl.Categorical()),
    "32 bits": ([0.1, -0.0], pl.Float32()),
    "8 bits": ([2, 1], pl.UInt8()),
    "a date": ([dt.date(2024, 1, 2), dt.date(2024, 1, 1)], pl.Date()),
    "a decimal": ([2, 1], pl.Decimal(10, 2)),
}


@pytest.mark.parametrize("key", KEYS)
def test_keys_are_as_they_were_handed_in(key: str) -> None:
    values, dtype = KEYS[key]
    groups = pl.Series("g", [*values, *values, None]).cast(dtype)
    labels = pl.DataFrame({"g": groups, "label": [1, 0, 1, 0, 1], "prediction": [1, 0, 0, 0, 1]})
    ids = ["1", "2", "3", "4", "5"]
    qrels = pl.DataFrame({"query_id": ids, "doc_id": ids, "relevance": 1, "g": groups})
    run = pl.DataFrame({"query_id": ids, "doc_id": [*ids[:3], "x", "y"], "score": 1.0})
    actual = {}
    for engine in ("polars", "duckdb"):
        grouped = ir.Labels(labels, by="g", engine=engine)
        actual[engine] = [
            grouped.evaluate("Accuracy F1(average='macro')").summary(),
            grouped.evaluate("Accuracy").wide(),
            grouped.confusion(),
            ir.Labels(labels.drop_nulls("g"), unit="g", engine=engine).evaluate("Accuracy").per_unit(),
            ir.evaluate(qrels, run, "AP P@5", by="g", engine=engine).summary(),
        ]
    for one, other in zip(*actual.values(), strict=True):
        assert other["g"].dtype == dtype
        assert_frame_equal(one, other, check_exact=False, rel_tol=1e-12)
        joined = labels.join(other.unique("g"), on="g", nulls_equal=True)
        assert joined.drop_nulls("g").height == labels.height - 1
