"""Small tables of timings, made at random from a seed: a unit for every shape that could make a measure differ."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import Any

import polars as pl

from tests.oracles.timings import Conventions, Request

SHAPES = ("mixed", "one", "two", "ties", "failures", "all_failed", "zero", "long_tail", "instant", "twenty")
MS = 1 / 1024


@dataclass
class Case:
    """Requests by run and unit."""

    units: dict[Any, dict[Any, list[Request]]] = field(default_factory=dict)
    conventions: Conventions = field(default_factory=Conventions)
    weighted: bool = False

    @property
    def policy(self) -> dict[str, str]:
        c = self.conventions
        return {"failures": c.failures, "repetitions": c.repetitions, "since": c.since}

    def frame(self) -> pl.DataFrame:
        rows = [
            (run, part, r.query, r.repetition, r.seconds, r.started, r.scheduled, not r.failed, r.cost, float(r.weight))
            for run, units in self.units.items()
            for part, requests in units.items()
            for r in requests
        ]
        columns = [
            "run_id",
            "part",
            "query_id",
            "repetition",
            "seconds",
            "started",
            "scheduled",
            "status",
            "cost",
            "weight",
        ]
        text, number = dict.fromkeys(columns[:3], pl.String), pl.Float64
        types = {**text, "repetition": pl.Int64, **dict.fromkeys(columns[4:], number), "status": pl.Boolean}
        frame = pl.DataFrame(rows, schema=types, orient="row")
        frame = frame if self.weighted else frame.drop("weight")
        return frame.drop("scheduled") if frame["scheduled"].null_count() else frame


def make_case(
    seed: int,
    conventions: Conventions,
    *,
    runs: int = 1,
    repetitions: int = 1,
    weighted: bool = False,
    scheduled: bool = False,
) -> Case:
    rng = random.Random(seed)
    case = Case({f"run{i}": {} for i in range(runs)}, conventions, weighted)
    for i, shape in enumerate(SHAPES):
        for units in case.units.values():
            units[f"{i:02d} {shape}"] = [
                _request(rng, shape, q, repetition, weighted=weighted, scheduled=scheduled)
                for q in range({"one": 1, "two": 2, "twenty": 20}.get(shape, rng.randint(5, 11)))
                for repetition in range(1, repetitions + 1)
            ]
    return case


def _request(rng: random.Random, shape: str, q: int, repetition: int, *, weighted: bool, scheduled: bool) -> Request:
    # Multiples of a power of two: sums and differences are exact, and ties are ties.
    seconds = rng.randint(1, 60) * MS
    if shape == "ties":
        seconds = rng.choice((8, 16)) * MS
    elif (shape == "zero" and q == 0) or shape == "instant":
        seconds = 0.0
    elif shape == "long_tail" and q == 1:
        seconds = 4096 * MS
    has_failed = shape == "all_failed" or (shape == "failures" and rng.random() < 0.3)
    started = 0.0 if shape == "instant" else rng.randint(0, 500) * MS
    return Request(
        f"q{q}",
        seconds,
        started,
        started - rng.choice((0, 0, 5, 40)) * MS if scheduled else None,
        has_failed,
        rng.randint(0, 9) / 8,
        rng.choice((1, 1, 2, 3, 0)) if weighted else 1,
        repetition,
    )
