"""The operations of an engine, the same on each: joins and groups in which null is a key, sums, ranks, ranges."""

from __future__ import annotations

import functools
import math
import random

import polars as pl
import pytest

from ireval_frames.engines.base import Aggregate, Engine, Part, Ranking
from ireval_frames.expr import col, lit
from tests.planner.engines import EVERY, Opened

engines = pytest.mark.parametrize("engine", EVERY)


@engines
def test_joins(engine: str) -> None:
    """Null equals null; a column that both have is the left one's."""
    opened = Opened(engine)
    left = opened.frame(pl.DataFrame({"k": [1, 2, None], "v": ["a", "b", "c"]}))
    right = opened.frame(pl.DataFrame({"k": [1, None, 3], "v": ["x", "y", "z"], "w": [10, 20, 30]}))
    inner = opened.collect(opened.engine.join(left, right, ["k"], "inner"))
    assert inner.columns == ["k", "v", "w"]
    assert sorted(inner.rows(), key=str) == [(1, "a", 10), (None, "c", 20)]
    assert opened.collect(opened.engine.join(left, right, ["k"], "left")).sort("v").rows() == [
        (1, "a", 10),
        (2, "b", None),
        (None, "c", 20),
    ]
    assert opened.collect(opened.engine.join(left, right, [], "inner")).height == 9
    # Every combination, also with rows that have no column of their own.
    crossed = opened.engine.join(left, opened.frame(pl.DataFrame({"v": ["x", "y"]})), [], "inner")
    assert sorted(opened.collect(crossed)["v"].to_list()) == ["a", "a", "b", "b", "c", "c"]


@engines
def test_attach(engine: str) -> None:
    """Like the definition of the base: key by key, with zeros, and keys from an earlier part."""
    opened = Opened(engine)
    rows = opened.frame(pl.DataFrame({"k": [1, 2, None], "v": ["a", "b", "c"]}))
    sums = opened.frame(pl.DataFrame({"k": [1, None], "n": [1.5, None], "m": [7.0, 8.0]}))
    other = opened.frame(pl.DataFrame({"m": [7.0, None], "v": ["x", "y"], "w": ["p", "q"]}))
    constant = opened.frame(pl.DataFrame({"all": [3]}))
    parts = [Part(sums, ("k",), zero=("n",)), Part(other, ("m",)), Part(constant, ())]
    expected = [(1, "a", 1.5, 7.0, "p", 3), (2, "b", 0.0, None, "q", 3), (None, "c", 0.0, 8.0, None, 3)]
    for attach in (opened.engine.attach, functools.partial(Engine.attach, opened.engine)):
        actual = opened.collect(attach(rows, parts))
        assert actual.columns == ["k", "v", "n", "m", "w", "all"]
        assert actual.sort("v").rows() == expected
    assert opened.collect(opened.engine.attach(rows, [])).height == 3


@engines
def test_value_at_a_share(engine: str) -> None:
    """The first value that at least the share does not exceed, never one between two."""
    opened = Opened(engine)
    values = [4.0, 1.0, None, 3.0, 2.0, float("inf")]
    frame = opened.frame(pl.DataFrame({"k": [1] * 6 + [2], "x": [*values, None]}))
    shares = (0.0, 0.2 - 1e-13, 0.21, 0.6 - 1e-13, 0.61, 0.8 - 1e-13, 1.0)
    aggregates = [Aggregate(f"v{i}", "value_at", col("x"), at=share) for i, share in enumerate(shares)]
    rows = opened.collect(opened.engine.group(frame, ["k"], aggregates)).sort("k").rows()
    assert rows == [(1, 1.0, 1.0, 2.0, 3.0, 4.0, 4.0, float("inf")), (2, *[None] * 7)]


