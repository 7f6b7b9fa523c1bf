"""Estimates from a sample of the judgments: how far they are from the values of complete judgments."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import polars as pl

import ireval_frames as ir
from benchmarks.coverage.studies import Covered, covers, study

SUBJECT = "Samples of judgments"
# What each measure estimates.
ESTIMATED = {"xinfAP": "AP", "infNDCG": "nDCG", "statAP": "AP", "infP@20": "P@20"}
FIRST_ORDER = "a first-order variance, which is too small where few relevant documents are judged"
FEW = "few of the first 20 documents are judged, and often all or none of these are relevant"


def _pools(rng: np.random.Generator, queries: int, sizes: tuple[int, ...], drawn: int) -> pl.DataFrame:
    """A pool and a run of each query: the strata have these sizes, and `sampled` are the grades of the sample.

    Of the first stratum all documents are judged, of the others as many as `drawn`.  A run orders the pool as the
    strata do, with errors of a fifth of its size.
    """
    shape = (queries, sum(sizes))
    query, doc = (v.ravel() for v in np.indices(shape))
    stratum = np.repeat(np.arange(len(sizes)), sizes)
    relevant = rng.random(shape) < 0.6 * np.exp(-6 * np.arange(shape[1]) / shape[1])
    score = -np.arange(shape[1]) + rng.normal(0, shape[1] / 5, shape)
    pool = pl.DataFrame(
        {
            "query_id": query,
            "doc_id": doc,
            "relevance": relevant.ravel().astype(np.int64),
            "stratum": np.tile(stratum, queries),
            "score": score.ravel(),
            "lot": rng.random(query.size),
        }
    )
    lot = pl.col("lot").rank("ordinal").over("query_id", "stratum")
    judged = (pl.col("stratum") == 0) | (lot <= drawn)
    return pool.with_columns(sampled=pl.when(judged).then("relevance").otherwise(-1))


@study(SUBJECT)
def sampled(repetitions: int, seed: int) -> Iterator[Covered]:
    """`sampling_intervals` of one query; the truth is the value of complete judgments."""
    rng = np.random.default_rng([seed, 43])
    for sizes, drawn in (((20, 400, 600), 50), ((20, 400, 600), 200), ((20, 40, 60), 20)):
        pool = _pools(rng, repetitions, sizes, drawn)
        run = pool.select("query_id", "doc_id", "score")
        complete = ir.evaluate(pool.select("query_id", "doc_id", "relevance"), run, sorted({*ESTIMATED.values()}))
        truth = complete.per_unit().select("query_id", "measure", truth="value")
        qrels = pool.select("query_id", "doc_id", "stratum", relevance="sampled")
        estimated = ir.evaluate(qrels, run, list(ESTIMATED)).sampling_intervals(per_unit=True)
        rows = estimated.with_columns(of=pl.col("measure").replace_strict(ESTIMATED)).join(
            truth, left_on=["query_id", "of"], right_on=["query_id", "measure"], validate="m:1"
        )
        for measure, of in ESTIMATED.items():
            own = rows.filter(measure=measure)
            hits = covers(*(own[c].fill_null(np.nan) for c in ("low", "high")), own["truth"])
            described = f"{drawn} judged in strata of {' and '.join(map(str, sizes[1:]))}"
            yield Covered(
                f"{measure}, sampling_intervals()", of, described, hits, remark=FEW if of == "P@20" else FIRST_ORDER
            )
