"""Every measure of points, with many values of its parameters, equals the plain loop of its name, on both engines."""

from __future__ import annotations

import pytest

from tests.contract.asked import differences
from tests.points.asked import ENGINES, NAMES, ON, WORLDS, evaluated, expected, tolerance


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("name", NAMES)
def test_equals_the_oracle(name: str, engine: str) -> None:
    seen, found = 0, []
    for where in WORLDS:
        for measure in (m for m in ON[engine][where] if m.name == name):
            wanted, got = expected(where, measure), evaluated(where, engine)[str(measure)]
            assert got.keys() == wanted.keys()
            for key in wanted:
                found += differences({key: got[key]}, {key: wanted[key]}, tolerance(measure, key[1]))
            seen += 1
    assert seen > 0
    assert not found, f"{len(found)} differ:\n" + "\n".join(found[:10])


def test_the_tables_are_hard_enough() -> None:
    """The comparison means something: undefined values, and many different ones."""
    for where in WORLDS:
        found = [v for m in ON["polars"][where] for v in evaluated(where, "polars")[str(m)].values()]
        assert sum(v is None for v in found) > len(ON["polars"][where])
        assert len({round(v, 9) for v in found if v is not None}) > len(found) / 3