@engines
def test_groups(engine: str) -> None:
    opened = Opened(engine)
    frame = opened.frame(
        pl.DataFrame({"k": ["a", "a", None, "b"], "x": [1.0, None, 3.0, float("inf")], "i": [2**31, 2**31, 1, 1]})
    )
    aggregates = [Aggregate(n, n, col("x")) for n in ("sum", "mean", "max", "min", "count", "plain_sum", "present")]
    actual = opened.collect(opened.engine.group(frame, ["k"], aggregates)).sort("k", nulls_last=True)
    infinite = float("inf")
    assert actual.rows() == [
        ("a", 1.0, 1.0, 1.0, 1.0, 2.0, 1.0, 1.0),
        ("b", *[infinite] * 4, 1.0, infinite, 1.0),
        (None, 3.0, 3.0, 3.0, 3.0, 1.0, 3.0, 1.0),
    ]
    assert opened.collect(opened.engine.group(frame, ["k"], [])).height == 3
    total = opened.collect(
        opened.engine.group(
            frame, [], [Aggregate("i", "sum", col("i").cast(pl.Float64)), Aggregate("n", "count", lit(1.0))]
        )
    )
    assert total.rows() == [(2.0**32 + 2, 4.0)]


@engines
def test_ordered_sums_are_those_of_a_loop(engine: str) -> None:
    """Bit for bit: one term after another in the requested order, for any order of the rows."""
    rng = random.Random(2)
    rows = [(key, rank, rng.random() * 10.0 ** rng.randint(-8, 8)) for key in "abc" for rank in range(1000)]
    expected = {}
    for key, _, value in rows:
        expected[key] = expected.get(key, 0.0) + value
    opened = Opened(engine)
    frame = opened.frame(pl.DataFrame(rng.sample(rows, len(rows)), schema=["k", "rank", "x"], orient="row"))
    actual = dict(
        opened.collect(opened.engine.group(frame, ["k"], [Aggregate("s", "sum", col("x"), order="rank")])).iter_rows()
    )
    assert actual == expected
    exact = {key: math.fsum(v for k, _, v in rows if k == key) for key in "abc"}
    assert expected != exact


@engines
@pytest.mark.parametrize("depth", [None, 2])
@pytest.mark.parametrize("partner", [True, False])
def test_ranks(engine: str, depth: int | None, *, partner: bool) -> None:
    opened = Opened(engine)
    frame = opened.frame(
        pl.DataFrame({"q": ["x", "x", "x", "y", "y"], "d": ["a", "b", "c", "a", "b"], "s": [1.0, 2.0, 2.0, -0.0, 0.0]})
    )
    expected = {("x", "c"): 1, ("x", "b"): 2, ("x", "a"): 3, ("y", "b"): 1, ("y", "a"): 2}
    beside = opened.frame(pl.DataFrame({"q": ["x", "x", "y"], "d": ["a", "b", "b"]}))
    ranking = Ranking(("q",), (("s", True), ("d", True)), depth=depth, on=("q", "d") if partner else ())
    ranked = opened.engine.rank(frame, ranking, beside)
    ranked.check()
    rows = ranked.rows()
    rows = opened.engine.join(rows, beside, ["q", "d"], "inner") if partner else rows
    actual = {(q, d): r for q, d, r in opened.collect(rows.select("q", "d", "rank")).iter_rows()}
    requested = {("x", "a"), ("x", "b"), ("y", "b")} if partner else set(expected)
    assert actual == {key: rank for key, rank in expected.items() if key in requested and rank <= (depth or 9)}
    assert opened.collect(ranked.groups()).sort("q").rows() == [("x", min(3, depth or 9)), ("y", 2)]
    in_order = opened.collect(opened.engine.ranked_in_order(frame, ranking).select("q", "d", "rank"))
    rows_in_order = [(*key, rank) for key, rank in expected.items() if rank <= (depth or 9)]
    assert (in_order if opened.engine.ordered_rows else in_order.sort("q", "rank")).rows() == rows_in_order


def test_many_rows_in_order(monkeypatch: pytest.MonkeyPatch) -> None:
    """A table that is not ranked by its plan alone is sorted, computed once and read."""
    monkeypatch.setattr("ireval_frames.engines.polars.ranked_table.FEW_ROWS", 0)
    monkeypatch.setattr("ireval_frames.engines.polars.engine.FEW_ROWS", 0)
    opened, rng = Opened("polars"), random.Random(5)
    rows = [(q, d, float(rng.choice([-1, -0.0, 0, 2]))) for q in "abc" for d in range(20)]
    frame = opened.frame(pl.DataFrame(rng.sample(rows, len(rows)), ["q", "d", "s"], orient="row"))
    once = opened.engine.compute_once(frame, in_parts=True)
    ranking = Ranking(("q",), (("s", True), ("d", False)), depth=7)
    actual = opened.collect(opened.engine.ranked_in_order(once, ranking).select("q", "d", "s", "rank"))
    expected = []
    for query in "abc":
        ordered = sorted((row for row in rows if row[0] == query), key=lambda row: (-row[2], row[1]))
        expected += [(*row, rank) for rank, row in enumerate(ordered[:7], 1)]
    assert actual.rows() == expected


