"""Ranking in batches and parts of the rows does not depend on their boundaries."""

from __future__ import annotations

import functools
import random
from collections.abc import Callable

import polars as pl
import pytest

import ireval_frames as ir
from ireval_frames.engines.base import Ranking, Rule
from ireval_frames.engines.polars import ranked_table
from ireval_frames.engines.polars.ranking import batches_in_order, small_inputs
from ireval_frames.errors import DuplicateRows
from ireval_frames.expr import col
from tests.contract.kit import Values, assert_same, values
from tests.ranking.cases import make_case
from tests.ranking.suite import FIRST

# The first need ranks of judged rows only, the others those of all rows.
JUDGED = [m for m in FIRST if m.name in ("AP", "nDCG", "Bpref", "NumRet")]
MEASURES = [*JUDGED, *(m for m in FIRST if m.name in ("Judged", "RBP", "BEP"))]
# A list of every shape, with many more rows than a batch.
CASE = make_case(11, 14, 1)
# Orders of rows: by query and score; by query only; shuffled; nearly sorted.
ORDERS = ("sorted", "disordered", "scattered", "nearly sorted")


def ordered(run: pl.DataFrame, order: str) -> pl.DataFrame:
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
        # The rows of the last query are separated: its second half comes first.
        return pl.concat([run[-2:], run[:-2]])
    return run


@functools.cache
def in_one_batch(policy: str) -> Values:
    return evaluated(CASE.run_frame(), policy)


def evaluated(run: pl.DataFrame | pl.LazyFrame, policy: str) -> Values:
    qrels = CASE.qrels_frame()
    all_values = values(ir.evaluate(qrels, run, MEASURES, policy=policy))
    judged = values(ir.evaluate(qrels, run, JUDGED, policy=policy))
    assert_same(judged, {key: all_values[key] for key in judged}, 1e-12)
    return all_values


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("batch, part, lazy", [(1, 40, True), (5, 50, False), (5, 50, True), (16, 10**6, False)])
def test_boundaries_of_batches(
    batch: int, part: int, order: str, monkeypatch: pytest.MonkeyPatch, *, lazy: bool
) -> None:
    run = ordered(CASE.run_frame(), order)
    # Each order and each size meets both of the other policies.
    policies = ("", ("depth=3", "ties=doc_id")[(ORDERS.index(order) + batch + part) % 2])
    expected = {p: in_one_batch(p) for p in policies}
    monkeypatch.setattr(ranked_table, "FEW_ROWS", 0)
    monkeypatch.setattr(batches_in_order, "BATCH_ROWS", batch)
    monkeypatch.setattr(batches_in_order, "SLICE_ROWS", batch)
    monkeypatch.setattr(batches_in_order, "PART_ROWS", part)
    for policy in policies:
        assert_same(evaluated(run.lazy() if lazy else run, policy), expected[policy], 1e-12)


@pytest.mark.parametrize("batch", [1, 3, 10**6])
@pytest.mark.parametrize("order", ORDERS)
def test_duplicates_across_boundaries(order: str, batch: int, monkeypatch: pytest.MonkeyPatch) -> None:
    run = ordered(CASE.run_frame(), order)
    run = pl.concat([run, run[:1]])
    monkeypatch.setattr(ranked_table, "FEW_ROWS", 0)
    monkeypatch.setattr(batches_in_order, "BATCH_ROWS", batch)
    monkeypatch.setattr(batches_in_order, "SLICE_ROWS", batch)
    monkeypatch.setattr(batches_in_order, "PART_ROWS", 10 * batch)
    with pytest.raises(DuplicateRows, match="2 rows"):
        ir.evaluate(CASE.qrels_frame(), run, "AP").summary()


def test_many_rows_in_ties() -> None:
    """A list of ties that is too long for insertion sort."""
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
    """Boundaries of batches are boundaries of lists."""
    ids = [f"q{i:02d}" for i in range(20)]
    run = pl.DataFrame({"query_id": ids, "doc_id": ["d"] * 20, "score": [1.0] * 20})
    qrels = run.select("query_id", "doc_id", relevance=pl.int_range(pl.len()) % 2)
    monkeypatch.setattr(ranked_table, "FEW_ROWS", 0)
    monkeypatch.setattr(batches_in_order, "BATCH_ROWS", batch)
    actual = ir.evaluate(qrels, run.lazy(), "NumRet P@1").per_unit(wide=True)
    assert actual["NumRet"].to_list() == [1.0] * 20
    assert actual["P@1"].to_list() == [0.0, 1.0] * 10


@pytest.mark.parametrize("seed", range(12))
def test_plans_for_few_and_many_rows_agree(seed: int) -> None:
    """The plan for few rows and the batches give the same ranks, groups and errors."""
    rng = random.Random(seed)
    ids = rng.sample([f"d{i}" for i in range(40)] * 4 + ["", "Ä", "a"], 60)
    table = pl.DataFrame(
        {
            "run": [rng.choice(["x", None]) for _ in ids],
            "query": [rng.choice([1, 2, 3]) for _ in ids],
            "score": [rng.choice([0.0, -0.0, 1.0, -2.5, float("inf")]) for _ in ids],
            "doc": ids,
        }
    )
    unique = table.unique(["run", "query", "doc"], keep="first", maintain_order=True)
    partner = table.select("query", "doc").sample(20, seed=seed).unique()
    order_by = (("score", True), ("doc", seed % 2 == 0))
    negative = Rule(col("score") < -2.0, lambda bad, count: ValueError(count, sorted(bad.rows(), key=str)))
    for depth, partner_table in ((None, None), (2, None), (None, partner), (3, partner)):
        on = () if partner_table is None else ("query", "doc")
        ranking = Ranking(("run", "query"), order_by, depth=depth, on=on)
        result = batches_in_order.rank(unique, ranking, partner_table)
        rows = small_inputs.rows(
            unique.lazy(), ranking, None if partner_table is None else partner_table.lazy()
        ).collect()
        groups = small_inputs.groups(unique.lazy(), ranking).collect()
        key = ("run", "query", "doc")
        # Rows without a partner may be included: the following join drops them.
        expected_rows = (
            result.rows if partner_table is None else result.rows.join(partner_table, on=["query", "doc"], how="semi")
        )
        assert rows.sort(key).equals(expected_rows.sort(key))
        assert groups.sort("run", "query").equals(result.groups.sort("run", "query").select(groups.columns))
    for ranking in (
        Ranking(("run", "query"), order_by),
        Ranking(("run", "query"), order_by, rules=(negative,)),
    ):
        message = _error_text(lambda ranking=ranking: small_inputs.check(table, ranking))
        assert message == _error_text(lambda ranking=ranking: batches_in_order.rank(table, ranking, None))


def _error_text(action: Callable[[], object]) -> str:
    """The error's text, or none."""
    try:
        action()
    except ValueError as error:
        return str([part.rows() if isinstance(part, pl.DataFrame) else part for part in error.args])
    return "none"
