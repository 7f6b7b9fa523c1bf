"""Names of tables and columns in a plan: equal names with different meanings never pass for one another."""

from __future__ import annotations

import polars as pl
import pytest

from ireval_frames.errors import NotDefined
from ireval_frames.expr import col, lit
from ireval_frames.plan import Plan, Table
from tests.planner.engines import ENGINES, Opened

ROWS = pl.DataFrame({"unit": ["u", "u", "v"], "x": [1.0, 2.0, 4.0]})
engines = pytest.mark.parametrize("engine", ENGINES)


def summed(rows: pl.DataFrame) -> pl.DataFrame:
    """The sum of x."""
    return rows.group_by("unit").agg(matched=pl.col("x").sum())


def largest(rows: pl.DataFrame) -> pl.DataFrame:
    """The largest x."""
    return rows.group_by("unit").agg(matched=pl.col("x").max())


def started(opened: Opened) -> tuple[Plan, Table]:
    plan = Plan(opened.engine)
    rows = plan.input("rows", ("unit", "x"), opened.frame(ROWS))
    plan.unit = plan.grouped("units", rows, "unit")
    return plan, rows


@engines
@pytest.mark.parametrize("order", [("sums", "tops"), ("tops", "sums")])
def test_two_tables_with_a_column_of_one_name(engine: str, order: tuple[str, str]) -> None:
    """Each value taken from one of them is its own, in whatever order they are asked for."""
    opened = Opened(engine)
    plan, rows = started(opened)
    requested = {}
    for name in order:
        function = {"sums": summed, "tops": largest}[name]
        table = plan.applied(name, ("unit",), rows, function, {"matched": pl.Float64}, by=("unit",))
        requested[name] = plan.unit.column(plan.unit.lookup(col("matched"), of=table) + 0.0)
    actual = opened.collect(plan.unit.frame().select("unit", **requested)).sort("unit")
    assert actual.select("sums", "tops").rows() == [(3.0, 2.0), (4.0, 4.0)]


@engines
def test_a_column_named_like_one_of_the_units(engine: str) -> None:
    opened = Opened(engine)
    plan, rows = started(opened)
    plan.unit = plan.input("places", ("unit",), opened.frame(pl.DataFrame({"unit": ["u", "v"], "matched": [7.0, 8.0]})))
    table = plan.applied("sums", ("unit",), rows, summed, {"matched": pl.Float64}, by=("unit",))
    taken = plan.unit.lookup(col("matched"), of=table)
    both = {"own": plan.unit.column(col("matched") * 1.0), "taken": plan.unit.column(taken * 1.0)}
    actual = opened.collect(plan.unit.frame().select("unit", **both)).sort("unit")
    assert actual.rows() == [("u", 7.0, 3.0), ("v", 8.0, 4.0)]


def test_one_name_for_two_tables_is_refused() -> None:
    plan, rows = started(Opened("polars"))
    x = col("x")
    plan.selected("some", ("unit",), rows, where=x > 1.0)
    assert plan.selected("some", ("unit",), rows, where=x > 1.0) is plan.tables["some"]
    other_ways = [
        lambda: plan.selected("some", ("unit",), rows, where=x > 2.0),
        lambda: plan.selected("some", ("unit", "x"), rows, where=x > 1.0),
        lambda: plan.selected("some", ("unit",), plan.unit, where=x > 1.0),
        lambda: plan.grouped("some", rows, "unit"),
        lambda: plan.applied("some", ("unit",), rows, summed, {"matched": pl.Float64}, by=("unit",)),
        lambda: plan.expand_range("some", "step", rows, lit(1), x),
        lambda: plan.set_ids("some", ("unit",), rows, "x", "set"),
        lambda: plan.constant("some", ("unit",), ROWS),
    ]
    for make in other_ways:
        with pytest.raises(NotDefined, match=r"Two tables are called 'some'(.|\n)*another name"):
            make()
    plan.applied("made", ("unit",), rows, summed, {"matched": pl.Float64}, by=("unit",))
    with pytest.raises(NotDefined, match="Two tables are called 'made'"):
        plan.applied("made", ("unit",), rows, largest, {"matched": pl.Float64}, by=("unit",))
