"""Iteration: Dawid and Skene's expectation maximisation over votes, on both engines, against a plain loop."""

from __future__ import annotations

import math
import random

import duckdb
import polars as pl
import pytest

from ireval_frames.engines.duckdb.engine import DuckDBEngine
from ireval_frames.errors import InvalidParameter
from ireval_frames.expr import col
from ireval_frames.plan import Plan, Table, iterate
from tests.planner.engines import ENGINES, Opened

engines = pytest.mark.parametrize("engine", ENGINES)
SMOOTHING = 0.01
CLASSES = ("a", "b", "c")


def votes() -> pl.DataFrame:
    """Fifty items, six raters of different skill; some ratings are missing."""
    rng = random.Random(3)
    rows = []
    for item in range(50):
        truth = rng.choice(CLASSES)
        for rater in range(6):
            if rng.random() < 0.85:
                right = rng.random() < (0.95, 0.9, 0.8, 0.7, 0.6, 0.34)[rater]
                rows.append((item, f"r{rater}", truth if right else rng.choice(CLASSES)))
    return pl.DataFrame(rows, schema=["item", "rater", "label"], orient="row")


def shares(rows: pl.DataFrame) -> pl.DataFrame:
    """The first state: the share of an item's votes that each class has."""
    result = []
    for item in sorted(set(rows["item"])):
        answers = rows.filter(pl.col("item") == item)["label"].to_list()
        result += [(item, c, answers.count(c) / len(answers)) for c in CLASSES]
    return pl.DataFrame(result, schema=["item", "truth", "p"], orient="row")


def looped(rows: pl.DataFrame, iterations: int) -> dict[tuple[int, str], float]:
    """The same, as loops over dictionaries."""
    p = {(item, c): value for item, c, value in shares(rows).iter_rows()}
    items = sorted({item for item, _ in p})
    for _ in range(iterations):
        prior = {c: sum(p[i, c] for i in items) / len(items) for c in CLASSES}
        weight: dict[tuple[str, str, str], float] = {}
        for item, rater, label in rows.iter_rows():
            for c in CLASSES:
                weight[rater, c, label] = weight.get((rater, c, label), 0.0) + p[item, c]
        total: dict[tuple[str, str], float] = {}
        for (rater, c, _), w in weight.items():
            total[rater, c] = total.get((rater, c), 0.0) + w
        logs = {(i, c): math.log(prior[c]) for i in items for c in CLASSES}
        for item, rater, label in rows.iter_rows():
            for c in CLASSES:
                chance = (weight[rater, c, label] + SMOOTHING) / (total[rater, c] + len(CLASSES) * SMOOTHING)
                logs[item, c] += math.log(chance)
        for item in items:
            most = max(logs[item, c] for c in CLASSES)
            scaled = {c: math.exp(logs[item, c] - most) for c in CLASSES}
            p |= {(item, c): scaled[c] / sum(scaled.values()) for c in CLASSES}
    return p


def step(plan: Plan, state: Table, frame) -> Table:
    """One iteration: from what items are to how raters vote, and back."""
    answers = plan.input("votes", ("item", "rater", "label"), frame)
    p = col("p")
    both = plan.joined("votes_by_truth", ("item", "rater", "label", "truth"), answers, state, on=("item",))
    confusion = plan.grouped("confusion", both, "rater", "truth", "label")
    of_truth = plan.grouped("raters", confusion, "rater", "truth")
    weight = both.sum(p, into=confusion)
    total = confusion.lookup(confusion.sum(weight, into=of_truth), of=of_truth)
    chance = confusion.column(((weight + SMOOTHING) / (total + len(CLASSES) * SMOOTHING)).log())
    truths = plan.grouped("truths", state, "truth")
    posterior = plan.grouped("posterior", both, "item", "truth")
    prior = posterior.lookup(state.mean(p, into=truths), of=truths)
    logs = posterior.column(both.sum(both.lookup(chance, of=confusion), into=posterior) + prior.log())
    items = plan.grouped("items", posterior, "item")
    scaled = posterior.column((logs - posterior.lookup(posterior.max(logs, into=items), of=items)).exp())
    return plan.selected(
        "next", ("item", "truth"), posterior, p=scaled / posterior.lookup(posterior.sum(scaled, into=items), of=items)
    )


