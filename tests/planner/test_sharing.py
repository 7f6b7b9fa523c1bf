"""What a plan shares and how it is layered.

Equal requests are one column, tables are built once, and it says who asked.
"""

from __future__ import annotations

import narwhals.stable.v2 as nw
import polars as pl
import pytest

from ireval_frames.engines import expressions
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


def name(expr: nw.Expr) -> str:
    return expressions.name(expr)


def test_equal_requests_share_a_column() -> None:
    _, rows = started(Opened("polars"))
    once = rows.column(nw.col("x") * 2.0)
    assert name(once) == name(rows.column(nw.col("x") * 2.0))
    assert name(once) != name(rows.column(nw.col("x") * 2))
    assert name(once) != name(rows.column(nw.col("x") * 3.0))
    assert name(rows.sum(once)) == name(rows.sum(nw.col(name(once))))
    assert name(rows.sum(once)) != name(rows.max(once))
    assert name(rows.over(nw.col("x").sum())) == name(rows.over(nw.col("x").sum(), ("unit",)))
    assert name(rows.over(nw.col("x").sum())) != name(rows.over(nw.col("x").sum(), ("group",)))
    assert len(rows.asked) == 5


def test_a_plain_column_is_itself() -> None:
    _, rows = started(Opened("polars"))
    assert name(rows.column(nw.col("x"))) == "x"
    assert not rows.asked


@engines
def test_layers(engine: str) -> None:
    """A column may read any column asked for before it, over windows and sums, in any depth."""
    opened = Opened(engine)
    plan, rows = started(opened)
    running = rows.over(nw.col("x").cum_sum(), order_by=["at"])
    share = rows.column(running / rows.over(nw.col("x").sum()))
    largest = rows.max(rows.column(share * share))
    value = plan.unit.column(largest + 1.0)
    found = opened.collect(plan.unit.frame().select("unit", value=value)).sort("unit")
    # u in the order of `at`: rows of at=1 come before at=2.
    assert found["value"].to_list() == [2.0, 2.0]


@engines
def test_aggregates(engine: str) -> None:
    opened = Opened(engine)
    plan, rows = started(opened)
    groups = plan.grouped("groups", rows, "unit", "group")
    sizes = rows.count(into=groups)
    asked = {
        "sum": rows.sum(nw.col("x")),
        "mean": rows.mean(nw.col("x")),
        "max": rows.max(nw.col("x")),
        "min": rows.min(nw.col("x")),
        "count": rows.count(),
        "groups": groups.count(),
        "largest": groups.max(sizes),
        "mean_of_sums": groups.mean(rows.sum(nw.col("x"), into=groups)),
    }
    found = opened.collect(plan.unit.frame().select("unit", **asked)).sort("unit")
    assert found.rows() == [
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
    asked = {
        "sum": rows.sum(nw.col("x")),
        "n": rows.count(),
        "mean": rows.mean(nw.col("x")),
        "max": rows.max(nw.col("x")),
    }
    found = opened.collect(plan.unit.frame().select("unit", **asked)).sort("unit")
    assert found.rows() == [("u", 6.0, 3.0, 2.0, 3.0), ("w", 0.0, 0.0, None, None)]


@engines
def test_made_of_others(engine: str) -> None:
    """Joined, picked, stacked and spread tables."""
    opened = Opened(engine)
    plan, rows = started(opened)
    marks = plan.input("marks", ("group",), opened.frame(pl.DataFrame({"group": ["a", "c"], "mark": [10.0, 30.0]})))
    inner = plan.joined("inner", rows.keys, rows, marks, on=("group",))
    left = plan.joined("left", rows.keys, rows, marks, on=("group",), how="left")
    every = plan.joined(
        "every", ("unit", "at", "mark"), rows, plan.picked("only_marks", ("mark",), marks, mark=nw.col("mark"))
    )
    some = plan.picked("some", rows.keys, rows, where=nw.col("x") > 1.5)
    steps = plan.spread("steps", "step", rows, nw.lit(1), nw.col("x"))
    counts = {
        "inner": inner.count(),
        "left": left.count(),
        "every": every.count(),
        "some": some.count(),
        "steps": steps.count(),
        "last": steps.max(nw.col("step")),
    }
    found = opened.collect(plan.unit.frame().select("unit", **counts)).sort("unit")
    assert found.rows() == [("u", 2.0, 3.0, 6.0, 2.0, 6.0, 3), ("v", 1.0, 1.0, 2.0, 1.0, 4.0, 4)]


def test_a_table_that_carries_another_needs_no_join() -> None:
    opened = Opened("polars")
    plan, rows = started(opened)
    marks = plan.input("marks", ("group",), opened.frame(pl.DataFrame({"group": ["a"], "mark": [1.0]})))
    both = plan.joined("both", rows.keys, rows, marks, on=("group",))
    twice = rows.column(nw.col("x") * 2.0)
    assert name(both.take(twice, of=rows)) == name(twice)
    assert not both._taken
    assert opened.collect(both.frame())[name(twice)].to_list() == [2.0, 4.0, 8.0]


def test_only_what_is_asked_for_is_built() -> None:
    opened = Opened("polars")
    plan, rows = started(opened)
    plan.grouped("idle", rows, "group")
    plan.unit.frame()
    assert set(plan.built) == {"rows", "units"}
    assert plan.unit.frame() is plan.unit.frame()


def test_taking_back_what_a_table_gave_is_refused() -> None:
    """A sum of the rows cannot be a column of the rows: that is a window, or a joined table."""
    plan, rows = started(Opened("polars"))
    rows.take(rows.sum(nw.col("x")), of=plan.unit)
    with pytest.raises(RecursionError, match="made from itself"):
        plan.unit.frame()


def test_a_table_made_from_itself_is_refused() -> None:
    plan = Plan(Opened("polars").engine)
    loop = plan.input("loop", ("x",), lambda: plan.tables["loop"].frame().select("x"))
    with pytest.raises(RecursionError, match="loop"):
        loop.frame()


def test_who_asked() -> None:
    plan, rows = started(Opened("polars"))
    for who in ("AP", "P@5", "AP"):
        with plan.asked_by(who):
            column = rows.sum(nw.col("x"))
    asked = plan.unit.asked[name(column)]
    assert asked.askers == ["AP", "P@5"]
    assert asked.what == "sum over rows of x"
    assert plan.asking == ""


@engines
def test_requirements(engine: str) -> None:
    opened = Opened(engine)
    plan, rows = started(opened)

    def error(bad: pl.DataFrame, count: int) -> ValueError:
        return ValueError(f"{count} above: {sorted(bad['x'])}")

    plan.require(rows, nw.col("x") > 10.0, error)
    plan.check()
    for _ in range(2):
        plan.require(rows, nw.col("x") > 2.0, error)
    assert len(plan.requirements) == 2
    with pytest.raises(ValueError, match=r"2 above: \[3\.0, 4\.0\]"):
        plan.check()
