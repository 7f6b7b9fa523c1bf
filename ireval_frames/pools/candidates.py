"""The documents that runs retrieve and that nobody judged, with what a pool knows of each."""

from __future__ import annotations

from typing import Any

import polars as pl

from ireval_frames.columns.schema import QRELS, RUN
from ireval_frames.columns.user_names import Columns, TableNames
from ireval_frames.engines.base import Aggregate, Engine
from ireval_frames.engines.frame import Frame
from ireval_frames.expr import Expr, col, lit, when
from ireval_frames.fusion.reciprocal import summed_reciprocal_ranks
from ireval_frames.items.inputs import same_kinds
from ireval_frames.judgments import KEYS, read_judgments, require_common
from ireval_frames.pools.options import PoolOptions
from ireval_frames.runs import Runs

# Larger than the number of runs.
MANY = 2.0**20


class Candidates:
    """The ranked runs, and the documents that are judged already.

    Args:
        runs: as the user hands them in.
        qrels: the judgments there are, or None.
        engine: where the pool is computed.
        options: how deep the runs are read, and in which order.
        columns: the user's names of columns.

    Attributes:
        ranked: the rows of the runs, with ranks.
        judged: the judged documents, or None; negative grades, and null, are no judgments.
    """

    def __init__(self, runs: Any, qrels: Any, engine: Engine, options: PoolOptions, columns: Columns | None) -> None:
        names = TableNames(columns, {"run": (RUN,), "qrels": (QRELS,)})
        self.engine, self._options = engine, options
        of_runs = Runs(runs, engine, names.of("run"), options.ties)
        rows = of_runs.frame
        self.judged: Frame | None = None
        if qrels is not None:
            judgments = read_judgments(qrels, engine, names)
            rows, judgments = same_kinds({"run": rows, "qrels": judgments}, {c: c for c in KEYS})
            self.judged = judgments
            require_common(rows, judgments, engine)
        names.check_used()
        self.ranked = of_runs.ranked(rows, options.lowest_rank)

    def documents(self) -> Frame:
        """query_id doc_id n_runs best_rank value: what nobody judged; the smallest value is judged first."""
        rank = col("rank").cast(pl.Float64)
        aggregates = [Aggregate("n_runs", "count", lit(1.0)), Aggregate("best_rank", "min", col("rank"))]
        method = self._options.method
        if method == "rrf":
            aggregates.append(summed_reciprocal_ranks(rank, self._options.k))
        elif method == "mean-rank":
            first = when(col("rank") == 1).then(1.0).otherwise(0.0)
            aggregates += [
                Aggregate("ranks", "sum", rank), Aggregate("last", "max", rank), Aggregate("firsts", "sum", first),
            ]  # fmt: skip
        documents = self.ranked.grouped(KEYS, aggregates)
        if method == "rrf":
            documents = documents.with_columns(value=-col("score"))
        elif method == "mean-rank":
            missing = col("last").max().over("query_id") + 1.0
            of_query = {"missing": missing, "of": col("firsts").sum().over("query_id")}
            mean = (col("ranks") + (col("of") - col("n_runs")) * col("missing")) / col("of")
            documents = documents.with_columns(**of_query).with_columns(mean_rank=mean).with_columns(value="mean_rank")
        else:
            documents = documents.with_columns(value=col("best_rank").cast(pl.Float64) * MANY - col("n_runs"))
        known = [c for c in ("score", "mean_rank") if c in documents.columns]
        counts: dict[str, Expr] = {c: col(c).cast(pl.Int64) for c in ("n_runs", "best_rank")}
        return self._unjudged(documents).select(*KEYS, **counts, **{c: col(c) for c in (*known, "value")})

    def _unjudged(self, documents: Frame) -> Frame:
        if self.judged is None:
            return documents
        judged = self.judged.select(*KEYS).unique().with_columns(judged=lit(1))
        return self.engine.join(documents, judged, KEYS, "left").filter(col("judged").is_null())
