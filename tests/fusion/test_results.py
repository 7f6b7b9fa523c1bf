"""A fusion as a lazy table, as SQL and as a run; what each run adds, by loops; what is refused and warned of."""

from __future__ import annotations

import itertools
import math
from typing import Any

import duckdb
import polars as pl
import pytest

import ireval_frames as ir
from ireval_frames.errors import (
    DuplicateRows,
    InvalidParameter,
    InvalidValue,
    MismatchedTables,
    NotDefined,
    OverlapWarning,
    UnknownName,
)
from ireval_frames.fusion import checks
from tests.fusion.cases import SMALL
from tests.pools.cases import grades, table

quiet = pytest.mark.filterwarnings("ignore:Not every run has all")
HITS = {name: SMALL.filter(run_id=name).drop("run_id") for name in ("r1", "r2", "r3")}


def test_kinds_of_tables() -> None:
    """One table, tables by names, a list of tables and a lazy frame give one run, which stays where they are."""
    expected = ir.fuse(SMALL, "combmnz").collect()
    for runs in (HITS, SMALL.lazy(), list(HITS.values()), [SMALL.filter(run_id=n) for n in HITS]):
        assert ir.fuse(runs, "combmnz").collect().rows() == expected.rows()
    assert ir.fuse(list(HITS.values())).runs == ["a", "b", "c"]
    lazy = ir.fuse(SMALL.lazy(), "combmnz").to_native()
    assert isinstance(lazy, pl.LazyFrame)
    assert lazy.collect().sort("rank").rows() == expected.rows()
    with duckdb.connect() as con:
        relation = con.from_arrow(SMALL.to_arrow())
        native = ir.fuse(relation, "combmnz").to_native()
        assert isinstance(native, duckdb.DuckDBPyRelation)
        assert native.order("rank").fetchall() == expected.rows()


def test_a_hybrid_search_in_one_query() -> None:
    with duckdb.connect() as con:
        for name, hits in HITS.items():
            con.register(name, hits.to_arrow())
        for method, options in (("rrf", {}), ("wsum", {"weights": [1, 2, 0.5]}), ("condorcet", {}), ("combmed", {})):
            fused = ir.fuse(dict(zip(HITS, HITS, strict=True)), method, con=con, **options)
            text = fused.sql()
            assert con.sql(text).fetchall() == ir.fuse(HITS, method, **options).collect().rows()
            assert con.sql(text).columns == ["query_id", "doc_id", "score", "rank", "run_id"]
        fused.to_view("fused")
        assert con.sql("SELECT count(*) FROM fused").fetchall() == [(5,)]
    # Frames are tables by the names of their runs.
    assert "FROM r1" in ir.fuse(HITS).sql()


@quiet
def test_as_a_run_of_an_evaluation() -> None:
    runs = table(0)
    qrels = grades(runs, 1)
    fused = ir.fuse(runs, "combsum")
    expected = ir.evaluate(qrels, fused.collect(), "AP").summary()["value"].to_list()
    assert ir.evaluate(qrels, fused, "AP").summary()["value"].to_list() == expected
    with duckdb.connect() as con:
        con.register("runs", runs.to_arrow())
        con.register("qrels", qrels.to_arrow())
        evaluation = ir.evaluate("qrels", ir.fuse("runs", "combsum", con=con), "AP", con=con)
        assert evaluation.summary()["value"].to_list() == pytest.approx(expected)
        assert con.sql(evaluation.summary.sql()).fetchall()[0][-2:] == evaluation.summary().row(0)[-2:]
    # Another engine reads the fused rows.
    assert ir.evaluate(qrels, fused, "AP", engine="duckdb").summary()["value"].to_list() == pytest.approx(expected)


