"""Groups, units and classifiers in one call give what each gives alone."""

from __future__ import annotations

import polars as pl
import pytest

import ireval_frames as ir
from tests.contract.asked import nothing_differs
from tests.labels.asked import ENGINES, SOME, by_measure, evaluated, expected, values
from tests.labels.worlds import World, world
from tests.oracles import labels as oracle

engines = pytest.mark.parametrize("engine", ENGINES)
GROUPED = world(5, runs=3, rounds=1)
# Planning many measures takes DuckDB long, and groups are made alike for all.
MEASURES = {"polars": SOME["text"], "duckdb": SOME["text"][::3]}


def grouped() -> pl.DataFrame:
    """Groups of several units, one of which has one unit only and one holds nulls alone."""
    group = pl.when(pl.col("part").str.contains("one_right")).then(pl.lit("alone"))
    group = group.when(pl.col("part").str.contains("neither")).then(pl.lit("none"))
    return GROUPED.frame("run0").with_columns(group=group.otherwise(pl.col("part").str.slice(1, 1)), Day=pl.lit("x"))


@engines
def test_a_group_is_the_group_alone(engine: str) -> None:
    frame = grouped()
    found = ir.Labels(frame, by="group", positive=GROUPED.positive, engine=engine).evaluate(MEASURES[engine]).summary()
    assert found.columns == ["group", "measure", "value", "n_units", "n_undefined"]
    assert found.height == frame["group"].n_unique() * len(MEASURES[engine])
    units = GROUPED.units["run0"]
    of_group = {group: part["part"].unique().to_list() for (group,), part in frame.group_by("group")}
    for row in found.iter_rows(named=True):
        measure = next(m for m in MEASURES[engine] if str(m) == row["measure"])
        rows = [r for u in sorted(of_group[row["group"]]) for r in units[u]]
        merged = World({"run0": {"all": rows}}, GROUPED.positive)
        wanted = oracle.value(
            measure.name, merged.items("run0", "all"), positive=merged.positive, **dict(measure.values)
        )
        assert row["value"] == (None if wanted is None else pytest.approx(wanted, rel=1e-12, abs=1e-12)), row
        assert (row["n_units"], row["n_undefined"]) == (1, int(wanted is None))


def test_a_group_alone_in_its_table() -> None:
    frame = grouped()
    measures = SOME["text"][1::3]
    together = ir.Labels(frame, by="group", positive=GROUPED.positive).evaluate(measures).summary()
    for (group,), part in frame.group_by("group"):
        alone = ir.Labels(part.drop("group"), positive=GROUPED.positive).evaluate(measures).summary()
        rows = together.filter(pl.col("group") == group)
        nothing_differs(
            dict(rows.select("measure", "value").rows()), dict(alone.select("measure", "value").rows()), 1e-12
        )


@engines
def test_several_classifiers(engine: str) -> None:
    found = by_measure(evaluated(GROUPED, MEASURES[engine], engine))
    for measure in MEASURES[engine]:
        nothing_differs(found[str(measure)], expected(GROUPED, measure), 1e-12)
    alone = values(
        ir.Labels(GROUPED.frame("run1"), unit="part", positive=GROUPED.positive, engine=engine).evaluate(
            MEASURES[engine]
        )
    )
    together = {(m, u): v for of in found.values() for (m, r, u), v in of.items() if r == "run1"}
    nothing_differs(together, alone, 1e-12)


@engines
def test_units_are_averaged(engine: str) -> None:
    """The summary is the mean over the units whose value is defined, by group and classifier."""
    frame = GROUPED.frame().join(grouped().select("part", "group").unique(), on="part")
    evaluation = ir.Labels(frame, unit="part", by="group", positive=GROUPED.positive, engine=engine).evaluate(
        "MCC NumItems LRPlus(average='micro')"
    )
    units, summary = evaluation.per_unit(), evaluation.summary()
    assert units.columns == ["run_id", "group", "part", "measure", "value"]
    assert summary.columns == ["run_id", "group", "measure", "value", "n_units", "n_undefined"]
    for row in summary.iter_rows(named=True):
        found = units.filter(run_id=row["run_id"], group=row["group"], measure=row["measure"])["value"]
        wanted = found.sum() if row["measure"] == "NumItems" else found.mean()
        assert row["value"] == (None if wanted is None else pytest.approx(wanted, rel=1e-12))
        assert (row["n_units"], row["n_undefined"]) == (found.len(), found.null_count())
    assert summary["n_undefined"].sum() > 0


@engines
def test_by_of_the_call_wins(engine: str) -> None:
    labels = ir.Labels(grouped(), by="group", engine=engine)
    assert labels.evaluate("Accuracy", by=["Day", "group"]).summary().columns[:2] == ["Day", "group"]
    assert labels.evaluate("Accuracy", by=()).summary().height == 1
