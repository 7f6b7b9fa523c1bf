"""The measures of document organization with many values of their parameters, and what the oracle says of them."""

from __future__ import annotations

import functools
from typing import Any

import ireval_frames as ir
from ireval_frames import catalog
from ireval_frames.declaration import Measure
from ireval_frames.organization import Organization
from tests.oracles import organization as oracle
from tests.organization.worlds import World, world

ENGINES = ("polars", "duckdb")
DEFINITIONS = catalog.definitions("organization")
NAMES = [d.name for d in DEFINITIONS]

# What to try for a parameter of that name, alone and with others.
TRIED: tuple[dict[str, Any], ...] = (
    {},
    {"weights": "hyperbolic"},
    {"weights": "uniform"},
    {"n": 2.0, "W": 0.5},
    {"pair_weight": "product"},
    {"pair_weight": "product", "n": 3.0, "weights": "hyperbolic", "types": "pooled"},
    {"strict": False},
    {"strict": False, "pair_weight": "product", "unrelated": "undefined"},
    {"unrelated": "undefined"},
    {"types": "pooled"},
    {"types": "pooled", "overlap": "pairs", "unrelated": "undefined"},
    {"overlap": "pairs"},
    {"overlap": "pairs", "pair_weight": "product", "n": 1.0},
    {"relation": "priority"},
    {"relation": "relatedness", "n": 4.0},
    {"alpha": 0.2},
    {"alpha": 0.0},
)
assert {n for d in DEFINITIONS for n in d.parameters} == {n for given in TRIED for n in given}, "add values to TRIED"

WORLDS = {
    "retrieval": world(1, clustered=False),
    "clusters": world(2, ranked=False),
    "mixed": world(3),
    "overlaps": world(4, overlapping=True),
    "clusters that overlap": world(5, ranked=False, overlapping=True),
}
Values = dict[tuple[Any, ...], float | None]


def asked(made: World) -> list[Measure]:
    """All that the world's topics have."""
    out = []
    for definition in DEFINITIONS:
        for given in TRIED:
            fits = all(k in definition.parameters for k in given) and given.get("relation", "all") in (
                "all",
                *made.tasks,
            )
            out += [definition(**given)] if fits else []
    return list(dict.fromkeys(out))


ASKED = {where: asked(made) for where, made in WORLDS.items()}
# DuckDB takes long to plan many.
ON = {"polars": ASKED, "duckdb": {where: measures[i % 4 :: 4] for i, (where, measures) in enumerate(ASKED.items())}}


def values(evaluation: ir.Evaluation) -> Values:
    """The value by (measure, run_id, topic)."""
    return {(r["measure"], r["run_id"], r["query_id"]): r["value"] for r in evaluation.per_unit().iter_rows(named=True)}


def evaluated(
    made: World, measures: Any, engine: str, *, lists: bool = False, one: bool = False, **options: Any
) -> Values:
    """The measures' values, topic by topic."""
    tables = [made.one_table()] if one else made.tables(lists=lists)
    overlapping = made.overlapping and not lists and not one
    return values(
        Organization(*tables, unit="query_id", overlapping=overlapping, engine=engine, **options).evaluate(measures)
    )


def expected(made: World, measure: Measure, missing: str = "replab") -> Values:
    """What the oracle says of every run and topic."""
    given = dict(measure.values)
    return {
        (str(measure), run, topic): oracle.value(
            measure.name, made.documents(run, topic, missing), made.tasks, missing=missing, **given
        )
        for run in made.runs
        for topic in made.gold
    }


def asked_for(name: str, engine: str, missing: str) -> list[Measure]:
    """What an engine is asked for on one of the worlds: less where only what is missing is another matter."""
    measures = ON[engine][name]
    return measures if missing == "replab" else measures[:: 4 if engine == "polars" else 2]


def evaluated_world(name: str, engine: str, missing: str = "replab") -> Values:
    """The values of all of these, from one call."""
    return _evaluated_once(name, engine, missing)


@functools.cache
def _evaluated_once(name: str, engine: str, missing: str) -> Values:
    return evaluated(WORLDS[name], asked_for(name, engine, missing), engine, policy={"missing": missing})
