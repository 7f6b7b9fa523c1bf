"""Small sets of queries with nuggets: every shape that could make a measure differ."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any

import polars as pl

from tests.oracles.nuggets import Answered, Conventions, Nugget

LABELS = ("support", "partial_support", "not_support")


@dataclass(frozen=True)
class Case:
    """Queries by run; the nuggets of a query are the same in all runs, their labels differ."""

    runs: dict[str, dict[str, Answered]]
    policy: str = ""
    judges: bool = False
    tries: str = "all"
    """The variants of measures that are tried: all, or few."""

    @property
    def conventions(self) -> Conventions:
        """What the policy says."""
        if self.policy == "nuggetizer":
            return Conventions("0", "skip", "skip", "not_support")
        return Conventions(**dict(part.split("=") for part in self.policy.split(",") if part))

    def nuggets(self) -> pl.DataFrame:
        """The table of nuggets."""
        rows = [
            (name, i, n.importance, n.weight)
            for name, query in next(iter(self.runs.values())).items()
            for i, n in enumerate(query.nuggets)
        ]
        schema = {"query_id": pl.String, "nugget_id": pl.Int64, "importance": pl.String, "weight": pl.Float64}
        return pl.DataFrame(rows, schema=schema, orient="row")

    def assignments(self) -> pl.DataFrame:
        """The table of labels."""
        rows = [
            (run, name, i, label, f"j{j}")
            for run, queries in self.runs.items()
            for name, query in queries.items()
            for i, n in enumerate(query.nuggets)
            for j, label in enumerate(n.labels)
        ]
        names = ["run_id", "query_id", "nugget_id", "label", "judge"]
        schema: dict[str, Any] = {n: pl.Int64 if n == "nugget_id" else pl.String for n in names}
        frame = pl.DataFrame(rows, schema=schema, orient="row")
        return frame if self.judges else frame.drop("judge")

    def answers(self) -> pl.DataFrame:
        """The table of answers."""
        rows = [
            (run, name, query.length)
            for run, queries in self.runs.items()
            for name, query in queries.items()
            if query.exists
        ]
        return pl.DataFrame(
            rows, schema={"run_id": pl.String, "query_id": pl.String, "length": pl.Float64}, orient="row"
        )


def make_case(seed: int, policy: str = "", *, judges: int = 1, failed: bool = False, tries: str = "few") -> Case:
    """Queries without answers, without vital nuggets, without labels, and with answers of all lengths."""
    rng = random.Random(seed)
    labels = (*LABELS, "failed") if failed else LABELS
    importance = ("vital", "okay", "failed") if failed else ("vital", "okay")
    own = {
        f"q{q:02d}": [
            (rng.choice(importance) if q % 5 else "okay", rng.choice([0.0, 0.25, 0.5, 1.0]) if q % 7 else 0.0)
            for _ in range(1 + q % 6)
        ]
        for q in range(24)
    }

    def answered(q: int, nuggets: list[tuple[str, float]]) -> Answered:
        exists = q % 6 != 1
        return Answered(
            [Nugget(*n, labels=_labels(rng, labels, judges) if exists and q % 8 else ()) for n in nuggets],
            rng.choice([0.0, 50.0, 100.0, 250.0, 999.0]) if exists else 0.0,
            exists,
        )

    return Case({
        run: {name: answered(i + shift, nuggets) for i, (name, nuggets) in enumerate(own.items())}
        for run, shift in (("one", 0), ("two", 1))
    }, policy, judges > 1, tries)  # fmt: skip


def _labels(rng: random.Random, labels: tuple[str, ...], judges: int) -> tuple[str, ...]:
    """The labels of one judge or of several, sometimes of none."""
    return tuple(rng.choice(labels) for _ in range(rng.choice([0, 1, judges, judges])))
