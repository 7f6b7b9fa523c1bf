"""What runs did on judged queries: where relevant documents stood in their lists, and in which fold each query is."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import polars as pl

from ireval_frames.columns.user_names import TableNames
from ireval_frames.engines.base import Aggregate
from ireval_frames.errors import Argument, Hint, InvalidParameter, OverlapWarning, warn
from ireval_frames.expr import col, lit
from ireval_frames.fusion.lists import Lists
from ireval_frames.fusion.options import FusionOptions
from ireval_frames.items.inputs import same_kinds
from ireval_frames.judgments import KEYS, read_judgments, require_common
from ireval_frames.splits.folds import by_query

# The fold of all queries where there is one training for all.
NO_FOLD = 0


@dataclass(frozen=True)
class Training:
    """Runs beside judgments, collected.

    Attributes:
        hits: run_id, query_id, rank of relevant documents.
        sizes: run_id, query_id, n: the lengths of all lists.
        relevant: query_id, relevant: how many relevant documents each query of the runs has that has one.
        candidates: query_id, candidates: of these, how many documents some run has, and retrieved, the relevant ones.
        judgments: query_id, doc_id, relevance.
        options: how the fusion learns.
    """

    hits: pl.DataFrame
    sizes: pl.DataFrame
    relevant: pl.DataFrame
    candidates: pl.DataFrame
    judgments: pl.DataFrame
    options: FusionOptions

    @property
    def fold_numbers(self) -> list[int]:
        """The folds that queries are fused in."""
        return list(range(self.options.folds or 1))

    @cached_property
    def folds(self) -> pl.DataFrame:
        """query_id, fold of all queries of the runs, by the portable hash of `ir.splits.by_query`."""
        queries = self.sizes.select("query_id").unique().sort("query_id")
        if self.options.folds is None:
            return queries.with_columns(fold=pl.lit(NO_FOLD, pl.Int64))
        return pl.DataFrame(by_query(queries, self.options.folds, seed=self.options.seed))

    @cached_property
    def judged(self) -> pl.DataFrame:
        """query_id, fold of the queries with relevant documents, from which others learn."""
        return self.folds.join(self.relevant.select("query_id"), on="query_id").sort("query_id")

    def other_folds(self, rows: pl.DataFrame) -> pl.DataFrame:
        """The rows of judged queries once for every fold that learns from them: all but their own."""
        target = pl.DataFrame({"target": self.fold_numbers})
        rows = rows.join(self.judged, on="query_id").join(target, how="cross")
        if self.options.folds is not None:
            rows = rows.filter(pl.col("fold") != pl.col("target"))
        return rows.drop("fold").rename({"target": "fold"})

    @cached_property
    def n_queries(self) -> pl.DataFrame:
        """fold, n_queries: from how many queries each fold learns."""
        return (
            self.other_folds(self.judged.select("query_id"))
            .group_by("fold", maintain_order=True)
            .agg(n_queries=pl.len())
        )

    def check(self) -> None:
        """Refuse folds that learn from no query, and warn where queries learn from themselves.

        Raises:
            InvalidParameter: there are too few judged queries.
        """
        n = self.judged.height
        if set(self.n_queries["fold"]) != set(self.fold_numbers):
            raise InvalidParameter(
                f"Only {n} queries of the runs have relevant documents, and all are in one of {self.options.folds} "
                "folds, which would learn from nothing.",
                Hint("Learn from all of them, for other queries: ", Argument("folds", None, option=("folds", 0)), "."),
            )
        if self.options.folds is None:
            warn(
                f"The {n} judged queries are fused by what they taught themselves, and look better than others.",
                OverlapWarning,
            )


def training(lists: Lists, qrels: Any, names: TableNames, options: FusionOptions) -> Training:
    """Collect what runs did on judged queries.

    Raises:
        NothingInCommon: no query is judged.
    """
    engine = lists.engine
    rows, judgments = same_kinds(
        {"run": lists.with_ranks(), "qrels": read_judgments(qrels, engine, names)}, {c: c for c in KEYS}
    )
    names.check_used()
    lists.ranked.check()
    require_common(rows, judgments, engine)
    largest = engine.group(judgments, KEYS, [Aggregate("relevance", "max", col("relevance").cast(pl.Float64))])
    collected = engine.collect(largest)
    relevant = largest.filter(col("relevance") >= lit(options.rel)).select(*KEYS)
    hits = engine.collect(engine.join(rows, relevant, KEYS, "inner").select("run_id", *KEYS, "rank"))
    sizes = engine.collect(rows.count_by("run_id", "query_id"))
    documents = rows.select(*KEYS).unique().count_by("query_id")
    candidates = engine.collect(documents).rename({"n": "candidates"})
    retrieved = hits.select(KEYS).unique().group_by("query_id", maintain_order=True).agg(retrieved=pl.len())
    candidates = candidates.join(retrieved, on="query_id", how="left").with_columns(pl.col("retrieved").fill_null(0))
    of_queries = (
        collected.group_by("query_id", maintain_order=True)
        .agg(relevant=(pl.col("relevance") >= options.rel).sum())
        .filter(pl.col("relevant") > 0)
        .join(sizes.select("query_id").unique(), on="query_id")
    )
    out = Training(hits.drop("doc_id"), sizes, of_queries, candidates, collected, options)
    out.check()
    return out
