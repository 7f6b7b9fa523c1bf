"""What must not matter: the order of the input's rows, and the spelling of ids as long as their order stays."""

from __future__ import annotations

import pytest

import ireval_frames as ir
from tests.contract.asked import (
    ENGINES,
    SOME,
    WORLDS,
    Values,
    by_measure,
    evaluated_world,
    few,
    nothing_differs,
    tried,
    values,
)
from tests.contract.worlds import World

engines = pytest.mark.parametrize("engine", ENGINES)


@pytest.mark.parametrize("number, engine", [(0, "polars"), (1, "polars"), (2, "polars"), (0, "duckdb")])
def test_row_order(number: int, engine: str) -> None:
    made = WORLDS[number]
    qrels, run = (
        made.qrels_frame().sample(fraction=1, shuffle=True, seed=5),
        made.run_frame().sample(fraction=1, shuffle=True, seed=6),
    )
    assert run["query_id"].to_list() != made.run_frame()["query_id"].to_list()
    # Each measure on one of the worlds.
    found = by_measure(values(ir.evaluate(qrels, run, few(engine, SOME[number::3], 3), engine=engine)))
    for name, values_found in found.items():
        nothing_differs(values_found, evaluated_world(number, engine)[name], 1e-12)


def renamed(made: World, names: dict) -> World:
    qrels = {names[q]: {names[d]: g for d, g in docs.items()} for q, docs in made.qrels.items()}
    runs = {
        r: {names[q]: [(names[d], s) for d, s in docs] for q, docs in lists.items()} for r, lists in made.runs.items()
    }
    return World(qrels, runs)


def ids(made: World) -> list:
    tables = [made.qrels, *({q: dict(docs) for q, docs in lists.items()} for lists in made.runs.values())]
    found = {i for table in tables for q, docs in table.items() for i in (q, *docs)}
    return sorted(found, key=lambda i: i.encode() if isinstance(i, str) else i)


@engines
@pytest.mark.parametrize("number, kind", [(0, "integers"), (1, "text")])
def test_renamed_ids(number: int, kind: str, engine: str) -> None:
    """Text becomes other text or integers and back, in the same order: every value stays."""
    made = WORLDS[number]
    names = {old: f"id{i:05d}" if kind == "text" else 3 * i - 1000 for i, old in enumerate(ids(made))}
    other = renamed(made, names)
    known = set(tried(number, engine))
    asked = few(engine, [m for m in SOME[number::2] if m in known])
    found = by_measure(values(ir.evaluate(other.qrels_frame(), other.run_frame(), asked, engine=engine)))
    for name, values_found in found.items():
        wanted: Values = {(m, r, names[q]): v for (m, r, q), v in evaluated_world(number, engine)[name].items()}
        nothing_differs(values_found, wanted, 1e-12)


@engines
def test_renaming_against_the_order_matters_where_scores_tie(engine: str) -> None:
    """The check above can fail: ids turned round change how ties are broken."""
    made = WORLDS[0]
    known = ids(made)
    names = dict(zip(known, reversed(known), strict=True))
    other = renamed(made, names)
    found = values(ir.evaluate(other.qrels_frame(), other.run_frame(), "AP", engine=engine))
    before = evaluated_world(0, engine)["AP"]
    assert any(abs(found["AP", r, names[q]] - before["AP", r, q]) > 0.1 for _, r, q in before)
