"""Every measure, with many values of its parameters, equals the plain loop of the same name, on both engines."""

from __future__ import annotations

import pytest

from tests.contract.asked import ENGINES, NAMES, WORLDS, WORLDS_OF, evaluated_world, expected, nothing_differs, tried

TOLERANCE = 1e-9


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("name", NAMES)
def test_equals_the_oracle(name: str, engine: str) -> None:
    for number in WORLDS_OF[engine]:
        made, found = WORLDS[number], evaluated_world(number, engine)
        for measure in tried(number, engine, name):
            wanted = expected(made, measure)
            nothing_differs(found[str(measure)], wanted, TOLERANCE)


def test_the_tables_are_hard_enough() -> None:
    """The comparison means something: the worlds have ties, missing and unknown queries, all kinds of grades."""
    for made in WORLDS:
        lists = [docs for run in made.runs.values() for docs in run.values()]
        assert sum(len({s for _, s in docs}) < len(docs) for docs in lists) > len(lists) / 4
        assert any(q not in run for run in made.runs.values() for q in made.qrels)
        assert any(q not in made.qrels for run in made.runs.values() for q in run)
        assert {-2.0, -1.0, 0.0, 1.0, 2.0, 3.0, 4.0, 0.5} <= {g for docs in made.qrels.values() for g in docs.values()}
        assert any(
            all(d not in made.qrels[q] for d, _ in docs)
            for run in made.runs.values()
            for q, docs in run.items()
            if q in made.qrels
        )
