"""Small tables of points, made at random from a seed: a group for every shape that could make a measure differ."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import Any

import polars as pl

from tests.oracles.points import Point, point

SHAPES = (
    "blobs", "far", "grid", "one_cluster", "singletons", "one_point", "two_points", "coincident",
    "coincident_clusters", "same_centroids",
    "flat", "collinear", "outlier", "tiny", "unbalanced", "two_apart", "mixed", "many_clusters",
)  # fmt: skip
# Names that a careless reader takes for numbers or missing values.
WORDS = ("007", "7", "NA", "null", "Zebra", "apple", "Äpfel", "émile", "10", "9", "-1", "'q'")
WEIGHTS = (1.0, 2.0, 1.0, 3.0, 1.0, 4.0, 0.0)
# One is named as a column of ours is.
FEATURES = ("height", "X1", "x0")
FAR = 1e6

Row = tuple[tuple[float, ...], Any, float]


@dataclass
class Case:
    """Rows of (coordinates, cluster, weight) by group."""

    groups: dict[str, list[Row]] = field(default_factory=dict)
    cluster_type: Any = pl.String
    weighted: bool = True
    _points: dict[str, list[Point]] = field(default_factory=dict, init=False, repr=False, compare=False)

    def points(self, group: str) -> list[Point]:
        """A group's rows as the oracle takes them, the same ones every time."""
        if group not in self._points:
            self._points[group] = [
                point(x, c, w if self.weighted else 1, f"{group} {i}") for i, (x, c, w) in enumerate(self.groups[group])
            ]
        return self._points[group]

    def frame(self) -> pl.DataFrame:
        """All rows."""
        rows = [(g, f"{g} {i}", c, *x, w) for g, own in self.groups.items() for i, (x, c, w) in enumerate(own)]
        types = {
            "part": pl.String,
            "item": pl.String,
            "group": self.cluster_type,
            **dict.fromkeys(FEATURES, pl.Float64),
            "weight": pl.Float64,
        }
        frame = pl.DataFrame(rows, schema=types, orient="row")
        return frame if self.weighted else frame.drop("weight")


def make_case(seed: int, *, integers: bool = False, weighted: bool = True) -> Case:
    """A group of every shape.

    Args:
        seed: of the random numbers.
        integers: clusters are numbers, −1 among them.
        weighted: points have weights.
    """
    rng = random.Random(seed)
    names: list[Any] = list(range(-1, 11)) if integers else list(WORDS)
    case = Case({}, pl.Int64 if integers else pl.String, weighted)
    for number, shape in enumerate(SHAPES):
        rows = _rows(rng, shape, rng.sample(names, len(names)))
        case.groups[f"{number:02d} {shape}"] = [
            (x, c, rng.choice(WEIGHTS[:-1] if len(rows) < 3 else WEIGHTS)) for x, c in rows
        ]
    return case


def _near(rng: random.Random, place: tuple[float, ...], spread: float = 1.0) -> tuple[float, ...]:
    return tuple(rng.gauss(p, spread) for p in place)


def _places(rng: random.Random, k: int) -> list[tuple[float, ...]]:
    return [tuple(rng.uniform(1, 9) for _ in FEATURES) for _ in range(k)]


def _rows(rng: random.Random, shape: str, names: list[Any]) -> list[tuple[tuple[float, ...], Any]]:  # noqa: PLR0912
    places = _places(rng, 3)

    def blobs(sizes: tuple[int, ...], spread: float = 1.0) -> list[tuple[tuple[float, ...], Any]]:
        return [(_near(rng, places[k], spread), names[k]) for k, size in enumerate(sizes) for _ in range(size)]

    match shape:
        case "far":
            return [(tuple(FAR + v for v in x), c) for x, c in blobs((6, 5, 7))]
        case "grid":
            return [(tuple(float(rng.randint(1, 3)) for _ in FEATURES), names[rng.randrange(3)]) for _ in range(16)]
        case "one_cluster":
            return blobs((7,))
        case "singletons":
            return [(x, names[i]) for i, (x, _) in enumerate(blobs((3, 4)))]
        case "one_point":
            return blobs((1,))
        case "two_points":
            return blobs((2,))
        case "coincident":
            return [((0.1, 0.2, 0.7), names[i % 3]) for i in range(7)]
        case "coincident_clusters":
            return [(((0.1, 0.2, 0.7), (0.3, 0.1, 1.1), (2.3, 0.9, 0.1))[i % 3], names[i % 3]) for i in range(10)]
        case "same_centroids":
            around = [(1.0, 0.0, 0.5), (-1.0, 0.0, -0.5), (0.0, 2.0, 0.1), (0.0, -2.0, -0.1)]
            return [(tuple(3.3 + v for v in x), names[i // 2]) for i, x in enumerate(around)]
        case "flat":
            return [((x, 4.4, z), c) for (x, _, z), c in blobs((5, 6))]
        case "collinear":
            steps = [rng.randint(1, 64) / 8 for _ in range(12)]
            return [((t, 2 * t + 1, 3 * t), names[int(t > 4)]) for t in steps]
        case "outlier":
            return [*blobs((6, 6)), ((FAR, -FAR, FAR), names[0])]
        case "tiny":
            return [(tuple(v * 1e-6 for v in x), c) for x, c in blobs((6, 5, 4))]
        case "unbalanced":
            return blobs((16, 1, 3))
        case "two_apart":
            return blobs((5, 5), 0.001)
        case "mixed":
            return [(x, rng.choice(names[:3])) for x, _ in blobs((6, 6, 6))]
        case "many_clusters":
            return [(x, names[i % 9]) for i, (x, _) in enumerate(blobs((8, 8, 8)))]
    return blobs((6, 7, 5))
