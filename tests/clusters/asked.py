"""Every measure of clusterings with many values of its parameters, and what the oracles say of them."""

from __future__ import annotations

from typing import Any

import polars as pl

import ireval_frames as ir
from ireval_frames.declaration import Definition, Measure
from tests.clusters.worlds import World, world
from tests.contract.kit import Frames, Kind, Renamed, Values, alone
from tests.oracles import clusters as oracle

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
    # Others do not go together with the measure.
    "AMI.normalizer": ("geometric", "min", "max"),
    "ClusterF.over": ("clusters",),
    "BCubedF.over": ("items",),
}
# They take whole weights alone; others are shares of any weights.
WORLDS = {"text": world(1), "integers": world(2, runs=2, weighted=False, integers=True)}


def variants(definition: Definition, _: World | None = None) -> list[Measure]:
    """The measure with its defaults, and with each parameter changed alone."""
    return alone(definition, TRIED, "TRIED of tests/clusters/asked.py")


def tables(made: World, _: Any = None) -> Frames:
    return {"clusters": made.frame()}


def evaluate(_: World, frames: Frames, measures: Any, engine: str, **options: Any) -> ir.Evaluation:
    return ir.Clusters(frames["clusters"], **({"unit": "part", "engine": engine} | options)).evaluate(measures)


def expected(made: World, measure: Measure) -> Values:
    """What the oracle says of every run and unit."""
    arguments = measure.arguments()
    return {
        (str(measure), run, unit): oracle.value(measure.name, items, **arguments)
        for run, units in made.units.items()
        for unit, items in units.items()
    }


def turned(old: list[Any]) -> dict[Any, Any]:
    """Other text, in another order."""
    return {name: f"{len(old) - i:03d} {name}"[::-1] for i, name in enumerate(old)}


def numbered(old: list[Any]) -> dict[Any, Any]:
    """Numbers in another order, −1 among them."""
    return {name: 7 * i % len(old) - 1 if len(old) % 7 else -i for i, name in enumerate(old)}


CLUSTERS = Kind(
    name="clusters",
    family="clusters",
    oracles=oracle.ORACLES.keys(),
    oracle_place="ORACLES of tests/oracles/clusters.py",
    worlds=WORLDS,
    unit="part",
    tables=tables,
    evaluate=evaluate,
    variants=variants,
    oracle=expected,
    renamed={
        "text": Renamed(("label", "cluster_id"), turned),
        "clusters are numbers": Renamed(("cluster_id",), numbered, pl.Int64),
        "categories": Renamed(("label",), turned, pl.Enum),
    },
    grouped="clusters",
    weight="weight",
    item="item_id",
    alone="cluster_id",
)
KINDS = (CLUSTERS,)
DEFINITIONS = CLUSTERS.definitions
ALL = CLUSTERS.asked("text")
