"""`ir.fuse`: several runs as one."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from ireval_frames.columns.user_names import Columns
from ireval_frames.engines.base import Engine
from ireval_frames.engines.opening import open_engine
from ireval_frames.errors import Argument, Code, Hint, InvalidParameter
from ireval_frames.fusion.arguments import Weights, check_judgments, weights_of
from ireval_frames.fusion.lists import tables_of
from ireval_frames.fusion.options import FusionOptions
from ireval_frames.fusion.request import FusionRequest
from ireval_frames.fusion.result import Fusion


def fuse(
    runs: Any,
    method: str = "rrf",
    *,
    k: int = 60,
    normalize: str | None = None,
    weights: Weights | None = None,
    qrels: Any = None,
    missing: str | None = None,
    ties: str = "trec_eval",
    depth: int | None = None,
    top: int | None = None,
    constant: float = 1.0,
    phi: float = 0.8,
    gamma: float = 0.5,
    sigma: float = 0.01,
    folds: int | None = 5,
    seed: int = 0,
    rel: float = 1.0,
    segments: int = 25,
    window: int = 5,
    optimize: str = "AP",
    run_id: str | None = None,
    columns: Columns | None = None,
    engine: str | Engine | None = None,
    con: Any = None,
) -> Fusion:
    """Fuse several runs into one, query by query.

    - combsum: Σ s;  combmnz: h · Σ s;  combgmnz: h^γ · Σ s;  combanz: Σ s / h;  combmax, combmin, combmed: of s;
    - wsum: Σ w · s;  wmnz: Σ w · s · Σ w of the lists that have it;  mixed: √h · Σ w · s;
    - rrf: Σ w / (k + r);  isr: h · Σ 1/r²;  logisr: ln h · Σ 1/r²;  lognisr: ln(h + σ) · Σ 1/r²;
    - rbc: Σ (1 − φ) φ^(r−1);  borda: Σ (c − r + 1), where a list of n lacks it (c − n + 1) / 2;
    - condorcet: C + M / (2 m c), by pairwise majorities;
    - mapfuse: Σ MAP / r;  posfuse: Σ P(r);  probfuse: Σ P(segment) / its number;  segfuse: Σ P(segment) (1 + s);
    - slidefuse: Σ mean of P(r − w) … P(r + w);
    - bayesfuse: Σ log P(band | relevant) / P(band | not relevant), less that of not being retrieved.

    s is the normalised score of the document in a list and r its rank, over the h lists that have it, of m in all; c is
    the number of documents that some list has for the query.  C is the number of documents that more lists put below it
    than above, less that of those above it, and M the sum of these margins (Copeland's order).  P is the probability
    that a document at a rank, or in a segment of ranks, of this run is relevant, learned from `qrels`.

    Args:
        runs: a table of several runs (run_id, query_id, doc_id, score or rank), files, a list of tables, or tables by
            their names, as in `{"bm25": frame, "dense": other}`.
        method: one of the above.
        k: of rrf.
        normalize: for methods that read s, how the scores of a list are normalised: "minmax" (by default), "max",
            "sum", "zmuv", "l2", "dbsf", "rank", "borda" or "none"; see `docs/fusion.md`.
        weights: for rrf, wsum, wmnz and mixed, the weight of each run, by its name, or in the order of the tables.
        qrels: judgments, for methods that learn (mapfuse, posfuse, probfuse, segfuse, slidefuse, bayesfuse), and for
            the weights of wsum, wmnz, mixed and rrf where these are not stated: what a query is fused by is learned
            from the judged queries of other folds (`ir.splits.by_query`).
        missing: what a document counts as in a list that lacks it: "skip" (passed over), "zero" or "min" (the lowest
            of the list, normalised); for methods that read r "skip" or "last" (one rank below the list's last).  By
            default "skip", but "min" after zmuv, whose mean is 0; the normalisation "borda", borda and condorcet have
            their own.  A list that lacks the whole query is passed over, or counts as 0 under "zero".
        ties: the order of documents of equal score, in the lists and in the fused one: "trec_eval" (descending ids),
            "doc_id" (ascending ids); "rank": lists are read by their own ranks, and fused ties have ascending ids;
            "average": tied documents of a list share their mean rank.
        depth: how deep lists are read; by default all of them.  A normalisation sees what is read.
        top: how many documents of each query are returned.
        constant: for minmax, the value of a list of equal scores, such as one of a single document: 1, or 0 as in ranx;
            under "sum" it is divided by their number.
        phi: the persistence of rbc.
        gamma: γ of combgmnz.
        sigma: σ of lognisr.
        folds: into how many folds the queries are split; None learns from all judged queries, to fuse others.
        seed: of the folds.
        rel: the lowest relevant grade.
        segments: for probfuse, into how many segments each list is split.  Those of segfuse have 5, 15, 35, …
            documents, the bands of bayesfuse end at 5, 10, 15, 20, 30, 100, 200, 500 and 1000.
        window: w of slidefuse; the mean is over the ranks that the list has.
        optimize: the measure whose mean is the largest with the fitted weights: all that are tenths and add up to 1 are
            tried, or with more than four runs one after the other is set to 0, halved and doubled while that helps.
        run_id: the name of the fused run; by default the method.
        columns: your names of columns, as in `{"run_id": "system"}`.
        engine: "polars", "duckdb" or "spark"; by default where the runs are.
        con: a DuckDB connection or a Spark session; strings are then names of its tables.

    Returns:
        query_id doc_id score rank run_id, as a `Fusion`: `collect()` gives the frame, `to_native()` it lazily in the
        engine of the runs, `sql()` the statement; `ir.evaluate(qrels, fused, …)` takes it as a run.  Sums follow the
        names of the runs, so that the result is the same on every engine.  `learned()` is what judgments taught.

    Raises:
        UnknownName, InvalidParameter: an argument is not allowed, or there is one run only.
        NotDefined: scores are read of a run that has ranks only.
        NothingInCommon: no query of the runs is judged.
        MissingColumn, WrongType, InvalidValue, DuplicateRows, MismatchedTables: a table is no run.

    Source: Fox and Shaw, TREC-2 1993 (comb…); Lee, SIGIR 1997 (combgmnz); Cormack, Clarke and Büttcher, SIGIR 2009
    (rrf); Mourão, Martins and Magalhães, CMIG 2014 (isr, logisr); Bailey et al., SIGIR 2017 (rbc); Aslam and Montague,
    SIGIR 2001 (borda, bayesfuse); Montague and Aslam, CIKM 2002 (condorcet); Lillis et al., SIGIR 2006 and ECIR 2010
    (probfuse, mapfuse), IR 2008 (slidefuse); Shokouhi, ECIR 2007 (segfuse).

    Example:
        >>> import polars as pl, ireval_frames as ir
        >>> bm25 = pl.DataFrame({"query_id": ["q"] * 3, "doc_id": ["a", "b", "c"], "score": [5.0, 3.0, 1.0]})
        >>> dense = pl.DataFrame({"query_id": ["q"] * 2, "doc_id": ["c", "d"], "score": [0.9, 0.8]})
        >>> ir.fuse({"bm25": bm25, "dense": dense}, "combsum").collect().select("doc_id", "score", "rank").rows()
        [('c', 1.0, 1), ('a', 1.0, 2), ('b', 0.5, 3), ('d', 0.0, 4)]
    """
    options = FusionOptions.parse(
        method=method, k=k, normalize=normalize, missing=missing, ties=ties, depth=depth, top=top, constant=constant,
        phi=phi, gamma=gamma, sigma=sigma, folds=folds, seed=seed, rel=rel, segments=segments, window=window,
        optimize=optimize,
    )  # fmt: skip
    check_judgments(options, weights, qrels)
    tables = tables_of(runs)
    where = open_engine(next(iter(tables.values())) if isinstance(tables, Mapping) else tables[0], engine, con)
    request = FusionRequest(tables, options, where, columns, qrels, method if run_id is None else run_id)
    with where.errors():
        sizes = functools.cache(lambda: request.lists(where).sizes)
        # The names of tables are known before these are read.
        names = sorted(tables) if isinstance(tables, Mapping) else sorted(sizes()["run_id"].drop_nulls().unique())
        if len(names) < 2:
            raise InvalidParameter(
                (f"There is one run{f', {names[0]!r}' if names[0] else ''}" if names else "The table has no row")
                + "; a fusion needs two runs.",
                Hint(
                    "Pass ",
                    Code(
                        "a table whose column run_id names several, or tables by name: {'bm25': frame, 'dense': other}",
                        "several files of runs, or one whose column run_id names several",
                    ),
                    ".",
                ),
            )
        if request.run_id in names:
            raise InvalidParameter(
                f"A run is called {request.run_id!r}, as the fused one would be.",
                Hint("Name it otherwise: ", Argument("run_id", "fused"), "."),
            )
        by_run = weights_of(weights, names, tables, method, fitted=qrels is not None)
        return Fusion.of(replace(request, sizes=sizes, names=tuple(names), weights=by_run).trained())
