"""`ir.pool`: which documents of runs are judged, and in which order."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import polars as pl

from ireval_frames.columns.user_names import Columns
from ireval_frames.engines.base import Engine
from ireval_frames.engines.frame import Frame
from ireval_frames.engines.inputs.frames import is_relation, is_spark_frame
from ireval_frames.engines.opening import open_engine
from ireval_frames.errors import Argument, Hint, InvalidParameter
from ireval_frames.expr import col, lit, when
from ireval_frames.judgments import KEYS
from ireval_frames.pools import strata as samples
from ireval_frames.pools.adaptive import AdaptivePool
from ireval_frames.pools.candidates import Candidates
from ireval_frames.pools.options import PoolOptions


def pool(
    runs: Any,
    method: str = "depth",
    depth: int = 100,
    *,
    qrels: Any = None,
    budget: int | None = None,
    total: int | None = None,
    strata: Mapping[int, float] | None = None,
    k: int = 60,
    seed: int = 0,
    ties: str = "trec_eval",
    batch: int = 1,
    beta: float = 0.1,
    rel: float = 1.0,
    credit: str = "chosen",
    resume: Any = None,
    columns: Columns | None = None,
    engine: str | Engine | None = None,
    con: Any = None,
) -> Any:
    """Which documents of several runs people should judge, and in which order.

    Args:
        runs: one table of runs (run_id, query_id, doc_id, score or rank), or files, each of them a run.
        method: "depth": every document among the first `depth` of a run, by its best rank; "stratified": samples of
            ranges of the best rank; "mean-rank": by the mean rank over the runs of the query, where a run without the
            document counts as one rank below the longest list; "rrf": by Σ 1/(k + rank).  These are known at once.  In
            adaptive ones the grades so far decide what comes next: "mtf" (move to front): a run is read on while its
            documents are relevant, then one with the fewest failures; "bandit": the run with the largest draw from
            Beta(1 + relevant, 1 + others) (Thompson sampling); "max-mean": the run with the largest mean of it;
            "hedge": the document with the largest sum of ½ ln((depth + 1)/rank), runs weighted by β to the power of
            their losses.
        depth: how deep runs are read; for "stratified" the last stratum says so.
        qrels: judgments that exist already, whose documents are left out; adaptive methods learn from them with
            "hedge" and `credit="all"`.  Negative grades are no judgments.
        budget: the largest number of documents of each query, the first ones.
        total: the largest number in all: the first of every query, then the second, and so on.
        strata: for "stratified", the last rank of each stratum and the share of its documents that is drawn, as in
            `{10: 1.0, 50: 0.5, 100: 0.1}`.
        k: the constant of "rrf".
        seed: of draws; they depend on it, the query and the document (or the place in the order) alone, and are the
            same on every engine.
        ties: how documents of equal score are ordered: "trec_eval" (descending ids), "doc_id" (ascending ids), or
            "rank" (by the run's own ranks, not by scores).
        batch: for adaptive methods, how many documents of each query come at once.
        beta: for "hedge", what the weight of a run is multiplied by for a loss of 1.
        rel: for adaptive methods, the lowest relevant grade.
        credit: for "bandit" and "max-mean", what a grade counts for: the "chosen" run, or "all" runs that have the
            document, as also in judgments that existed before.
        resume: for adaptive methods, the `table()` of the pool so far, or a file of it.
        columns: your names of columns, as in `{"run_id": "system"}`.
        engine: "polars", "duckdb" or "spark"; by default where the runs are.
        con: a DuckDB connection or a Spark session; strings are then names of its tables.

    Returns:
        query_id doc_id n_runs best_rank order: a row per document to judge; how many runs have it, its best rank, and
        its place in the order of the query, equal ones by ascending ids.  With "mean-rank" also mean_rank, with "rrf"
        score.  With "stratified" also stratum (from 1) and iprob, the inclusion probability n/N: of the N documents of
        a query and stratum n = max(1, ⌊rate · N + ½⌋) are drawn without replacement.  Those that are not drawn are in
        the table, too, with relevance −1 (pooled, not judged) and no order; relevance is null where a grade is to be
        filled in, and then the table is one of sampled judgments.

        The table is of the kind of `runs`: lazy for a lazy frame, a relation for a relation; a frame otherwise.
        Adaptive methods give an `ir.pools.AdaptivePool`: `next(pool)`, `pool.judge(grades)`, `pool.table()`.

    Raises:
        UnknownName, InvalidParameter: an argument is not allowed.
        MissingColumn, WrongType, InvalidValue, DuplicateRows: a table is no run, or no judgments.
        NothingInCommon: no query of the runs is judged.

    Source: Spärck Jones and van Rijsbergen 1975 (depth); Voorhees, TREC 2014 and Yilmaz, Kanoulas and Aslam, SIGIR 2008
    (stratified); Cormack, Clarke and Büttcher, SIGIR 2009 (rrf); Cormack, Palmer and Clarke, SIGIR 1998 (mtf); Aslam,
    Pavlu and Savell, CIKM 2003 (hedge); Losada, Parapar and Barreiro, IPM 2017 (bandit, max-mean).

    Example:
        >>> import polars as pl, ireval_frames as ir
        >>> runs = pl.DataFrame(
        ...     {"run_id": ["a", "a", "b", "b"], "query_id": ["q"] * 4, "doc_id": ["x", "y", "z", "x"],
        ...      "rank": [1, 2, 1, 2]}
        ... )
        >>> ir.pool(runs, depth=2).select("doc_id", "n_runs", "best_rank", "order").rows()
        [('x', 2, 1, 1), ('z', 1, 1, 2), ('y', 1, 2, 3)]
    """
    options = PoolOptions.parse(
        method=method, depth=depth, budget=budget, total=total, strata=strata, k=k, seed=seed, ties=ties, batch=batch,
        beta=beta, rel=rel, credit=credit,
    )  # fmt: skip
    if resume is not None and not options.adaptive:
        raise InvalidParameter(
            f"A pool by {method!r} is known at once, so there is nothing to resume.",
            Hint("Leave out judged documents: ", Argument("qrels", "qrels.txt"), "."),
        )
    where = open_engine(runs, engine, con)
    with where.errors():
        candidates = Candidates(runs, qrels, where, options, columns)
        if options.adaptive:
            return AdaptivePool(candidates, options, resume)
        rows = _pooled(candidates, options)
        lazy = isinstance(runs, pl.LazyFrame) and where.in_process
        native = lazy or is_relation(runs) or is_spark_frame(runs) or where.names_table(runs)
        return rows.to_native() if native else where.collect(rows)


def _pooled(candidates: Candidates, options: PoolOptions) -> Frame:
    """The documents in their order."""
    documents = candidates.documents()
    if options.strata is not None:
        documents = samples.drawn(documents, options.strata, options.seed, candidates.engine)
    else:
        documents = documents.with_columns(drawn=lit(value=True))
    # What is not drawn has no place in the order.
    place = col("doc_id").cum_count().over("query_id", "drawn", order_by=("value", "doc_id")).cast(pl.Int64)
    rows = documents.with_columns(order=place)
    if options.budget is not None:
        rows = rows.filter(col("order") <= options.budget)
    if options.total is not None:
        rows = rows.with_row_index("place", order_by=("order", "query_id")).filter(col("place") < options.total)
    known = [c for c in ("score", "mean_rank") if c in rows.columns]
    if options.strata is None:
        return rows.sort("query_id", "order").select(*KEYS, "n_runs", "best_rank", *known, "order")
    rows = rows.with_columns(last=when(col("drawn")).then(0).otherwise(1)).sort("query_id", "last", "order")
    return rows.select(
        *KEYS,
        "n_runs",
        "best_rank",
        "stratum",
        "iprob",
        order=when(col("drawn")).then(col("order")),
        relevance=when(~col("drawn")).then(lit(-1)).cast(pl.Int64),
    )
