"""Every measure of points with many values of its parameters, and what the oracles say of them."""

from __future__ import annotations

import functools
from typing import Any

import ireval_frames as ir
from ireval_frames import catalog
from ireval_frames.declaration import Definition, Measure
from ireval_frames.points.distances import METRICS
from tests.oracles import points as oracle
from tests.points.worlds import FEATURES, World, world

ENGINES = ("polars", "duckdb")
DEFINITIONS = catalog.definitions("points")
NAMES = [d.name for d in DEFINITIONS]
# They compare single distances of pairs.
UNWEIGHTED = ("CIndex", "Gamma", "GPlus", "Tau")

TRIED: dict[str, tuple[Any, ...]] = {
    "alpha": (0.5, 0),
    "average": ("clusters",),
    "metric": METRICS[1:],
    "scaled": (False,),
    "scatter": ("sums",),
    "seed": (),
    "self_in_mean": (True,),
}
TRIED_OF: dict[tuple[str, str], tuple[Any, ...]] = {
    ("XieBeni", "separation"): ("points",),
    ("Dunn", "separation"): ("farthest", "average", "centroids", "to_centroids"),
    ("Dunn", "diameter"): ("average", "to_centroid", "radius"),
    ("Silhouette", "sample"): (4,),
    ("SilhouetteError", "sample"): (4, 6),
}


def variants(definition: Definition) -> list[Measure]:
    """The measure with its defaults, with each of its parameters changed alone, and some with two."""
    tried = {n: TRIED_OF.get((definition.name, n), TRIED.get(n)) for n in definition.parameters}
    assert None not in tried.values(), f"add values for a parameter of {definition.name} to TRIED or TRIED_OF: {tried}"
    out = [definition(), *(definition(**{n: v}) for n, values in tried.items() for v in values)]
    if definition.name == "Dunn":
        out += [
            definition(separation=s, diameter="radius", metric=m)
            for s, m in (("centroids", None), ("centroids", "cosine"))
        ]
        out += [
            definition(separation="average", diameter="average", metric="manhattan"),
            definition(separation="farthest", metric="manhattan"),
        ]
        out += [definition(separation="to_centroids", diameter="to_centroid", metric="squared_euclidean")]
    if definition.name == "Silhouette":
        out += [definition(self_in_mean=True, metric=m) for m in METRICS[1:]]
        out += [definition(sample=5, seed=3, metric=m, average="clusters") for m in METRICS]
    if definition.name == "SilhouetteError":
        out += [definition(sample=5, seed=7, metric="manhattan", self_in_mean=True)]
    return out


VARIANTS = [m for d in DEFINITIONS for m in variants(d)]
Values = dict[tuple[Any, ...], float | None]

WORLDS = {"text": world(1), "integers": world(2, integers=True, weighted=False)}
ASKED = {
    "text": [m for m in VARIANTS if m.name not in UNWEIGHTED],
    "integers": VARIANTS,
}
# DuckDB takes long to plan many measures; the Python step is the same for both engines.
ON = {
    "polars": ASKED,
    "duckdb": {w: [m for i, m in enumerate(ms) if not m.values or i % 3 == 0] for w, ms in ASKED.items()},
}
SOME = {w: [m for m in ms if not m.values] for w, ms in ASKED.items()}
# Cosines of vectors that are nearly parallel: what differs is the last digits of their coordinates.
PARALLEL = 1e-7
# Determinants of scatter matrices near to singular ones lose digits to the elimination.
LOOSER = {"DetRatio": 1e-9, "LogDet": 1e-9, "ScottSymons": 1e-9, "TraceWiB": 1e-9, "KsqDetW": 1e-9}


def tolerance(measure: Measure, group: str) -> float:
    """How far from the oracle a value may be."""
    angles = "cosine" in str(measure) or measure.name.endswith("Similarity")
    return PARALLEL if angles and ("far" in group or "outlier" in group) else LOOSER.get(measure.name, 1e-12)


def values(evaluation: ir.Evaluation) -> Values:
    """The value by (measure, keys …)."""
    frame = evaluation.per_unit()
    keys = [c for c in frame.columns if c not in ("measure", "value")]
    return {(row["measure"], *(row[k] for k in keys)): row["value"] for row in frame.iter_rows(named=True)}


def points(made: World, engine: str = "polars", frame: Any = None, **options: Any) -> ir.Points:
    """The world as a subject, by its groups."""
    table = made.frame() if frame is None else frame
    return ir.Points(
        table, list(FEATURES), **({"cluster": "group", "item": "item", "by": "part", "engine": engine} | options)
    )


def by_measure(found: Values) -> dict[str, Values]:
    """The values of each measure."""
    out: dict[str, Values] = {}
    for key, value in found.items():
        out.setdefault(key[0], {})[key] = value
    return out


@functools.cache
def evaluated(where: str, engine: str) -> dict[str, Values]:
    """The variants that the engine is asked for on one of the worlds, in one call; by measure."""
    return by_measure(values(points(WORLDS[where], engine).evaluate(ON[engine][where])))


@functools.cache
def expected(where: str, measure: Measure) -> Values:
    """What the oracle says of every group."""
    made = WORLDS[where]
    return {(str(measure), g): oracle.value(measure.name, made.points(g), **dict(measure.values)) for g in made.groups}
