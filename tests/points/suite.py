"""Every measure of points with many values of its parameters, and what the oracles say of them."""

from __future__ import annotations

from typing import Any

import polars as pl

import ireval_frames as ir
from ireval_frames.declaration import Definition, Measure
from ireval_frames.points.distances import METRICS
from tests.contract.kit import Frames, Renaming, Suite, Values, one_at_a_time
from tests.oracles import points as oracle
from tests.points.cases import FEATURES, Case, make_case

# They compare single distances of pairs.
UNWEIGHTED = ("CIndex", "Gamma", "GPlus", "Tau")

VALUES: dict[str, tuple[Any, ...]] = {
    "alpha": (0.5, 0),
    "average": ("clusters",),
    "metric": METRICS[1:],
    "scaled": (False,),
    "scatter": ("sums",),
    "seed": (),
    "self_in_mean": (True,),
    "XieBeni.separation": ("points",),
    "Dunn.separation": ("farthest", "average", "centroids", "to_centroids"),
    "Dunn.diameter": ("average", "to_centroid", "radius"),
    "Silhouette.sample": (4,),
    "SilhouetteError.sample": (4, 6),
}


def variants(definition: Definition, case: Case | None = None) -> list[Measure]:
    """The measure with its defaults, with each of its parameters changed alone, and some with two."""
    if case is not None and case.weighted and definition.name in UNWEIGHTED:
        return []
    out = one_at_a_time(definition, VALUES, "VALUES of tests/points/suite.py")
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


CASES = {"text": make_case(1), "integers": make_case(2, integers=True, weighted=False)}
# Cosines of vectors that are nearly parallel: what differs is the last digits of their coordinates.
PARALLEL = 1e-7
# Determinants of scatter matrices near to singular ones lose digits to the elimination.
LOOSER = {"DetRatio": 1e-9, "LogDet": 1e-9, "ScottSymons": 1e-9, "TraceWiB": 1e-9, "KsqDetW": 1e-9}


def tolerance(measure: Measure, key: tuple[Any, ...]) -> float:
    """How far from the oracle a value may be, in a group of a case."""
    group = str(key[-1])
    angles = "cosine" in str(measure) or measure.name.endswith("Similarity")
    return PARALLEL if angles and ("far" in group or "outlier" in group) else LOOSER.get(measure.name, 1e-12)


def tables(case: Case, _: Any = None) -> Frames:
    return {"points": case.frame()}


def points(case: Case, engine: str = "polars", frame: Any = None, **options: Any) -> ir.Points:
    """The case as a subject, by its groups."""
    arguments: dict[str, Any] = {"cluster": "group", "item": "item", "by": "part", "engine": engine}
    return ir.Points(case.frame() if frame is None else frame, list(FEATURES), **(arguments | options))


def evaluate(case: Case, frames: Frames, measures: Any, engine: str, **options: Any) -> ir.Evaluation:
    return points(case, engine, frames["points"], **({"unit": "part", "by": ()} | options)).evaluate(measures)


def expected(case: Case, measure: Measure) -> Values:
    """What the oracle says of every group."""
    source = dict(measure.values)
    return {(str(measure), g): oracle.value(measure.name, case.points(g), **source) for g in case.groups}


def turned(old: list[Any]) -> dict[Any, Any]:
    """Numbers in another order."""
    return {name: i * 7 % 121 for i, name in enumerate(old)}


def written(old: list[Any]) -> dict[Any, Any]:
    """The same as text."""
    return {name: str(number) for name, number in turned(old).items()}


POINTS = Suite(
    name="points",
    family="points",
    oracles=oracle.ORACLES.keys(),
    oracle_place="ORACLES of tests/oracles/points.py",
    cases=CASES,
    unit="part",
    tables=tables,
    evaluate=evaluate,
    variants=variants,
    oracle=expected,
    tolerance=tolerance,
    renamings={
        "clusters are Int64": Renaming(("group",), turned, pl.Int64),
        "clusters are Float64": Renaming(("group",), turned, pl.Float64),
        "clusters are String": Renaming(("group",), written, pl.String),
        "clusters are Enum": Renaming(("group",), written, pl.Enum),
        "clusters are Categorical": Renaming(("group",), written, pl.Categorical),
        # Samples are drawn in the order of ids.
        "items": Renaming(("item",), lambda old: {name: f"i{i:05d}" for i, name in enumerate(old)}),
    },
    grouped="points",
    weight="weight",
    item="item",
    # Its error is that of as many points as there are rows.
    counts_rows=("SilhouetteError",),
    skip={"runs": "several clusterings are columns side by side, in tests/points/test_groups.py"},
)
SUITES = (POINTS,)
DEFINITIONS = POINTS.definitions
VARIANTS = POINTS.measures("integers")
