"""Tables that read each other are cut into stages where they must be, and nowhere else."""

from __future__ import annotations

import polars as pl
import pytest

from ireval_frames.engines.opening import open_engine
from ireval_frames.engines.polars.engine import PolarsEngine
from ireval_frames.expr import col, lit
from ireval_frames.plan import Plan
from ireval_frames.plan.building import Read, cut, stage_of

ROWS = pl.DataFrame({"unit": [1, 1, 1, 2], "item": ["a", "b", "c", "d"], "x": [1.0, 2.0, 3.0, 4.0]})


def test_a_cut_that_nothing_needs_is_left_out() -> None:
    # `coarse` reads `fine` at two ranks, and only what it makes of the first goes back to `fine`.
    reads = [Read("coarse", 1, "fine", 0), Read("fine", 2, "coarse", 1), Read("coarse", 3, "fine", 2)]
    assert cut({"fine": [0, 2], "coarse": [1, 3]}, reads) == {"fine": [0, 2], "coarse": [1, 3]}
    assert cut({"fine": [0, 2], "coarse": [0, 1]}, reads[:2]) == {"fine": [0, 2], "coarse": [1]}
    alone = [Read("coarse", 1, "fine", 0), Read("coarse", 3, "fine", 2), Read("fine", 2, "other", 1)]
    assert cut({"fine": [0, 2], "coarse": [3], "other": [1]}, alone)["fine"] == [2]


def test_the_first_stage_that_has_a_rank() -> None:
    assert [stage_of([1, 4], rank) for rank in range(6)] == [0, 0, 1, 1, 1, 1]


@pytest.mark.parametrize("engine", ["polars", "duckdb"])
def test_there_and_back_twice(engine: str) -> None:
    """Distances to the mean, and of those the distances to their mean: a table of rows in three stages."""
    plan = Plan(open_engine(ROWS, engine, None))
    rows = plan.input("rows", ("unit", "item"), plan.engine.from_polars(ROWS))
    units = plan.grouped("units", rows, "unit")
    plan.unit = units
    first = rows.column((col("x") - rows.lookup(rows.mean(col("x")), of=units)).abs())
    second = rows.column((first - rows.lookup(rows.mean(first), of=units)).abs())
    total = rows.sum(second)
    actual = plan.engine.collect(units.frame().select("unit", total=total)).sort("unit")
    assert actual["total"].to_list() == pytest.approx([4 / 3, 0.0])


def test_independent_sums_are_one_group_by() -> None:
    """What is summed into a table at different ranks is summed together where nothing goes back in between."""
    grouped: list[int] = []

    class Counted(PolarsEngine):
        def group(self, frame, keys, aggregates):  # type: ignore[no-untyped-def]
            grouped.append(len(aggregates))
            return super().group(frame, keys, aggregates)

    plan = Plan(Counted())
    rows = plan.input("rows", ("unit", "item"), plan.engine.from_polars(ROWS))
    units, items = plan.grouped("units", rows, "unit"), plan.grouped("items", rows, "unit", "item")
    plan.unit = units
    share = items.column(items.lookup(rows.sum(col("x")), of=units) / 2.0)
    early, late = items.sum(lit(1.0), units), items.sum(share, units)
    back = {"early": rows.lookup(early, of=units), "late": rows.lookup(late, of=units)}
    actual = plan.engine.collect(rows.frame().select("item", **back)).sort("item")
    assert actual["late"].to_list() == [9.0, 9.0, 9.0, 2.0]
    assert actual["early"].to_list() == [3.0, 3.0, 3.0, 1.0]
    assert sorted(grouped) == [0, 1, 2]
