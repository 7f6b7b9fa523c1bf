"""Of any relations: the order of rows, swapped sides, equal sides, and a relation that is moved out."""

from __future__ import annotations

import random
from typing import Any

import hypothesis
import polars as pl
import pytest
from hypothesis import strategies as st

import ireval_frames as ir
from ireval_frames.relations.tables import MATCHES
from tests.oracles.relations import Document
from tests.relations.cases import Case, make_case

MEASURES = [getattr(ir.relations, m)(match=match) for match in MATCHES for m in ("Precision", "Recall", "F1")]
cases = st.integers(0, 10_000).map(make_case)
few = hypothesis.settings(max_examples=3, deadline=None, database=None, derandomize=True)


def values(gold: pl.DataFrame, predicted: pl.DataFrame, documents: pl.DataFrame) -> list[Any]:
    predicted = predicted.drop("run_id", strict=False)
    relations = ir.Relations(gold.drop("run_id", strict=False), predicted, documents=documents, undirected=["spouse"])
    return relations.evaluate(MEASURES).summary()["value"].to_list()


def tables(case: Case) -> tuple[pl.DataFrame, pl.DataFrame, pl.DataFrame]:
    frames = case.frames()
    return frames["gold"], frames["predicted"], frames["documents"]


@few
@hypothesis.given(cases)
def test_swapped_sides_exchange_precision_and_recall(case: Case) -> None:
    gold, predicted, documents = tables(case)
    one, other = values(gold, predicted, documents), values(predicted, gold, documents)
    for i in range(0, len(one), 3):
        assert (one[i], one[i + 1], one[i + 2]) == (other[i + 1], other[i], other[i + 2])


@few
@hypothesis.given(cases, st.randoms(use_true_random=False))
def test_order_of_rows_and_equal_sides(case: Case, dice: random.Random) -> None:
    gold, predicted, documents = tables(case)
    seed = dice.randint(0, 100)
    shuffled = [t.sample(fraction=1.0, shuffle=True, seed=seed) for t in (gold, predicted)]
    assert values(gold, predicted, documents) == pytest.approx(values(*shuffled, documents), abs=1e-14)
    assert set(values(gold, gold, documents)) <= {1.0, None}


@few
@hypothesis.given(cases)
def test_one_correct_relation_less(case: Case) -> None:
    """It costs one in the numerators, and one of the predictions."""
    (run,) = case.units
    counted = "NumCorrect NumPredicted NumGold"
    documents = dict(case.units[run])
    name, d = next((n, d) for n, d in documents.items() if n.endswith("same") and any(r["label"] for r in d.gold))
    relation = next(r for r in d.predicted if r["label"] is not None)
    documents[name] = Document(d.gold, [r for r in d.predicted if r != relation], d.weight)
    before, after = (
        ir.Relations(*tables(c)[:2]).evaluate(counted).summary()["value"].to_list()
        for c in (case, Case({run: documents}))
    )
    assert [b - a for b, a in zip(before, after, strict=True)] == [1.0, 1.0, 0.0]
