"""Every measure of clusterings equals the plain loop of the same name, on both engines, inside its range."""

from __future__ import annotations

import pytest

from tests.clusters.asked import ENGINES, NAMES, WORLDS, asked, evaluated_world, expected
from tests.contract.asked import nothing_differs

SLACK = 1e-12


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("name", NAMES)
def test_equals_the_oracle(name: str, engine: str) -> None:
    seen = 0
    for where in WORLDS:
        for measure in (m for m in asked(where, engine) if m.name == name):
            nothing_differs(evaluated_world(where, engine)[str(measure)], expected(where, measure), 1e-12)
            seen += 1
    assert seen > 0


@pytest.mark.parametrize("name", NAMES)
def test_stays_in_its_range_and_moves(name: str) -> None:
    values = set()
    for where in WORLDS:
        for measure in (m for m in asked(where, "polars") if m.name == name):
            low, high = measure.range
            for key, value in evaluated_world(where, "polars")[str(measure)].items():
                assert value is None or low - SLACK <= value <= high + SLACK, (key, value)
                values.add(value if value is None else round(value, 9))
    assert len(values - {None}) > 2


def test_polars_equals_duckdb() -> None:
    for where in WORLDS:
        for measure in asked(where, "duckdb"):
            nothing_differs(
                evaluated_world(where, "polars")[str(measure)], evaluated_world(where, "duckdb")[str(measure)], 1e-12
            )
