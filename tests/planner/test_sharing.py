"""What a plan shares and how it is layered.

Equal requests are one column, tables are built once, and requests are recorded.
"""

from __future__ import annotations

import polars as pl
import pytest

from ireval_frames.expr import Expr, col, lit, when
from ireval_frames.plan import Plan, Table
from tests.planner.engines import ENGINES, Opened

ROWS = pl.DataFrame(
    {"unit": ["u", "u", "u", "v"], "group": ["a", "a", "b", "a"], "x": [1.0, 2.0, 3.0, 4.0], "at": [2, 1, 1, 1]}
)
engines = pytest.mark.parametrize("engine", ENGINES)


def started(opened: Opened) -> tuple[Plan, Table]:
    plan = Plan(opened.engine)
    rows = plan.input("rows", ("unit", "at"), opened.frame(ROWS), order="at")
    plan.unit = plan.grouped("units", rows, "unit")
    return plan, rows


def name(expr: Expr) -> str:
    return expr.name


def test_equal_requests_share_a_column() -> None:
    _, rows = started(Opened("polars"))
    once = rows.column(col("x") * 2.0)
    assert name(once) == name(rows.column(col("x") * 2.0))
    assert name(once) != name(rows.column(col("x") * 2))
    assert name(once) != name(rows.column(col("x") * 3.0))
    assert name(rows.sum(once)) == name(rows.sum(col(name(once))))
    assert name(rows.sum(once)) != name(rows.max(once))
    assert name(rows.over(col("x").sum())) == name(rows.over(col("x").sum(), ("unit",)))
    assert name(rows.over(col("x").sum())) != name(rows.over(col("x").sum(), ("group",)))
    assert len(rows.requests) == 5


def test_a_plain_column_is_itself() -> None:
    _, rows = started(Opened("polars"))
    assert name(rows.column(col("x"))) == "x"
    assert not rows.requests


@engines
def test_layers(engine: str) -> None:
    """A column may read any column asked for before it, over windows and sums, in any depth."""
    opened = Opened(engine)
    plan, rows = started(opened)
    running = rows.over(col("x").cum_sum(), order_by=["at"])
    share = rows.column(running / rows.over(col("x").sum()))
    largest = rows.max(rows.column(share * share))
    value = plan.unit.column(largest + 1.0)
    actual = opened.collect(plan.unit.frame().select("unit", value=value)).sort("unit")
    # u in the order of `at`: rows of at=1 come before at=2.
    assert actual["value"].to_list() == [2.0, 2.0]


@engines
def test_aggregates(engine: str) -> None:
    opened = Opened(engine)
    plan, rows = started(opened)
    groups = plan.grouped("groups", rows, "unit", "group")
    sizes = rows.count(into=groups)
    request = {
        "sum": rows.sum(col("x")),
        "mean": rows.mean(col("x")),
        "max": rows.max(col("x")),
        "min": rows.min(col("x")),
        "count": rows.count(),
        "groups": groups.count(),
        "largest": groups.max(sizes),
        "mean_of_sums": groups.mean(rows.sum(col("x"), into=groups)),
    }
    actual = opened.collect(plan.unit.frame().select("unit", **request)).sort("unit")
    assert actual.rows() == [
        ("u", 6.0, 2.0, 3.0, 1.0, 3.0, 2.0, 2.0, 3.0),
        ("v", 4.0, 4.0, 4.0, 4.0, 1.0, 1.0, 1.0, 4.0),
    ]


@engines
def test_sums_into_a_spine_that_has_more(engine: str) -> None:
    """Which units exist is the spine's say: without rows a sum and a count are 0, a mean is null."""
    opened = Opened(engine)
    plan = Plan(opened.engine)
    rows = plan.input("rows", ("unit", "at"), opened.frame(ROWS))
    plan.unit = plan.input("units", ("unit",), opened.frame(pl.DataFrame({"unit": ["u", "w"]})))
    request = {
        "sum": rows.sum(col("x")),
        "n": rows.count(),
        "mean": rows.mean(col("x")),
        "max": rows.max(col("x")),
    }
    actual = opened.collect(plan.unit.frame().select("unit", **request)).sort("unit")
    assert actual.rows() == [("u", 6.0, 3.0, 2.0, 3.0), ("w", 0.0, 0.0, None, None)]


@engines
def test_made_of_others(engine: str) -> None:
    """Joined, picked, stacked and spread tables."""
    opened = Opened(engine)
    plan, rows = started(opened)
    marks = plan.input("marks", ("group",), opened.frame(pl.DataFrame({"group": ["a", "c"], "mark": [10.0, 30.0]})))
    inner = plan.joined("inner", rows.keys, rows, marks, on=("group",))
    left = plan.joined("left", rows.keys, rows, marks, on=("group",), how="left")
    every = plan.joined(
        "every", ("unit", "at", "mark"), rows, plan.selected("only_marks", ("mark",), marks, mark=col("mark"))
    )
    some = plan.selected("some", rows.keys, rows, where=col("x") > 1.5)
    steps = plan.expand_range("steps", "step", rows, lit(1), col("x"))
    counts = {
        "inner": inner.count(),
        "left": left.count(),
        "every": every.count(),
        "some": some.count(),
        "steps": steps.count(),
        "last": steps.max(col("step")),
    }
    actual = opened.collect(plan.unit.frame().select("unit", **counts)).sort("unit")
    assert actual.rows() == [("u", 2.0, 3.0, 6.0, 2.0, 6.0, 3), ("v", 1.0, 1.0, 2.0, 1.0, 4.0, 4)]


