"""Measures of one's own of whatever names, over groups of whatever names: no column of the plan passes for another."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import ireval_frames as ir
from ireval_frames import catalog
from tests.planner.engines import ENGINES

# Parts of names that the plan has itself: of keys, of their aliases, of sums and of tables.
PARTS = ("by", "unit", "other", "sum", "count", "total", "n", "value", "run_id", "query_id", "item_id", "class_id", "m")
PART = st.sampled_from(PARTS)
MEASURES = st.lists(PART | st.from_regex(r"[A-Za-z_][A-Za-z_0-9]{0,6}", fullmatch=True), min_size=1, max_size=2)
GROUPS = st.lists(PART | st.text("abyB_é .0", min_size=1, max_size=5), min_size=2, max_size=3, unique_by=str.casefold)
RESERVED = (
    "query_id",
    "doc_id",
    "relevance",
    "score",
    "label",
    "prediction",
    "item_id",
    "value",
    "measure",
    "run_id",
    "class_id",
    "n_items",
    "n_classes",
)
ROWS = 8


def declared(family: str, name: str) -> Any:
    """A measure that asks for a sum over the rows and for a column of the unit."""

    def of_labels(u: Any) -> Any:
        """How many items are right."""
        return u.ratio(u.correct * 3.0, u.total) + u.total

    def of_queries(q: Any) -> Any:
        """How many relevant documents there are."""
        return q.sum(q.relevant(1)) * 2.0 + q.sum(q.relevant(1), 1)

    function = of_labels if family == "labels" else of_queries
    return ir.measure(family, name, undefined=None, range=(0.0, 1e3), formula="n", source="none")(function)


def evaluated(family: str, engine: str, groups: list[str], measures: list[str]) -> pl.DataFrame:
    # Two values of each group, of which some occur together.
    of = {name: [f"{i}{(row >> i) % 2}" for row in range(ROWS)] for i, name in enumerate(groups)}
    ids = [str(row) for row in range(ROWS)]
    if family == "labels":
        table = pl.DataFrame({**of, "label": [1] * ROWS, "prediction": [1, 0, 1, 1, 0, 1, 1, 0]})
        return ir.Labels(table, by=groups, engine=engine).evaluate(measures).summary()
    qrels = pl.DataFrame({**of, "query_id": ids, "doc_id": ids, "relevance": [1] * ROWS})
    run = pl.DataFrame({"query_id": ids, "doc_id": [i if int(i) % 3 else "x" for i in ids], "score": [1.0] * ROWS})
    return ir.evaluate(qrels, run, measures, by=groups, engine=engine).summary()


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("family", ["labels", "ranking"])
@settings(max_examples=10, suppress_health_check=[HealthCheck.too_slow])
@given(measures=MEASURES, groups=GROUPS)
def test_any_name_over_any_groups(family: str, engine: str, measures: list[str], groups: list[str]) -> None:
    named = "_".join(measures)
    names = [name if name.lower() not in RESERVED else f"{name}_" for name in groups]
    with catalog.restored():
        catalog.remove(family, named)
        try:
            own_table = declared(family, named)
        except ir.errors.InvalidParameter:  # a measure of the catalog has that name
            return
        if str(own_table) in names:
            return
        requested = evaluated(family, engine, names, [str(own_table)])
        declared(family, "Zzz")
        expected = evaluated(family, engine, [f"g{i}" for i in range(len(names))], ["Zzz"])
    assert requested["value"].to_list() == expected["value"].to_list()
    assert [requested[name].to_list() for name in names] == [expected[f"g{i}"].to_list() for i in range(len(names))]


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("name", ["By", "Unit", "BY", "Other_By"])
def test_a_measure_called_as_keys_are(engine: str, name: str) -> None:
    groups, units = ["g", "h", "i"], ["u", "v", "w"]
    table = pl.DataFrame({c: [f"{c}{(row >> i % 3) % 2}" for row in range(ROWS)] for i, c in enumerate(groups + units)})
    table = table.with_columns(label=1, prediction=pl.Series([1, 0, 1, 1, 0, 1, 1, 0]))
    with catalog.restored():
        measures = [declared("labels", name), "Accuracy", "NumItems"]
        actual = ir.Labels(table, by=groups, unit=units, engine=engine).evaluate(measures).per_unit(wide=True)
    assert actual.select(groups + units).rows() == sorted(table.select(groups + units).rows())
    right = dict(zip(table.select(groups + units).rows(), table["prediction"], strict=True))
    assert actual["Accuracy"].to_list() == [float(right[row]) for row in actual.select(groups + units).rows()]
