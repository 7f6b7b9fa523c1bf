"""Small logs and runs."""

from __future__ import annotations

import random

import polars as pl

from tests.clicks.counterfactual.oracle import Case, Shown

SCHEMA = {
    "serp_id": pl.Int64,
    "query_id": pl.String,
    "doc_id": pl.String,
    "position": pl.Int64,
    "click": pl.Int64,
    "user_id": pl.String,
    "weight": pl.Float64,
}


def make_case(seed: int, *, weighted: bool = False) -> Case:
    """Three queries of the log, of which the run lacks one; pages of unequal length, one of them empty."""
    rng = random.Random(seed)
    docs = [f"d{i}" for i in range(6)]
    rows = []
    for serp in range(40):
        query, user = rng.choice(["a", "b", "c"]), rng.choice("uvwxyz")
        weight = rng.choice([1.0, 2.0, 0.5]) if weighted else 1.0
        shown = rng.sample(docs, rng.randint(1, 4)) if serp else []
        rows += [
            Shown(serp, query, d, i, int(rng.random() < 0.6 / i), user, weight) for i, d in enumerate(shown, 1)
        ] or [Shown(serp, query, None, 0, 0, user, weight)]
    run = {q: tuple(rng.sample([*docs, "never"], 5)) for q in ("a", "b", "elsewhere")}
    return Case(
        tuple(rows),
        run,
        {k: 1.0 / k for k in range(1, 5)},
        {k: 0.9 / k for k in range(1, 5)},
        dict.fromkeys(range(1, 5), 0.05),
    )


def log_of(case: Case) -> pl.DataFrame:
    """The log as a table."""
    rows = [(s.serp, s.query, s.doc, s.position if s.doc else None, s.click, s.user, s.weight) for s in case.log]
    frame = pl.DataFrame(rows, schema=SCHEMA, orient="row")
    return frame.with_columns(locale=pl.when(pl.col("serp_id") % 2 == 0).then(pl.lit("en")).otherwise(pl.lit("de")))


def run_of(case: Case) -> pl.DataFrame:
    """The run as a table."""
    rows = [(q, d, -float(i)) for q, docs in case.run.items() for i, d in enumerate(docs)]
    return pl.DataFrame(rows, schema=["query_id", "doc_id", "score"], orient="row")


def positions_of(case: Case) -> pl.DataFrame:
    """What is known of positions as a table."""
    places = list(case.propensity)
    columns = {n: [getattr(case, n)[k] for k in places] for n in ("propensity", "alpha", "beta")}
    return pl.DataFrame({"position": places, **columns})