def test_a_table_that_carries_another_needs_no_join() -> None:
    opened = Opened("polars")
    plan, rows = started(opened)
    marks = plan.input("marks", ("group",), opened.frame(pl.DataFrame({"group": ["a"], "mark": [1.0]})))
    both = plan.joined("both", rows.keys, rows, marks, on=("group",))
    twice = rows.column(col("x") * 2.0)
    assert name(both.lookup(twice, of=rows)) == name(twice)
    assert not both.links
    assert opened.collect(both.frame())[name(twice)].to_list() == [2.0, 4.0, 8.0]


def test_only_what_is_requested_is_built() -> None:
    opened = Opened("polars")
    plan, rows = started(opened)
    plan.grouped("idle", rows, "group")
    plan.unit.frame()
    assert {t.name for t in plan.built_tables} == {"rows", "units"}
    assert plan.unit.frame() is plan.unit.frame()


@engines
def test_round_trips_between_tables(engine: str) -> None:
    """Sums go up, come down to the rows, and what is made of them there goes up again, as often as it is asked."""
    opened = Opened(engine)
    plan, rows = started(opened)
    groups = plan.grouped("groups", rows, "unit", "group")
    x = col("x")
    share = rows.column(x / rows.lookup(rows.sum(x, into=groups), of=groups))
    odd = rows.column(share / rows.lookup(rows.max(share), of=plan.unit))
    request = {"shares": rows.sum(share), "odds": rows.sum(odd), "groups": groups.max(rows.sum(odd, into=groups))}
    actual = opened.collect(plan.unit.frame().select("unit", **request)).sort("unit")
    # u: shares 1/3, 2/3 of group a and 1 of b, the largest 1; v: 1.
    assert [r[0] for r in actual.rows()] == ["u", "v"]
    assert [v for r in actual.rows() for v in r[1:]] == pytest.approx([2.0, 2.0, 1.0, 1.0, 1.0, 1.0])
    text = plan.engine.text(plan.unit.frame()) if engine == "duckdb" else ""
    assert engine == "polars" or all(f"{name}_part" in text for name in ("rows", "units"))


@engines
def test_a_joined_table_that_feeds_what_it_is_made_of(engine: str) -> None:
    opened = Opened(engine)
    plan = Plan(opened.engine)
    rows = plan.input("rows", ("unit", "x"), opened.frame(ROWS))
    plan.unit = plan.grouped("units", rows, "unit")
    other = plan.selected("others", ("unit", "other_x"), rows, other_x=col("x"))
    two = plan.joined("two", ("unit", "x", "other_x"), rows, other, on=("unit",))
    larger = two.sum(when(col("other_x") > col("x")).then(1.0).otherwise(0.0), into=rows)
    n = rows.sum(rows.column(larger * col("x")))
    actual = opened.collect(plan.unit.frame().select("unit", n=n)).sort("unit")
    # u: one other row is larger than 2.0, and two are larger than 1.0.
    assert actual.rows() == [("u", 1.0 * 2 + 2.0 * 1), ("v", 0.0)]


def test_a_column_that_needs_itself_is_refused() -> None:
    plan, rows = started(Opened("polars"))
    looped = rows.lookup(rows.sum(col("x")), of=plan.unit)
    plan.unit.links[name(rows.sum(col("x")))].aggregate.__dict__["expr"] = looped
    with pytest.raises(RecursionError, match="computed from itself"):
        plan.unit.frame()


def test_a_table_made_from_itself_is_refused() -> None:
    plan = Plan(Opened("polars").engine)
    loop = plan.input("loop", ("x",), lambda: plan.tables["loop"].frame().select("x"))
    with pytest.raises(RecursionError, match="loop"):
        loop.frame()


def test_who_requested() -> None:
    plan, rows = started(Opened("polars"))
    for who in ("AP", "P@5", "AP"):
        with plan.requesting(who):
            column = rows.sum(col("x"))
    request = plan.unit.requests[name(column)]
    assert request.requested_by == ["AP", "P@5"]
    assert request.what == "sum over rows of x"
    assert plan.requested_by == ""


@engines
def test_requirements(engine: str) -> None:
    opened = Opened(engine)
    plan, rows = started(opened)

    def error(bad: pl.DataFrame, count: int) -> ValueError:
        return ValueError(f"{count} above: {sorted(bad['x'])}")

    plan.require(rows, col("x") > 10.0, error)
    plan.check()
    for _ in range(2):
        plan.require(rows, col("x") > 2.0, error)
    assert len(plan.requirements) == 2
    with pytest.raises(ValueError, match=r"2 above: \[3\.0, 4\.0\]"):
        plan.check()
