"""Every measure of clusterings with many values of its parameters, and what the oracles say of them."""

from __future__ import annotations

from typing import Any

import polars as pl

import ireval_frames as ir
from ireval_frames.declaration import Definition, Measure
from tests.clusters.cases import Case, make_case
from tests.contract.kit import Frames, Renaming, Suite, Values, one_at_a_time
from tests.oracles import clusters as oracle

# What to try for a parameter of that name.
VALUES: dict[str, tuple[Any, ...]] = {
    "alpha": (0.2, 0.0, 1.0),
    "base": (2,),
    "beta": (2, 0.5, 0),
    "normalized": (True,),
    "normalizer": ("geometric", "min", "max", "joint"),
    "of": ("classes", "both"),
    "over": ("clusters", "items"),
    "self_pairs": (False,),
    # Others do not go together with the measure.
    "AMI.normalizer": ("geometric", "min", "max"),
    "ClusterF.over": ("clusters",),
    "BCubedF.over": ("items",),
}
# They take whole weights alone; others are shares of any weights.
CASES = {"text": make_case(1), "integers": make_case(2, runs=2, weighted=False, integers=True)}


def variants(definition: Definition, _: Case | None = None) -> list[Measure]:
    """The measure with its defaults, and with each parameter changed alone."""
    return one_at_a_time(definition, VALUES, "VALUES of tests/clusters/suite.py")


def tables(case: Case, _: Any = None) -> Frames:
    return {"clusters": case.frame()}


def evaluate(_: Case, frames: Frames, measures: Any, engine: str, **options: Any) -> ir.Evaluation:
    return ir.Clusters(frames["clusters"], **({"unit": "part", "engine": engine} | options)).evaluate(measures)


def expected(case: Case, measure: Measure) -> Values:
    """What the oracle says of every run and unit."""
    arguments = measure.arguments()
    return {
        (str(measure), run, unit): oracle.value(measure.name, items, **arguments)
        for run, units in case.units.items()
        for unit, items in units.items()
    }


def turned(old: list[Any]) -> dict[Any, Any]:
    """Other text, in another order."""
    return {name: f"{len(old) - i:03d} {name}"[::-1] for i, name in enumerate(old)}


def numbered(old: list[Any]) -> dict[Any, Any]:
    """Numbers in another order, −1 among them."""
    return {name: 7 * i % len(old) - 1 if len(old) % 7 else -i for i, name in enumerate(old)}


CLUSTERS = Suite(
    name="clusters",
    family="clusters",
    oracles=oracle.ORACLES.keys(),
    oracle_place="ORACLES of tests/oracles/clusters.py",
    cases=CASES,
    unit="part",
    tables=tables,
    evaluate=evaluate,
    variants=variants,
    oracle=expected,
    renamings={
        "text": Renaming(("label", "cluster_id"), turned),
        "clusters are numbers": Renaming(("cluster_id",), numbered, pl.Int64),
        "categories": Renaming(("label",), turned, pl.Enum),
    },
    grouped="clusters",
    weight="weight",
    item="item_id",
    singletons="cluster_id",
)
SUITES = (CLUSTERS,)
DEFINITIONS = CLUSTERS.definitions
ALL = CLUSTERS.measures("text")
