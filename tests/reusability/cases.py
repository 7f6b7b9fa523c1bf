"""Random pools: runs of groups, and judgments of what they retrieved first."""

from __future__ import annotations

import random
from dataclasses import dataclass

import polars as pl

from tests.oracles.pool_bias import Groups, Qrels, Runs


@dataclass(frozen=True)
class Case:
    """A pool, as plain mappings and as tables."""

    qrels: Qrels
    runs: Runs
    groups: Groups

    @property
    def judgments(self) -> pl.DataFrame:
        rows = [(q, d, g) for q, of in self.qrels.items() for d, g in of.items()]
        return pl.DataFrame(rows, schema=["query_id", "doc_id", "relevance"], orient="row")

    def table(self, names: set[str] | None = None) -> pl.DataFrame:
        """The runs, of these names or all, in no order."""
        rows = [
            (run, self.groups[run], q, d, -float(i))
            for run, lists in self.runs.items()
            if names is None or run in names
            for q, documents in lists.items()
            for i, d in enumerate(documents)
        ]
        frame = pl.DataFrame(rows, schema=["run_id", "team", "query_id", "doc_id", "score"], orient="row")
        return frame.sample(fraction=1.0, shuffle=True, seed=1)


def case(seed: int, *, n_runs: int = 6, n_groups: int = 3, n_queries: int = 4) -> Case:
    """Judged are the first three documents of each list, some others, and some of the pool not; a query may lack."""
    rng = random.Random(seed)
    runs: Runs = {}
    for i in range(n_runs):
        lists = {f"q{q}": rng.sample([f"d{d}" for d in range(12)], rng.randint(3, 8)) for q in range(n_queries)}
        if rng.random() < 0.3:
            del lists["q0"]
        runs[f"r{i}"] = lists
    qrels: Qrels = {}
    for q in (f"q{q}" for q in range(n_queries)):
        pool = sorted({d for lists in runs.values() for d in lists.get(q, [])[:3]} | {"d0", "unseen"})
        qrels[q] = {d: float(rng.choice([0, 0, 1, 2, -1])) for d in pool}
    return Case(qrels, runs, {run: f"g{i % n_groups}" for i, run in enumerate(runs)})
