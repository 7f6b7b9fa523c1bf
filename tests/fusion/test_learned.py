"""Methods and weights that are learned from judgments: against loops, by folds, on Polars and DuckDB."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable
from typing import Any

import duckdb
import polars as pl
import pytest

import ireval_frames as ir
from ireval_frames.errors import InvalidParameter, NotDefined, NothingInCommon, OverlapWarning
from tests.fusion.cases import RANKED
from tests.oracles import fusion as plain
from tests.oracles import fusion_learned as oracle
from tests.oracles.fusion import Id
from tests.pools.cases import grades, table

pytestmark = pytest.mark.filterwarnings("ignore:Not every run has all")
METHODS = ("mapfuse", "posfuse", "probfuse", "segfuse", "slidefuse", "bayesfuse")


def on_polars(runs: pl.DataFrame, method: str, qrels: pl.DataFrame, **options: Any) -> pl.DataFrame:
    """The fused run of frames."""
    return ir.fuse(runs, method, qrels=qrels, **options).collect()


def on_duckdb(runs: pl.DataFrame, method: str, qrels: pl.DataFrame, **options: Any) -> pl.DataFrame:
    """The fused run of tables inside DuckDB."""
    with duckdb.connect() as con:
        con.register("runs", runs.to_arrow())
        con.register("qrels", qrels.to_arrow())
        return ir.fuse("runs", method, qrels="qrels", con=con, **options).collect()


ENGINES = {"polars": on_polars, "duckdb": on_duckdb}


def judged(runs: pl.DataFrame) -> pl.DataFrame:
    """Judgments of most queries, also of documents that no run has; a query has no relevant document."""
    qrels = grades(runs, 4)
    last = qrels["query_id"].max()
    qrels = qrels.with_columns(relevance=pl.when(query_id=last).then(0).otherwise("relevance"))
    first = qrels.filter(pl.col("query_id") == qrels["query_id"].min()).head(1)
    other = pl.lit("nowhere") if qrels["doc_id"].dtype == pl.String else pl.lit(999, pl.Int64)
    return pl.concat([qrels, first.with_columns(doc_id=other, relevance=pl.lit(1, pl.Int64))])


def lists_of(runs: pl.DataFrame) -> dict[str, dict[Id, dict[Id, float]]]:
    """The scores by run and query."""
    out: dict[str, dict[Id, dict[Id, float]]] = {}
    for run, query, doc, score in runs.iter_rows():
        out.setdefault(run, {}).setdefault(query, {})[doc] = score
    return out


def by_loops(runs: pl.DataFrame, qrels: pl.DataFrame, folds: dict[Id, int] | None, method: str, **options: Any) -> Any:
    """Scores by query and document; without folds every query learns from all."""
    relevant: dict[Id, set[Id]] = {}
    for query, doc, grade in qrels.iter_rows():
        if grade >= 1:
            relevant.setdefault(query, set()).add(doc)
    scores = lists_of(runs)
    ranked = {run: {q: sorted(RANKED(s), key=RANKED(s).get) for q, s in of.items()} for run, of in scores.items()}
    out = {}
    for query in runs["query_id"].unique():
        others = {q: r for q, r in relevant.items() if folds is None or folds[q] != folds[query]}
        normal = {run: plain.normalised(of[query], "minmax", 0) for run, of in scores.items() if query in of}
        fused = oracle.fused(ranked, others, query, method, scores=normal, **options)
        out |= {(query, d): score for d, score in fused.items()}
    return out


@pytest.mark.parametrize("fuse", ENGINES.values(), ids=ENGINES)
@pytest.mark.parametrize("method", METHODS)
def test_against_loops(fuse: Callable[..., pl.DataFrame], method: str) -> None:
    options = {"probfuse": {"segments": 4}, "slidefuse": {"window": 2}}.get(method, {})
    # Text ids on one engine, whole numbers on the other.
    seed = [*ENGINES.values()].index(fuse)
    runs = table(seed, text=seed == 0)
    qrels = judged(runs)
    queries = runs.select("query_id").unique()
    folds = dict(ir.splits.by_query(queries, 2, seed=3).iter_rows())
    actual = fuse(runs, method, qrels, folds=2, seed=3, **options)
    expected = by_loops(runs, qrels, folds, method, **options)
    assert {(q, d): s for q, d, s, *_ in actual.iter_rows()} == pytest.approx(expected, rel=1e-12, abs=1e-12)
    with pytest.warns(OverlapWarning, match="taught themselves"):
        actual = fuse(runs, method, qrels, folds=None, **options)
    expected = by_loops(runs, qrels, None, method, **options)
    assert {(q, d): s for q, d, s, *_ in actual.iter_rows()} == pytest.approx(expected, rel=1e-12, abs=1e-12)


def test_a_query_is_not_learned_from() -> None:
    """Judgments of a query change nothing in how it is fused."""
    runs = table(0)
    qrels, query = judged(runs), "q1"
    other = qrels.with_columns(
        relevance=pl.when(query_id=pl.lit(query)).then(1 - pl.col("relevance").clip(0, 1)).otherwise("relevance")
    )
    for method in (*METHODS, "wsum"):
        one, two = (
            ir.fuse(runs, method, qrels=q, folds=3, seed=1).collect().filter(query_id=query) for q in (qrels, other)
        )
        assert one.rows() == two.rows()


@pytest.mark.parametrize("method", ["wsum"])
def test_fitted_weights_are_the_best_of_the_grid(method: str) -> None:
    runs = table(1).filter(pl.col("run_id").is_in(["bm25", "dense", "old"]))
    qrels, names = judged(runs), ["bm25", "dense", "old"]
    fused = ir.fuse(runs, method, qrels=qrels, folds=2, seed=3, optimize="nDCG")
    folds = dict(ir.splits.by_query(runs.select("query_id").unique(), 2, seed=3).iter_rows())
    taught = set(qrels.filter(pl.col("relevance") >= 1)["query_id"])
    weights = {f: dict(part["run_id", "weight"].iter_rows()) for (f,), part in fused.learned().group_by("fold")}
    tenths = [w for w in itertools.product(range(11), repeat=3) if sum(w) == 10]
    stated = [
        ir.fuse(runs, method, weights={n: w / 10 for n, w in zip(names, tenth, strict=True)}, run_id=str(tenth))
        for tenth in tenths
    ]
    evaluated = ir.evaluate(qrels, pl.concat([one.collect() for one in stated]), "nDCG").per_unit()
    values: dict[Any, dict[Any, float]] = {tenth: {} for tenth in tenths}
    by_name = {str(tenth): of for tenth, of in values.items()}
    for run, query, value in evaluated.select("run_id", "query_id", "value").iter_rows():
        if query in taught:
            by_name[run][query] = value
    for fold, of_fold in weights.items():
        means = {
            t: sum(v for q, v in of.items() if folds[q] != fold) / sum(folds[q] != fold for q in of)
            for t, of in values.items()
        }
        chosen = tuple(round(of_fold[n] * 10) for n in names)
        assert means[chosen] == pytest.approx(max(means.values()), abs=1e-12)
        assert fused.learned().filter(fold=fold)["value"].to_list() == pytest.approx([means[chosen]] * 3)
        ours = fused.collect().filter(pl.col("query_id").is_in([q for q in folds if folds[q] == fold]))
        stated = (
            ir.fuse(runs, method, weights=of_fold)
            .collect()
            .filter(pl.col("query_id").is_in(ours["query_id"].unique().to_list()))
        )
        assert ours.rows() == stated.rows()
    assert on_duckdb(runs, method, qrels, folds=2, seed=3, optimize="nDCG").rows() == fused.collect().rows()


def test_weights_of_many_runs() -> None:
    """A run that has only what nobody wants gets no weight."""
    runs = table(2)
    qrels = grades(runs, 4)
    noise = qrels.filter(pl.col("relevance") == 0).select(
        pl.lit("noise").alias("run_id"), "query_id", "doc_id", score=1.0
    )
    copies = [runs, noise.cast({"score": pl.Float64}), runs.filter(run_id="old").with_columns(run_id=pl.lit("older"))]
    fused = ir.fuse(pl.concat(copies), "wsum", qrels=qrels, folds=2)
    weights = fused.learned()
    assert weights.filter(run_id="noise")["weight"].to_list() == [0.0, 0.0]
    assert weights.group_by("fold").agg(pl.col("weight").sum())["weight"].to_list() == pytest.approx(
        [1.0, 1.0], abs=1e-5
    )


def test_errors() -> None:
    runs = table(0)
    qrels = judged(runs)
    for arguments, words in (
        (("posfuse",), 'posfuse learns from judgments.\n  Write qrels="qrels.txt".'),
        (("wsum",), "wsum needs weights."),
        (("isr", qrels), "isr learns nothing"),
    ):
        with pytest.raises(InvalidParameter, match=re.escape(words)):
            ir.fuse(runs, arguments[0], qrels=arguments[1] if len(arguments) > 1 else None)
    with pytest.raises(InvalidParameter, match="learn from nothing"):
        ir.fuse(runs, "posfuse", qrels=qrels.filter(query_id="q1"))
    with pytest.raises(InvalidParameter, match="nothing to fit"):
        ir.fuse(runs, "rrf", qrels=qrels, weights=dict.fromkeys(["bm25", "dense", "fused", "old"], 1.0))
    with pytest.raises(NothingInCommon, match="No query of the run is judged"):
        ir.fuse(runs, "posfuse", qrels=qrels.with_columns(query_id="x" + pl.col("query_id")))
    with pytest.raises(NotDefined, match="learned nothing"):
        ir.fuse(runs).learned()
