"""Polars and DuckDB give the same numbers."""

from __future__ import annotations

import pytest

from tests.contract.asked import NAMES, WORLDS_OF, evaluated_world, nothing_differs, tried


@pytest.mark.parametrize("name", NAMES)
def test_polars_equals_duckdb(name: str) -> None:
    for number in WORLDS_OF["duckdb"]:
        polars, duckdb = evaluated_world(number, "polars"), evaluated_world(number, "duckdb")
        for measure in tried(number, "duckdb", name):
            nothing_differs(polars[str(measure)], duckdb[str(measure)], 1e-12)
