"""Polars and DuckDB give the same numbers, and none outside its range."""

from __future__ import annotations

import pytest

from tests.contract.asked import nothing_differs
from tests.labels.asked import ENGINES, NAMES, ON, WORLDS, evaluated_world

# What rounding of the last bits may add.
SLACK = 1e-12


@pytest.mark.parametrize("name", NAMES)
def test_polars_equals_duckdb(name: str) -> None:
    for where in WORLDS:
        for measure in (m for m in ON["duckdb"][where] if m.name == name):
            nothing_differs(
                evaluated_world(where, "polars")[str(measure)], evaluated_world(where, "duckdb")[str(measure)], 1e-12
            )


@pytest.mark.parametrize("name", NAMES)
def test_stays_in_its_range_and_moves(name: str) -> None:
    values = set()
    for where in WORLDS:
        for engine in ENGINES:
            for measure in (m for m in ON[engine][where] if m.name == name):
                low, high = measure.range
                for key, value in evaluated_world(where, engine)[str(measure)].items():
                    assert value is None or low - SLACK <= value <= high + SLACK, (key, value)
                    values.add(value if value is None else round(value, 9))
    assert len(values - {None}) > 2