@quiet
@pytest.mark.parametrize("engine", ["polars", "duckdb"])
def test_overlap_and_contributions(engine: str) -> None:
    runs = table(1)
    qrels = grades(runs, 1).filter(pl.col("query_id") != "q2")
    relevant = {(q, d) for q, d, grade in qrels.iter_rows() if grade >= 1}
    judged = set(qrels["query_id"])
    documents: dict[str, set[Any]] = {}
    for run, query, doc, _ in runs.iter_rows():
        if query in judged:
            documents.setdefault(run, set()).add((query, doc))
    fused = ir.fuse(runs, engine=engine)
    rows = fused.overlap(qrels).rows()
    assert [row[:2] for row in rows] == list(itertools.combinations(sorted(documents), 2))
    for one, other, n_relevant, n_others, *shares in rows:
        for n, share, of in (
            (n_relevant, shares[0], lambda run: documents[run] & relevant),
            (n_others, shares[1], lambda run: documents[run] - relevant),
        ):
            assert n == len(of(one) & of(other))
            assert share == pytest.approx(2 * n / (len(of(one)) + len(of(other))))
    everything = set.union(*documents.values()) & relevant
    for run, *counts, share in fused.contributions(qrels).rows():
        own = documents[run]
        alone = own - set.union(*(of for name, of in documents.items() if name != run))
        assert counts == [len(own), len(own & relevant), len(alone), len(alone & relevant)]
        assert share == pytest.approx(len(alone & relevant) / len(everything))


@quiet
@pytest.mark.parametrize("method", ["rrf", "borda", "wsum"])
def test_gain_and_leave_one_out(method: str) -> None:
    runs = table(2)
    qrels = grades(runs, 1)
    weights = (
        dict(zip(sorted(runs["run_id"].unique()), (1.0, 2.0, 0.5, 1.0), strict=True)) if method == "wsum" else None
    )
    fused = ir.fuse(runs, method, weights=weights)

    def value(run: Any, measure: str) -> float:
        return float(ir.evaluate(qrels, run, measure).summary()["value"].item())

    for measure, of_fused, best, best_value, mean, gain, percent in fused.gain(qrels, "AP P@2").iter_rows():
        single = {name: value(runs.filter(run_id=name), measure) for name in fused.runs}
        assert of_fused == pytest.approx(value(fused.collect(), measure))
        assert (best, best_value) == (max(single, key=single.get), pytest.approx(max(single.values())))  # type: ignore[arg-type]
        assert mean == pytest.approx(sum(single.values()) / len(single))
        assert (gain, percent) == pytest.approx((of_fused - best_value, 100 * (of_fused - best_value) / best_value))
    rows = fused.leave_one_out(qrels, "AP")
    assert sorted(rows["left_out"]) == fused.runs
    assert rows["contribution"].is_sorted(descending=True)
    for _, left_out, of_all, without, contribution in rows.iter_rows():
        rest = None if weights is None else {n: w for n, w in weights.items() if n != left_out}
        again = ir.fuse(runs.filter(pl.col("run_id") != left_out), method, weights=rest)
        assert without == pytest.approx(value(again.collect(), "AP"), rel=1e-12)
        assert contribution == pytest.approx(of_all - without, abs=1e-12)


def test_lists_of_equal_scores() -> None:
    """A sole hit counts as one; as in ranx with constant=0."""
    one = pl.DataFrame({"query_id": ["q"], "doc_id": ["x"], "score": [3.0]})
    other = pl.DataFrame({"query_id": ["q", "q"], "doc_id": ["y", "z"], "score": [2.0, 1.0]})
    assert ir.fuse([one, other], "combsum").collect().select("doc_id", "score").rows() == [("y", 1), ("x", 1), ("z", 0)]
    zero = ir.fuse([one, other], "combsum", constant=0.0).collect()
    assert zero.select("doc_id", "score").rows() == [("y", 1), ("z", 0), ("x", 0)]
    for normalize, expected in (("sum", 1.0), ("zmuv", 0.0), ("dbsf", 0.5), ("max", 1.0), ("l2", 1.0), ("rank", 1.0)):
        assert ir.fuse([one, one], "combanz", normalize=normalize).collect()["score"].to_list() == [expected]


def test_runs_of_ranks() -> None:
    ranks = SMALL.with_columns(rank=pl.col("score").rank(descending=True).over("run_id").cast(pl.Int64)).drop("score")
    assert ir.fuse(ranks, "rrf").collect().rows() == ir.fuse(SMALL, "rrf").collect().rows()
    by_rank = ir.fuse(ranks, "combsum", normalize="rank").collect()
    assert by_rank.rows() == ir.fuse(SMALL, "combsum", normalize="rank").collect().rows()
    with pytest.raises(NotDefined, match="combsum with minmax reads scores, and a run has none"):
        ir.fuse(ranks, "combsum")
    with pytest.raises(NotDefined, match="ties='rank' reads ranks"):
        ir.fuse(ranks.with_columns(score=1.0), "combsum", ties="rank")


