"""Samples of strata, which are ranges of the best rank of documents."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from ireval_frames.engines.base import Engine
from ireval_frames.engines.frame import Frame
from ireval_frames.expr import Expr, col, concat_str, lit, when

# Products such as 0.1 · 30 are not exact.
EPSILON = 1e-9


def drawn(documents: Frame, strata: Sequence[tuple[int, float]], seed: int, engine: Engine) -> Frame:
    """With stratum, iprob, and whether a document is `drawn`.

    Of the N documents of a query and stratum n = max(1, ⌊rate · N + ½⌋) are drawn without replacement: those with the
    smallest hashes of query, document and seed.  Each has the inclusion probability n / N.
    """
    stratum: Expr = lit(len(strata))
    for number, (last, _) in reversed(list(enumerate(strata[:-1], start=1))):
        stratum = when(col("best_rank") <= last).then(lit(number)).otherwise(stratum)
    rate: Expr = lit(strata[-1][1])
    for number, (_, share) in enumerate(strata[:-1], start=1):
        rate = when(col("stratum") == number).then(lit(share)).otherwise(rate)
    # A blank separates text ids of files, in which none has one.
    key = concat_str(*(col(c).cast(pl.String) for c in ("query_id", "doc_id")), separator=" ")
    rows = documents.with_columns(stratum=stratum.cast(pl.Int64), key=key)
    rows = engine.hashed(rows, "key", seed, "hash")
    within = ("query_id", "stratum")
    rows = rows.with_columns(
        of=col("doc_id").count().over(*within).cast(pl.Float64),
        place=col("doc_id").cum_count().over(*within, order_by=("hash", "doc_id")).cast(pl.Float64),
    )
    rows = rows.with_columns(size=(rate * col("of") + (0.5 + EPSILON)).floor().clip(1.0))
    return rows.with_columns(iprob=col("size") / col("of"), drawn=col("place") <= col("size"))
