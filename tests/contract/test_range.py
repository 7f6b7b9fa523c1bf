"""No measure leaves its declared range, and none gives NaN."""

from __future__ import annotations

import math

import pytest

from ireval_frames.declaration import Measure
from tests.contract.asked import ENGINES, NAMES, WORLDS, WORLDS_OF, evaluated_world, tried

# What rounding of the last bits may add.
SLACK = 1e-12


def bounds(measure: Measure) -> tuple[float, float]:
    """The declared range.

    Normalized gains may fall below 0 with negative gains, and rise above 1 with gains for
    documents that are not judged.
    """
    low, high = measure.range
    given = dict(measure.values)
    gains, unjudged = given.get("gains", ()), given.get("unjudged", 0)
    if unjudged < 0 or any(gain < 0 for _, gain in gains):
        low = -math.inf
    if unjudged > 0 or any(grade < 0 < gain for grade, gain in gains):
        high = math.inf
    return low, high


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("name", NAMES)
def test_stays_in_its_range(name: str, engine: str) -> None:
    for number in WORLDS_OF[engine]:
        for measure in tried(number, engine, name):
            low, high = bounds(measure)
            for key, value in evaluated_world(number, engine)[str(measure)].items():
                if value is None:
                    assert measure.definition.undefined is None, key
                else:
                    assert low - SLACK <= value <= high + SLACK, (key, value)


@pytest.mark.parametrize("name", NAMES)
def test_takes_several_values(name: str) -> None:
    """A measure that never moves would pass every comparison of ranges."""
    asked = [(number, measure) for number in range(len(WORLDS)) for measure in tried(number, "polars", name)]
    values = {
        round(v, 9) for number, m in asked for v in evaluated_world(number, "polars")[str(m)].values() if v is not None
    }
    assert values == {1.0} if name == "NumQ" else len(values) > 1
