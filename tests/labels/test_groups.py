"""Groups, units and classifiers in one call give what each gives alone."""

from __future__ import annotations

import polars as pl
import pytest

import ireval_frames as ir
from tests.contract.kit import ENGINES
from tests.labels.cases import Case, make_case
from tests.labels.suite import FIRST, scale_of
from tests.oracles import labels as oracle

engines = pytest.mark.parametrize("engine", ENGINES)
GROUPED = make_case(5, runs=3, rounds=1)


def grouped() -> pl.DataFrame:
    """Groups of several units, one of which has one unit only and one holds nulls alone."""
    group = pl.when(pl.col("part").str.contains("one_right")).then(pl.lit("alone"))
    group = group.when(pl.col("part").str.contains("neither")).then(pl.lit("none"))
    return GROUPED.frame("run0").with_columns(group=group.otherwise(pl.col("part").str.slice(1, 1)), Day=pl.lit("x"))


@engines
def test_a_group_is_the_group_alone(engine: str) -> None:
    frame = grouped()
    options = {"positive": GROUPED.positive, "categories": scale_of(GROUPED), "engine": engine}
    actual = ir.Labels(frame, by="group", **options).evaluate(FIRST).summary()
    assert actual.columns == ["group", "measure", "value", "n_units", "n_undefined"]
    assert actual.height == frame["group"].n_unique() * len(FIRST)
    units = GROUPED.units["run0"]
    of_group = {group: part["part"].unique().to_list() for (group,), part in frame.group_by("group")}
    for row in actual.iter_rows(named=True):
        measure = next(m for m in FIRST if str(m) == row["measure"])
        rows = [r for u in sorted(of_group[row["group"]]) for r in units[u]]
        merged = Case({"run0": {"all": rows}}, GROUPED.positive)
        expected = oracle.value(
            measure.name, merged.items("run0", "all"), positive=merged.positive, **dict(measure.values)
        )
        assert row["value"] == (None if expected is None else pytest.approx(expected, rel=1e-12, abs=1e-12)), row
        assert (row["n_units"], row["n_undefined"]) == (1, int(expected is None))


@engines
def test_by_of_the_call_wins(engine: str) -> None:
    labels = ir.Labels(grouped(), by="group", engine=engine)
    assert labels.evaluate("Accuracy", by=["Day", "group"]).summary().columns[:2] == ["Day", "group"]
    assert labels.evaluate("Accuracy", by=()).summary().height == 1
