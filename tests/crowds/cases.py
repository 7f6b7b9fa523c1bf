"""Answers of six raters of unequal skill."""

from __future__ import annotations

import random
from typing import Any

import polars as pl

LABELS = ("a", "b", "c")


def answers(seed: int = 3, labels: Any = LABELS, n: int = 30) -> pl.DataFrame:
    """Four answers of every unit, in no order."""
    rng, rows = random.Random(seed), []
    skills = [0.95, 0.8, 0.7, 0.6, 0.85, 0.4]
    for u in range(n):
        truth = rng.choice(labels)
        for r in rng.sample(range(6), 4):
            rows.append((f"u{u:02d}", f"r{r}", truth if rng.random() < skills[r] else rng.choice(labels)))  # noqa: PERF401
    return pl.DataFrame(rows, schema=["item_id", "rater_id", "rating"], orient="row").sample(
        fraction=1, shuffle=True, seed=1
    )


def by_unit(frame: pl.DataFrame) -> dict[str, list[tuple[str, str]]]:
    """Rater and label of each unit's answers."""
    out: dict[str, list[tuple[str, str]]] = {}
    for unit, rater, label in frame.sort("item_id", "rater_id").iter_rows():
        out.setdefault(unit, []).append((rater, label))
    return out