@engines
def test_expand_range(engine: str) -> None:
    opened = Opened(engine)
    frame = opened.frame(pl.DataFrame({"k": ["a", "b", "c"], "low": [1, 3, 0], "high": [3, 2, 0]}))
    actual = opened.collect(opened.engine.expand_range(frame, "low", "high", "i").select("k", "i")).sort("k", "i")
    assert actual.rows() == [("a", 1), ("a", 2), ("a", 3), ("c", 0)]


@engines
def test_compute_once(engine: str) -> None:
    opened = Opened(engine)
    frame = opened.engine.compute_once(opened.frame(pl.DataFrame({"x": [1, 2]})))
    assert frame.collect_schema().names() == ["x"]
    assert opened.collect(frame).rows() == opened.collect(frame).rows() == [(1,), (2,)]


@engines
def test_python_functions_of_a_table(engine: str) -> None:
    """The keys keep their types; an empty table is a table."""
    opened = Opened(engine)
    frame = opened.frame(pl.DataFrame({"k": ["a", "a", "b"], "x": [1.0, 2.0, 5.0]}))

    def largest(rows: pl.DataFrame) -> pl.DataFrame:
        return rows.group_by("k").agg(pl.col("x").max().alias("most"))

    largest_rows = opened.engine.apply(frame, largest, ["k"], ["k"], {"most": pl.Float64})
    assert sorted(opened.collect(largest_rows).rows()) == [("a", 2.0), ("b", 5.0)]
    joined = opened.engine.join(frame, largest_rows, ["k"], "left")
    assert sorted(opened.collect(joined.with_columns(less=col("x") - col("most"))).rows()) == [
        ("a", 1.0, 2.0, -1.0),
        ("a", 2.0, 2.0, 0.0),
        ("b", 5.0, 5.0, 0.0),
    ]
    assert opened.collect(
        opened.engine.apply(frame.filter(col("x") > 9), largest, ["k"], ["k"], {"most": pl.Float64})
    ).is_empty()


@engines
def test_a_group_without_keys_is_all_rows(engine: str) -> None:
    opened = Opened(engine)
    frame = opened.frame(pl.DataFrame({"x": [1.0, 2.0, 4.0]}))
    aggregates = [
        Aggregate("n", "count", lit(1.0)),
        Aggregate("ones", "sum", lit(1.0)),
        Aggregate("most", "max", col("x")),
    ]
    assert opened.collect(opened.engine.group(frame, [], aggregates)).rows() == [(3.0, 3.0, 4.0)]
    assert opened.collect(opened.engine.group(frame, [], aggregates[:1])).rows() == [(3.0,)]
    assert opened.collect(opened.engine.group(frame.filter(col("x") > 9), [], aggregates[:2])).rows() == [(0.0, 0.0)]


def test_duckdb_materialises_a_shared_subquery() -> None:
    """DuckDB alone repeats a subquery whose readers select different columns."""
    opened = Opened("duckdb")
    rows = opened.frame(pl.DataFrame({"k": ["a", "a", "b"], "x": [1.0, 2.0, 5.0]}))
    shared = opened.engine.shared(
        opened.engine.group(rows, ["k"], [Aggregate("s", "sum", col("x")), Aggregate("m", "max", col("x"))])
    )
    left, right = shared.select("k", "s"), shared.filter(col("m") > 2).select("k", "m")
    joined = opened.engine.join(left, right, ["k"], "left")
    text = opened.engine.text(joined)
    assert text.count("AS MATERIALIZED (") == 1
    assert sorted(opened.collect(joined).rows()) == [("a", 3.0, None), ("b", 5.0, 5.0)]
