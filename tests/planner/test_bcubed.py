"""A clustering measure on the planner: BCubed precision and recall, rows → cells → {classes, clusters} → unit."""

from __future__ import annotations

import random

import polars as pl
import pytest

from ireval_frames.engines.frame import Frame
from ireval_frames.expr import Expr
from ireval_frames.plan import Plan
from tests.planner.engines import ENGINES, Opened

Rows = list[tuple[int, str, int]]


def rows(seed: int) -> Rows:
    """(corpus, gold class, cluster)."""
    rng = random.Random(seed)
    return [(rng.randint(1, 3), rng.choice("abcde"), rng.randint(-2, 4)) for _ in range(200)] + [(9, "a", 0)]


def bcubed(plan: Plan, frame: Frame) -> tuple[Expr, Expr]:
    """Σ over cells of n²/cluster size (or class size), divided by the number of items."""
    items = plan.input("rows", (), frame)
    cells = plan.grouped("cells", items, "corpus", "gold", "cluster")
    n = items.count(into=cells)
    plan.unit = plan.grouped("units", cells, "corpus")
    total = cells.sum(n)
    # A cluster's size by a window over the cells; a class's by a table of its own that is joined to them.
    of_cluster = cells.over(n.sum(), ("corpus", "cluster"))
    classes = plan.grouped("classes", cells, "corpus", "gold")
    of_class = cells.sum(n, into=classes)
    sized = plan.joined("sized", cells.keys, cells, classes, on=("corpus", "gold"))
    return cells.sum(n * n / of_cluster) / total, sized.sum(n * n / of_class) / total


def plain(given: Rows) -> dict[int, tuple[float, float]]:
    out = {}
    for corpus in {c for c, _, _ in given}:
        items = [(gold, cluster) for c, gold, cluster in given if c == corpus]
        precision = recall = 0.0
        for gold, cluster in items:
            together = [g for g, k in items if k == cluster]
            alike = [k for g, k in items if g == gold]
            precision += together.count(gold) / len(together)
            recall += alike.count(cluster) / len(alike)
        out[corpus] = (precision / len(items), recall / len(items))
    return out


@pytest.mark.parametrize("ordered", [False, True])
@pytest.mark.parametrize("engine", ENGINES)
def test_bcubed(engine: str, *, ordered: bool) -> None:
    for seed in range(3):
        given, opened = rows(seed), Opened(engine)
        plan = Plan(opened.engine, ordered=ordered)
        precision, recall = bcubed(
            plan, opened.frame(pl.DataFrame(given, schema=["corpus", "gold", "cluster"], orient="row"))
        )
        actual = {
            c: (p, r)
            for c, p, r in opened.collect(plan.unit.frame().select("corpus", p=precision, r=recall)).iter_rows()
        }
        expected = plain(given)
        assert actual.keys() == expected.keys()
        for corpus, pair in expected.items():
            assert actual[corpus] == pytest.approx(pair, rel=1e-12)


@pytest.mark.parametrize("engine", ENGINES)
def test_null_is_a_key_like_any_other(engine: str) -> None:
    """A null cluster joins its own cells."""
    opened = Opened(engine)
    plan = Plan(opened.engine)
    frame = pl.DataFrame(
        {"corpus": [1, 1, 1, None], "gold": ["a", "a", "b", "a"], "cluster": [None, None, None, 2]},
        schema_overrides={"cluster": pl.Int64},
    )
    precision, recall = bcubed(plan, opened.frame(frame))
    actual = {
        c: (p, r) for c, p, r in opened.collect(plan.unit.frame().select("corpus", p=precision, r=recall)).iter_rows()
    }
    assert actual.keys() == {1, None}
    assert actual[1] == pytest.approx(((2 * 2 / 3 + 1 / 3) / 3, 1.0))
    assert actual[None] == pytest.approx((1.0, 1.0))
