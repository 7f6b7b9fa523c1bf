"""Every measure, with many values of its parameters, equals the loop over all pairs, on both engines."""

from __future__ import annotations

import random

import polars as pl
import pytest

import ireval_frames as ir
from ireval_frames import catalog
from tests.contract.asked import nothing_differs
from tests.oracles.organization import document, value
from tests.organization.asked import (
    ASKED,
    ENGINES,
    NAMES,
    WORLDS,
    Values,
    asked_for,
    evaluated,
    evaluated_world,
    expected,
)

MISSING = ("replab", "singleton", "skip")
# What is dropped or alone is so before all else, whatever the tables: DuckDB, which takes long to plan, is asked for
# some.
ASKED_FOR = [
    (where, engine, missing)
    for where in WORLDS
    for engine in ENGINES
    for missing in MISSING
    if engine == "polars"
    or missing == "replab"
    or (where, missing) in {("mixed", "skip"), ("clusters", "singleton"), ("overlaps", "singleton")}
]


@pytest.mark.parametrize("where, engine, missing", ASKED_FOR)
def test_equals_the_oracle(where: str, engine: str, missing: str) -> None:
    found = evaluated_world(where, engine, missing)
    wanted: Values = {}
    for measure in asked_for(where, engine, missing):
        wanted |= expected(WORLDS[where], measure, missing)
    nothing_differs(found, wanted, 1e-12)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("where", ["mixed", "overlaps", "retrieval"])
def test_one_table_is_two(where: str, engine: str) -> None:
    """Null scores are not retrieved, and null clusters are none; lists are sets."""
    measures = ASKED[where][:: 2 if engine == "polars" else 9]
    found = evaluated(WORLDS[where], measures, engine, one=True)
    nothing_differs(found, {k: v for m in measures for k, v in expected(WORLDS[where], m).items()}, 1e-12)


@pytest.mark.parametrize("where", ["overlaps", "clusters that overlap"])
def test_lists_are_rows(where: str) -> None:
    measures = ASKED[where][::3]
    found = evaluated(WORLDS[where], measures, "polars", lists=True)
    nothing_differs(found, {k: v for m in measures for k, v in expected(WORLDS[where], m).items()}, 1e-12)


@pytest.mark.parametrize("name", NAMES)
def test_the_tables_are_hard_enough(name: str) -> None:
    """The comparison means something: values between the ends, at the ends, and undefined ones."""
    found = {
        v if v is None else round(v, 9)
        for where in WORLDS
        for (m, *_), v in evaluated_world(where, "polars").items()
        if m.startswith(name)
    }
    if name == "NumItems":
        assert len(found) > 5
        return
    assert {None, 0.0, 1.0} <= found
    assert len(found) > 100


@pytest.mark.parametrize("engine", ENGINES)
def test_a_longer_list(engine: str) -> None:
    """Weights that vanish far down, and large levels of ties."""
    rng = random.Random(7)
    n = 300
    rows = [
        (
            float(rng.choice([0, 0, 0, 1, 2])),
            rng.choice([None, None, float(rng.randint(0, 150))]),
            rng.choice("abcde"),
            rng.choice("vwxyz"),
        )
        for _ in range(n)
    ]
    frame = pl.DataFrame(rows, schema=["relevance", "score", "label", "cluster_id"], orient="row")
    documents = [document(g, s, (label,), (cluster,)) for g, s, label, cluster in rows]
    measures = [
        ir.organization.RS(**given)
        for given in (
            {},
            {"pair_weight": "product", "n": 5},
            {"types": "pooled"},
            {"weights": "hyperbolic", "strict": False},
        )
    ]
    found = ir.Organization(frame, engine=engine).evaluate(measures).summary()["value"].to_list()
    wanted = [value("RS", documents, ["priority", "relatedness"], **dict(m.values)) for m in measures]
    assert found == pytest.approx(wanted, abs=1e-12)


def test_stays_in_its_range() -> None:
    for where in WORLDS:
        for engine in ENGINES:
            for key, found in evaluated_world(where, engine).items():
                low, high = catalog.parse(key[0], "organization").range
                assert found is None or low - 1e-12 <= found <= high + 1e-12, key


@pytest.mark.parametrize("engine", ENGINES)
def test_a_topic_is_what_it_is_alone(engine: str) -> None:
    made = WORLDS["mixed"]
    gold, system = made.tables()
    wanted = evaluated_world("mixed", "polars")
    for topic in ("00", "04", "15"):
        parts = [t.filter(query_id=topic).drop("query_id") for t in (gold, system)]
        found = ir.Organization(*parts, engine=engine).evaluate("RS RS(types='pooled')").per_unit()
        for measure, run, number in found.select("measure", "run_id", "value").iter_rows():
            assert number == pytest.approx(wanted[measure, run, topic], abs=1e-12)