def test_queries_that_a_run_lacks_are_told() -> None:
    more = pl.concat([SMALL, SMALL.head(1).with_columns(query_id=pl.lit("p"))])
    with pytest.warns(OverlapWarning, match="all 2 queries; .*: r2 lacks 1, r3 lacks 1"):
        assert ir.fuse(more).collect().filter(query_id="p").height == 1


@pytest.fixture
def many_rows(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Tables are read as those of many rows."""
    if request.param:
        monkeypatch.setattr("ireval_frames.engines.polars.engine.FEW_ROWS", 0)
        monkeypatch.setattr("ireval_frames.engines.polars.ranked_table.FEW_ROWS", 0)


@quiet
@pytest.mark.parametrize("many_rows", [True], indirect=True)
@pytest.mark.usefixtures("many_rows")
def test_many_rows() -> None:
    """Scores that are grouped in parts, and what is sorted once, give the same bits."""
    runs = table(3)
    for method, options in (("combsum", {}), ("combmed", {"missing": "min"}), ("combmnz", {"normalize": "zmuv"})):
        expected = ir.fuse(runs, method, engine="duckdb", **options).collect()
        for rows in (runs, runs.lazy(), runs.reverse()):
            assert ir.fuse(rows, method, **options).collect().rows() == expected.rows()


@pytest.mark.parametrize(
    "engine, many_rows", [("polars", False), ("polars", True), ("duckdb", False)], indirect=["many_rows"]
)
@pytest.mark.usefixtures("many_rows")
def test_bad_rows(engine: str) -> None:
    twice = pl.concat([SMALL, SMALL.head(1)])
    infinite = SMALL.with_columns(score=pl.when(pl.col("doc_id") == "e").then(math.inf).otherwise("score"))
    for runs, method, options, error, words in (
        (twice, "rrf", {}, DuplicateRows, "document 'a' several times"),
        (twice, "combsum", {}, DuplicateRows, "document 'a' several times"),
        (infinite, "combsum", {}, InvalidValue, "document 'e' for query 'q' is infinite"),
        (SMALL.with_columns(-pl.col("score")), "combsum", {"normalize": "max"}, InvalidValue, "normalize='minmax'"),
        (SMALL.with_columns(score=None), "rrf", {}, InvalidValue, "null or NaN"),
        (SMALL.with_columns(score=None), "combsum", {}, InvalidValue, "null or NaN"),
    ):
        with pytest.raises(error, match=words.replace("'minmax'", '"minmax"')):
            ir.fuse(runs.cast({"score": pl.Float64}), method, engine=engine, **options).collect()


def test_arguments() -> None:
    for error, words, arguments in (
        (UnknownName, "Did you mean combsum", {"method": "combsun"}),
        (InvalidParameter, "zmuv", {"method": "combsum", "normalize": "zmuv", "missing": "last"}),
        (InvalidParameter, "with rrf it may be skip, last", {"missing": "zero"}),
        (InvalidParameter, "borda says itself", {"method": "borda", "missing": "skip"}),
        (InvalidParameter, "isr has no weights", {"method": "isr", "weights": {"r1": 1}}),
        (InvalidParameter, "they differ in r2, r3", {"weights": {"r1": 1}}),
        (InvalidParameter, "runs are r1, r2, r3", {"weights": [1, 2, 3]}),
        (InvalidParameter, r"weights\['r1'\] is -1", {"weights": {"r1": -1, "r2": 1, "r3": 1}}),
        (InvalidParameter, "one measure of which more is better", {"optimize": "AP P@10"}),
    ):
        with pytest.raises(error, match=words):
            ir.fuse(SMALL, **arguments)  # type: ignore[arg-type]
    with pytest.raises(InvalidParameter, match="There is one run; a fusion needs two"):
        ir.fuse(HITS["r1"])
    with pytest.raises(InvalidParameter, match="The table has no row; a fusion needs two"):
        ir.fuse(SMALL.clear())
    numbers = HITS["r1"].with_columns(doc_id=pl.int_range(pl.len()))
    with pytest.raises(MismatchedTables, match="none can be equal"):
        ir.fuse([HITS["r1"], numbers])


def test_many_pairs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checks, "MOST_PAIRS", 20)
    with pytest.raises(InvalidParameter, match="here 25 pairs, more than 20"):
        ir.fuse(SMALL, "condorcet").collect()
    assert ir.fuse(SMALL, "condorcet", depth=1).collect().height == 3
