"""Every measure of labels, with many values of its parameters, equals the plain loop of its name, on both engines."""

from __future__ import annotations

import pytest

from tests.contract.asked import nothing_differs
from tests.labels.asked import ASKED, ENGINES, NAMES, ON, WORLDS, evaluated_world, expected


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("name", NAMES)
def test_equals_the_oracle(name: str, engine: str) -> None:
    seen = 0
    for where, made in WORLDS.items():
        found = evaluated_world(where, engine)
        for measure in ON[engine][where]:
            if measure.name == name:
                nothing_differs(found[str(measure)], expected(made, measure), 1e-12)
                seen += 1
    assert seen > 0


def test_the_tables_are_hard_enough() -> None:
    """The comparison means something: undefined values, fractions of weights, items without a label or a prediction."""
    for where, made in WORLDS.items():
        found = evaluated_world(where, "polars")
        undefined = sum(v is None for of in found.values() for v in of.values())
        assert undefined > len(ASKED[where])
        rows = [row for unit in made.units["run0"].values() for row in unit]
        assert any(not a for a, _, _ in rows)
        assert any(not b for _, b, _ in rows)
        assert {w for _, _, w in rows} >= {0.0, 0.1, 1.0, 1e3}
