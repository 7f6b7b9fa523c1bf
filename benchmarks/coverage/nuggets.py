"""Correlations of the steps from retrieval to answers."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import polars as pl

import ireval_frames as ir
from benchmarks.coverage.studies import Covered, covers, ends, study

SUBJECT = "Nuggets"
SOME = 400
NUGGETS = 10


def _chain(rng: np.random.Generator, repetitions: int, queries: int) -> ir.nuggets.Chain:
    """Queries of ten nuggets, each with a passage of its own; hard queries retrieve few, and answers state most."""
    shape = (repetitions, queries, NUGGETS)
    ease = rng.beta(2, 2, (repetitions, queries, 1))
    found = rng.random(shape) < ease
    stated = rng.random(shape) < np.where(found, 0.8, 0.1)
    draw, query, nugget = (v.ravel() for v in np.indices(shape))
    ids = {"run_id": draw, "query_id": query, "nugget_id": nugget}
    rows = pl.DataFrame({**ids, "found": found.ravel(), "stated": stated.ravel()})
    label = pl.when("stated").then(pl.lit("support")).otherwise(pl.lit("not_support"))
    nuggets = rows.select("query_id", "nugget_id", importance=pl.lit("vital")).unique()
    answers = rows.select("run_id", "query_id", "nugget_id", label=label)
    labels = rows.select("query_id", "nugget_id", doc_id="nugget_id", label=pl.lit("support")).unique()
    # A passage without nuggets, so that no list is empty.
    other = rows.select("run_id", "query_id", doc_id=pl.lit(NUGGETS, pl.Int64)).unique()
    lists = pl.concat([rows.filter("found").select("run_id", "query_id", doc_id="nugget_id"), other])
    run = lists.with_columns(rank=pl.col("doc_id") + 1)
    passages = ir.Nuggets(nuggets, labels, run="doc_id")
    return ir.nuggets.chain(ir.Nuggets(nuggets, answers), passages, run)


@study(SUBJECT)
def effects(repetitions: int, seed: int) -> Iterator[Covered]:
    """The share of nuggets in retrieved passages with that in answers; the truth is that of very many queries."""
    rng = np.random.default_rng([seed, 42])
    many, chain = _chain(rng, 1, 20_000), _chain(rng, min(repetitions, SOME), 40)
    for method in ("spearman", "pearson"):
        truth = many.effects(method=method).filter(earlier="retrieved")["correlation"].item()
        table = chain.effects(method=method).filter(earlier="retrieved")
        name = f"chain(…).effects(method={method!r})"
        yield Covered(
            name, "correlation of retrieved and answered", "40 queries of 10 nuggets", covers(*ends(table), truth)
        )
