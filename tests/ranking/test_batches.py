"""Ranking passes over batches and parts of the rows; where their borders fall must not show."""

from __future__ import annotations

import functools
import random
from collections.abc import Callable

import polars as pl
import pytest

import ireval_frames as ir
from ireval_frames.engines.base import Ranking, Rule
from ireval_frames.engines.polars import engine as polars
from ireval_frames.engines.polars.ranking import batches_in_order
from ireval_frames.engines.polars.ranking import small_inputs as polars_ranking_few
from ireval_frames.errors import DuplicateRows
from ireval_frames.expr import col
from tests.contract.kit import Values, assert_same, values
from tests.ranking.cases import make_case
from tests.ranking.suite import FIRST

# The first ask for ranks of judged rows alone, and the rest for those of all rows.
JUDGED = [m for m in FIRST if m.name in ("AP", "nDCG", "Bpref", "NumRet")]
MEASURES = [*JUDGED, *(m for m in FIRST if m.name in ("Judged", "RBP", "BEP"))]
# One list of every shape, which are many more rows than a batch.
MADE = make_case(11, 14, 1)
# Rows as they may come: by query and best first; queries together but disordered; queries scattered.
ORDERS = ("sorted", "disordered", "scattered", "nearly sorted")


def arranged(run: pl.DataFrame, order: str) -> pl.DataFrame:
    rng = random.Random(3)
    run = run.sort("run_id", "query_id", "score", descending=[False, False, True])
    if order == "disordered":
        return (
            run.with_columns(_at=pl.Series([rng.random() for _ in range(run.height)]))
            .sort("run_id", "query_id", "_at")
            .drop("_at")
        )
    if order == "scattered":
        return run.sample(fraction=1, shuffle=True, seed=1)
    if order == "nearly sorted":
        # The last query's rows are torn apart: the second half stands in front.
        return pl.concat([run[-2:], run[:-2]])
    return run


@functools.cache
def in_one_batch(policy: str) -> Values:
    return evaluated(MADE.run_frame(), policy)


def evaluated(run: pl.DataFrame | pl.LazyFrame, policy: str) -> Values:
    qrels = MADE.qrels_frame()
    every = values(ir.evaluate(qrels, run, MEASURES, policy=policy))
    judged = values(ir.evaluate(qrels, run, JUDGED, policy=policy))
    assert_same(judged, {key: every[key] for key in judged}, 1e-12)
    return every


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("batch, part, lazy", [(1, 40, True), (5, 50, False), (5, 50, True), (16, 10**6, False)])
def test_borders_do_not_show(batch: int, part: int, order: str, monkeypatch: pytest.MonkeyPatch, *, lazy: bool) -> None:
    run = arranged(MADE.run_frame(), order)
    policies = ("", "depth=3", "ties=doc_id")
    expected = {p: in_one_batch(p) for p in policies}
    monkeypatch.setattr(polars, "FEW_ROWS", 0)
    monkeypatch.setattr(batches_in_order, "BATCH_ROWS", batch)
    monkeypatch.setattr(batches_in_order, "SLICE_ROWS", batch)
    monkeypatch.setattr(batches_in_order, "PART_ROWS", part)
    for policy in policies:
        assert_same(evaluated(run.lazy() if lazy else run, policy), expected[policy], 1e-12)


@pytest.mark.parametrize("batch", [1, 3, 10**6])
@pytest.mark.parametrize("order", ORDERS)
def test_duplicates_are_found_across_borders(order: str, batch: int, monkeypatch: pytest.MonkeyPatch) -> None:
    run = arranged(MADE.run_frame(), order)
    run = pl.concat([run, run[:1]])
    monkeypatch.setattr(polars, "FEW_ROWS", 0)
    monkeypatch.setattr(batches_in_order, "BATCH_ROWS", batch)
    monkeypatch.setattr(batches_in_order, "SLICE_ROWS", batch)
    monkeypatch.setattr(batches_in_order, "PART_ROWS", 10 * batch)
    with pytest.raises(DuplicateRows, match="2 rows"):
        ir.evaluate(MADE.qrels_frame(), run, "AP").summary()


