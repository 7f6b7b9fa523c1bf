"""Every measure of clusterings with many values of its parameters, and what the oracles say of them."""

from __future__ import annotations

import functools
from typing import Any

import ireval_frames as ir
from ireval_frames import catalog
from ireval_frames.declaration import Definition, Measure
from tests.clusters.worlds import World, world
from tests.labels.asked import Values, by_measure, values
from tests.oracles import clusters as oracle

ENGINES = ("polars", "duckdb")
DEFINITIONS = catalog.definitions("clusters")
NAMES = [d.name for d in DEFINITIONS]

# What to try for a parameter of that name.
TRIED: dict[str, tuple[Any, ...]] = {
    "alpha": (0.2, 0.0, 1.0),
    "base": (2,),
    "beta": (2, 0.5, 0),
    "normalized": (True,),
    "normalizer": ("geometric", "min", "max", "joint"),
    "of": ("classes", "both"),
    "over": ("clusters", "items"),
    "self_pairs": (False,),
}
# What does not go together, or is no value of a measure's parameter.
REFUSED = {("AMI", "joint"), ("ClusterF", "items"), ("BCubedF", "clusters")}


def variants(definition: Definition) -> list[Measure]:
    """The measure with its defaults, and with each parameter changed alone."""
    changed = [(n, v) for n in definition.parameters for v in TRIED[n] if (definition.name, v) not in REFUSED]
    return [definition(), *(definition(**{n: v}) for n, v in changed)]


VARIANTS = {d.name: variants(d) for d in DEFINITIONS}
ALL = [m for made in VARIANTS.values() for m in made]
# DuckDB takes thirty milliseconds to plan a measure: it is asked for the defaults, and for every third of the others.
ON = {
    "polars": ALL,
    "duckdb": list(dict.fromkeys([d() for d in DEFINITIONS] + [m for m in ALL if dict(m.values)][::3])),
}
# Text with weights; integers without weights, where DuckDB is asked for less.
WORLDS = {"text": world(1), "integers": world(2, runs=2, weighted=False, integers=True)}


def asked(where: str, engine: str) -> list[Measure]:
    """What a world is asked for on an engine."""
    return ON[engine] if where == "text" or engine == "polars" else [d() for d in DEFINITIONS][::2]


def evaluated(made: World, measures: Any, engine: str, frame: Any = None, **options: Any) -> Values:
    """The measures' values, unit by unit."""
    table = made.frame() if frame is None else frame
    return values(ir.Clusters(table, unit="part", engine=engine, **options).evaluate(measures))


@functools.cache
def evaluated_world(where: str, engine: str) -> dict[str, Values]:
    """What is asked of one of the worlds, in one call; by measure."""
    return by_measure(evaluated(WORLDS[where], asked(where, engine), engine))


@functools.cache
def expected(where: str, measure: Measure) -> Values:
    """What the oracle says of every run and unit."""
    arguments = measure.arguments()
    return {
        (str(measure), run, unit): oracle.value(measure.name, items, **arguments)
        for run, units in WORLDS[where].units.items()
        for unit, items in units.items()
    }
