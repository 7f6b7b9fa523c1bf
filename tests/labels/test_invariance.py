"""What must not matter: the order of the rows, and the names of the classes but where their order counts."""

from __future__ import annotations

import pytest

from tests.contract.asked import nothing_differs
from tests.labels.asked import ENGINES, SOME, WORLDS, by_measure, evaluated, evaluated_world
from tests.labels.worlds import WORDS

engines = pytest.mark.parametrize("engine", ENGINES)


@engines
@pytest.mark.parametrize("where", WORLDS)
def test_row_order(where: str, engine: str) -> None:
    made = WORLDS[where]
    frame = made.frame().sample(fraction=1, shuffle=True, seed=5)
    assert frame["label"].to_list() != made.frame()["label"].to_list()
    for name, found in by_measure(
        evaluated(made, SOME[where][:: 1 if engine == "polars" else 3], engine, frame)
    ).items():
        nothing_differs(found, evaluated_world(where, engine)[name], 1e-12)


@engines
@pytest.mark.parametrize("where", ["text", "sets"])
def test_names_of_classes(where: str, engine: str) -> None:
    """Text becomes text in another order: every value stays."""
    turned = dict(zip(sorted(WORDS), sorted(WORDS, reverse=True), strict=True))
    made = WORLDS[where].renamed(lambda c: c if c is None else turned[c])
    measures = [m for m in SOME[where] if "classes" not in dict(m.values)][:: 1 if engine == "polars" else 3]
    for name, found in by_measure(evaluated(made, measures, engine)).items():
        nothing_differs(found, evaluated_world(where, engine)[name], 1e-12)


@engines
def test_order_of_classes(engine: str) -> None:
    """Ordered kappa minds the order of the classes, and nothing else of their names."""
    made = WORLDS["text"]
    order = {c: place for place, c in enumerate(sorted(WORDS))}
    for name in ("Kappa(weights='linear')", "Kappa(weights='quadratic')"):
        before = evaluated(made, name, engine)
        same = made.renamed(lambda c: c if c is None else f"{order[c]:02d} of them")
        nothing_differs(evaluated(same, name, engine), before, 1e-12)
        other = made.renamed(lambda c: c if c is None else f"{(order[c] * 5) % 12:02d}")
        found = evaluated(other, name, engine)
        assert any(abs(v - before[k]) > 0.01 for k, v in found.items() if v is not None)