@engines
@pytest.mark.parametrize("iterations", [1, 2, 12])
def test_equals_a_plain_loop(engine: str, iterations: int) -> None:
    rows, opened = votes(), Opened(engine)
    with opened.engine.scope():
        stored = opened.engine.materialise(opened.frame(rows))
        actual = iterate(
            opened.engine, shares(rows), ("item", "truth"), lambda plan, state: step(plan, state, stored),
            until=0.0, at_most=iterations,
        )  # fmt: skip
        values = {(i, c): v for i, c, v in opened.collect(actual.state).select("item", "truth", "p").iter_rows()}
    assert actual.iterations == iterations
    expected = looped(rows, iterations)
    assert values.keys() == expected.keys()
    assert max(abs(values[k] - expected[k]) for k in expected) < 1e-12


@engines
def test_it_converges_and_says_so(engine: str) -> None:
    rows, opened = votes(), Opened(engine)
    with opened.engine.scope():
        stored = opened.engine.materialise(opened.frame(rows))
        actual = iterate(opened.engine, shares(rows), ("item", "truth"), lambda p, s: step(p, s, stored), until=1e-5)
        early = iterate(
            opened.engine, shares(rows), ("item", "truth"), lambda p, s: step(p, s, stored), until=1e-5, at_most=2
        )
    assert actual.converged
    assert actual.changes[-1] <= 1e-5 < actual.changes[-2]
    assert 3 < actual.iterations < 100
    assert not early.converged
    assert early.changes == pytest.approx(actual.changes[:2])


@engines
def test_a_state_that_stays_has_converged(engine: str) -> None:
    """A change as large as what is allowed ends it, also where nothing may change."""
    opened, start = Opened(engine), pl.DataFrame({"k": [1, 2], "p": [0.25, 0.75]})

    def same(plan: Plan, state: Table) -> Table:
        return plan.selected("same", ("k",), state, p=col("p"))

    with opened.engine.scope():
        actual = iterate(opened.engine, start, ("k",), same, until=0.0)
    assert (actual.iterations, actual.changes, actual.converged) == (1, (0.0,), True)


def test_every_iteration_is_the_same_plan() -> None:
    """An iteration reads the state, and not how it was made: its statement does not grow."""
    rows, opened, texts = votes(), Opened("duckdb"), []

    def recorded(plan: Plan, state: Table) -> Table:
        next_state = step(plan, state, stored)
        texts.append(opened.engine.text(next_state.frame()))
        return next_state

    with opened.engine.scope():
        stored = opened.engine.materialise(opened.frame(rows))
        iterate(opened.engine, shares(rows), ("item", "truth"), recorded, until=0.0, at_most=30)
    assert len(texts) == 30
    assert max(map(len, texts)) - min(map(len, texts)) <= 10


@pytest.mark.parametrize("fails", [False, True])
def test_nothing_stays_in_the_database(*, fails: bool) -> None:
    rows = votes()
    with duckdb.connect() as con:
        con.execute("CREATE TABLE mine AS SELECT 1 AS x")
        engine = DuckDBEngine(con)

        def next_state(plan: Plan, state: Table) -> Table:
            if fails and len(con.sql("SELECT * FROM duckdb_tables()").fetchall()) > 3:
                raise ValueError("enough")
            return step(plan, state, stored)

        def run() -> None:
            nonlocal stored
            with engine.scope():
                stored = engine.materialise(engine.from_polars(rows))
                there = con.sql("SELECT count(*) FROM duckdb_tables()").fetchall()
                assert there == [(2,)]
                iterate(engine, shares(rows), ("item", "truth"), next_state, until=0.0, at_most=3)
                assert con.sql("SELECT count(*) FROM duckdb_tables()").fetchall() == [(3,)]
                if fails:
                    raise ValueError("later")

        stored = None
        if fails:
            with pytest.raises(ValueError, match="later"):
                run()
        else:
            run()
        assert con.sql("SELECT table_name FROM duckdb_tables()").fetchall() == [("mine",)]


def test_what_is_no_iteration() -> None:
    opened = Opened("polars")
    with pytest.raises(InvalidParameter, match=r"at least one iteration(.|\n)*at_most=100"):
        iterate(opened.engine, shares(votes()), ("item", "truth"), lambda _, s: s, at_most=0)