def test_many_rows_in_ties() -> None:
    """A list of ties longer than any sort's small case, in one query of many."""
    rng = random.Random(5)
    docs = [f"d{i:05d}" for i in range(5000)]
    shuffled = rng.sample(docs, len(docs))
    run = pl.DataFrame({"query_id": "q", "doc_id": shuffled, "score": [float(rng.randint(0, 1)) for _ in docs]})
    best_first = sorted(zip(run["score"], run["doc_id"], strict=True), reverse=True)
    for rank in (1, 2, 1234, 5000):
        qrels = pl.DataFrame({"query_id": ["q"], "doc_id": [best_first[rank - 1][1]], "relevance": [1]})
        for engine in ("polars", "duckdb"):
            assert ir.evaluate(qrels, run, "RR", engine=engine).summary()["value"].item() == pytest.approx(1 / rank)


@pytest.mark.parametrize("batch", [1, 2, 3])
def test_lists_of_one_document(batch: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """A border between two batches is one between two lists, too."""
    ids = [f"q{i:02d}" for i in range(20)]
    run = pl.DataFrame({"query_id": ids, "doc_id": ["d"] * 20, "score": [1.0] * 20})
    qrels = run.select("query_id", "doc_id", relevance=pl.int_range(pl.len()) % 2)
    monkeypatch.setattr(polars, "FEW_ROWS", 0)
    monkeypatch.setattr(batches_in_order, "BATCH_ROWS", batch)
    actual = ir.evaluate(qrels, run.lazy(), "NumRet P@1").per_unit(wide=True)
    assert actual["NumRet"].to_list() == [1.0] * 20
    assert actual["P@1"].to_list() == [0.0, 1.0] * 10


@pytest.mark.parametrize("seed", range(12))
def test_few_rows_are_ranked_as_many(seed: int) -> None:
    """The plan for few rows and the pass over batches: the same ranks, groups and errors."""
    rng = random.Random(seed)
    ids = rng.sample([f"d{i}" for i in range(40)] * 4 + ["", "Ä", "a"], 60)
    given = pl.DataFrame(
        {
            "run": [rng.choice(["x", None]) for _ in ids],
            "query": [rng.choice([1, 2, 3]) for _ in ids],
            "score": [rng.choice([0.0, -0.0, 1.0, -2.5, float("inf")]) for _ in ids],
            "doc": ids,
        }
    )
    once = given.unique(["run", "query", "doc"], keep="first", maintain_order=True)
    partner = given.select("query", "doc").sample(20, seed=seed).unique()
    falls = (("score", True), ("doc", seed % 2 == 0))
    negative = Rule(col("score") < -2.0, lambda bad, count: ValueError(count, sorted(bad.rows(), key=str)))
    for depth, other in ((None, None), (2, None), (None, partner), (3, partner)):
        on = () if other is None else ("query", "doc")
        ranking = Ranking(("run", "query"), falls, depth=depth, on=on)
        many = batches_in_order.rank(once, ranking, other)
        rows = polars_ranking_few.rows(once.lazy(), ranking, None if other is None else other.lazy()).collect()
        groups = polars_ranking_few.groups(once.lazy(), ranking).collect()
        key = ("run", "query", "doc")
        # What has no partner may come too: the join that follows drops it.
        kept = many.rows if other is None else many.rows.join(other, on=["query", "doc"], how="semi")
        assert rows.sort(key).equals(kept.sort(key))
        assert groups.sort("run", "query").equals(many.groups.sort("run", "query").select(groups.columns))
    for ranking in (
        Ranking(("run", "query"), falls),
        Ranking(("run", "query"), falls, rules=(negative,)),
    ):
        few = _told(lambda ranking=ranking: polars_ranking_few.check(given, ranking))
        assert few == _told(lambda ranking=ranking: batches_in_order.rank(given, ranking, None))


def _told(ask: Callable[[], object]) -> str:
    """The error."""
    try:
        ask()
    except ValueError as error:
        return str([part.rows() if isinstance(part, pl.DataFrame) else part for part in error.args])
    return "none"
