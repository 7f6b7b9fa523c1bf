"""Small tables of ratings, made at random from a seed: a group for every shape that could make a measure differ."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import polars as pl

from tests.oracles.ratings import Group

SHAPES = (
    "gaps", "complete", "two_raters", "one_rater", "one_rating_each", "all_equal", "perfect", "opposed", "one_unit",
    "strangers", "equal_units", "two_categories", "many_raters", "nulls", "nothing",
)  # fmt: skip
RATERS = ("ann", "Bob", "007", "zoë", "d 1", "'q'")


@dataclass
class Case:
    """Rows of (unit, rater, rating) and weights of units, by group."""

    pool: Sequence[Any]
    level: str = "nominal"
    scale: Sequence[Any] | None = None
    weighted: bool = True
    distances: Mapping[tuple[Any, Any], float] | None = None
    rows: dict[str, list[tuple[str, str, Any]]] = field(default_factory=dict)
    weights: dict[tuple[str, str], int] = field(default_factory=dict)

    def frame(self) -> pl.DataFrame:
        """All rows."""
        dtype = pl.String if isinstance(self.pool[0], str) else pl.Float64
        table = pl.DataFrame(
            [(g, u, r, x, float(self.weights[g, u])) for g, rows in self.rows.items() for u, r, x in rows],
            schema={"part": pl.String, "item_id": pl.String, "rater_id": pl.String, "rating": dtype, "weight": float},
            orient="row",
        )
        return table if self.weighted else table.drop("weight")

    def group(self, name: str) -> Group:
        """What the oracles read of a group: each unit as often as its weight says."""
        units: dict[str, dict[str, Any]] = {}
        for unit, rater, rating in self.rows[name]:
            if rating is not None:
                units.setdefault(unit, {})[rater] = rating
        copies = [u for k, u in units.items() for _ in range(self.weights[name, k] if self.weighted else 1)]
        return Group(copies, self.level, self.scale, self.distances)


def make_case(seed: int, pool: Sequence[Any], **more: Any) -> Case:
    """Groups of all shapes."""
    rng = random.Random(seed)
    result = Case(pool, **more)
    for shape in SHAPES:
        result.rows[shape] = list(_rows(rng, shape, pool))
        result.weights |= {(shape, u): rng.choice((1, 1, 2, 3, 0)) for u, _, _ in result.rows[shape]}
    return result


def _rows(rng: random.Random, shape: str, pool: Sequence[Any]) -> Any:
    sizes = {"one_unit": 1, "complete": 6, "many_raters": 9, "nothing": 2}
    raters = {"two_raters": RATERS[:2], "one_rater": RATERS[:1], "opposed": RATERS[:2], "many_raters": RATERS}
    full = ("complete", "two_raters", "perfect", "opposed", "all_equal", "equal_units", "one_unit", "one_rater")
    for i in range(sizes.get(shape, 7)):
        own = raters.get(shape, RATERS[:4])
        if shape not in full:
            own = tuple(r for r in own if rng.random() < 0.7) or own[:1]
        own = own[:1] if shape == "one_rating_each" else (own[i % len(own)],) if shape == "strangers" else own
        # Most ratings are near to what the unit is.
        truth = rng.randrange(len(pool))
        for j, rater in enumerate(own):
            near = truth if rng.random() < 0.6 else rng.randrange(len(pool))
            rating: Any = pool[near]
            if shape in ("all_equal", "nothing"):
                rating = pool[0] if shape == "all_equal" else None
            elif shape == "perfect":
                rating = pool[truth]
            elif shape == "opposed":
                rating = pool[0] if (i + j) % 2 else pool[-1]
            elif shape == "equal_units":
                rating = pool[j % len(pool)]
            elif shape == "two_categories":
                rating = pool[near % 2]
            elif shape == "nulls" and rng.random() < 0.3:
                rating = None
            yield f"{shape} {i}", rater, rating
