"""Small clusterings, made at random from a seed: a unit for every shape that could make a measure differ."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import Any

import polars as pl

from tests.oracles.clusters_items import Item

SHAPES = (
    "mixed", "same", "renamed", "one_cluster", "one_class", "one_of_each", "single_items", "single_classes",
    "single_both", "one_item",
    "two_items", "nearly", "gaps", "no_clusters", "no_classes", "many", "merged", "split", "crossed", "uneven",
)  # fmt: skip
WORDS = ("007", "7", "NA", "null", "Zebra", "apple", "Äpfel", "10", "9", "d 1", "'q'", "1:a")


@dataclass
class Case:
    """Rows of (class, cluster, weight) by run and unit."""

    units: dict[Any, dict[Any, list[Item]]] = field(default_factory=dict)
    weighted: bool = True
    types: tuple[Any, Any] = (pl.String, pl.String)

    def frame(self, run: Any = None) -> pl.DataFrame:
        """All rows, with a run_id unless one run is asked for."""
        rows = [
            (r, u, f"{u} {i}", m.label, m.cluster, float(m.weight))
            for r, units in self.units.items()
            if run in (None, r)
            for u, items in units.items()
            for i, m in enumerate(items)
        ]
        types = {
            "run_id": pl.String,
            "part": pl.String,
            "item_id": pl.String,
            "label": self.types[0],
            "cluster_id": self.types[1],
        }
        frame = pl.DataFrame(rows, schema={**types, "weight": pl.Float64}, orient="row")
        frame = frame if self.weighted else frame.drop("weight")
        return frame if run is None else frame.drop("run_id")


def make_case(seed: int, *, runs: int = 1, rounds: int = 1, weighted: bool = True, integers: bool = False) -> Case:
    """Units of all shapes in turn; with `integers` clusters are numbers, −1 among them, and classes are still text."""
    rng = random.Random(seed)
    case = Case({f"run{i}": {} for i in range(runs)}, weighted, (pl.String, pl.Int64 if integers else pl.String))
    pool: list[Any] = list(range(-1, 11)) if integers else list(WORDS)
    for number in range(rounds * len(SHAPES)):
        shape = SHAPES[number % len(SHAPES)]
        for units in case.units.values():
            labels, clusters = _sides(rng, shape, pool)
            weights = [rng.choice((1, 1, 1, 2, 3)) if weighted else 1 for _ in labels]
            units[f"{number:02d} {shape}"] = [Item(*row) for row in zip(labels, clusters, weights, strict=True)]
    return case


def _sides(rng: random.Random, shape: str, pool: list[Any]) -> tuple[list[Any], list[Any]]:  # noqa: PLR0912
    size = {"one_item": 1, "two_items": 2}.get(shape, rng.randint(6, 16))
    k = {"many": 8, "one_of_each": 1}.get(shape, rng.randint(2, 4))
    labels: list[Any] = [rng.choice(WORDS[:k]) for _ in range(size)]
    clusters: list[Any] = [rng.choice(pool[:k]) for _ in range(size)]
    single = list(range(size))
    names = dict(zip(WORDS, rng.sample(pool, len(WORDS)), strict=True))
    match shape:
        case "same" | "renamed":
            clusters = [names[a] for a in labels]
        case "one_cluster":
            clusters = [pool[0]] * size
        case "one_class":
            labels = [WORDS[1]] * size
        case "one_of_each":
            labels, clusters = [WORDS[0]] * size, [pool[3]] * size
        case "single_items":
            clusters = [None] * size
        case "single_classes":
            labels = [f"c{i}" for i in single]
        case "single_both":
            labels, clusters = [f"c{i}" for i in single], [None] * size
        case "nearly":
            clusters = [names[a] if rng.random() < 0.8 else b for a, b in zip(labels, clusters, strict=True)]
        case "gaps":
            clusters = [None if rng.random() < 0.4 else b for b in clusters]
            labels = [None if rng.random() < 0.2 else a for a in labels]
        case "no_clusters":
            clusters = [None] * size
        case "no_classes":
            labels = [None] * size
        case "merged":
            clusters = [pool[0] if a in WORDS[:2] else names[a] for a in labels]
        case "split":
            clusters = [pool[(WORDS.index(a) * 2 + rng.randint(0, 1)) % len(pool)] for a in labels]
        case "crossed":
            labels, clusters = [WORDS[i % 2] for i in range(size)], [pool[i // 2 % 2] for i in range(size)]
        case "uneven":
            labels = [WORDS[0] if i else WORDS[1] for i in range(size)]
    return labels, clusters
