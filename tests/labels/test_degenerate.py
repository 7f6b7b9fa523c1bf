"""Tables with nothing or next to nothing in them."""

from __future__ import annotations

import polars as pl
import pytest

import ireval_frames as ir
from ireval_frames.declaration import Measure
from tests.contract.kit import ENGINES
from tests.labels.suite import FIRST
from tests.oracles import labels as oracle
from tests.oracles.labels_items import item

engines = pytest.mark.parametrize("engine", ENGINES)
TABLES = {
    "empty": [],
    "one right": [("a", "a")],
    "one wrong": [("a", "b")],
    "one class": [("a", "a")] * 5,
    "the other class": [("b", "b")] * 5,
    "no labels": [(None, "a"), (None, "b")],
    "no predictions": [("a", None), ("b", None)],
    "neither": [(None, None)] * 3,
    "never seen": [("a", "x"), ("b", "y"), ("a", "z")],
    "empty text": [("", ""), ("", " "), (" ", "a")],
}


@engines
@pytest.mark.parametrize("undefined", ["null", "0", "1"])
def test_small_tables(undefined: str, engine: str) -> None:
    """All tables at once as units, but the empty one, which is a table by itself."""
    rows = [(name, a, b) for name, table in TABLES.items() for a, b in table]
    frame = pl.DataFrame(rows, schema={"table": pl.String, "label": pl.String, "prediction": pl.String}, orient="row")
    measures = FIRST
    classes = sorted({c for table in TABLES.values() for row in table for c in row if c is not None})
    options = {"positive": "a", "categories": classes, "policy": f"undefined={undefined}", "engine": engine}
    actual = ir.Labels(frame, unit="table", **options).evaluate(measures).per_unit()  # type: ignore[arg-type]
    without_rows = frame.clear().drop("table")
    empty = ir.Labels(without_rows, **options).evaluate(measures).summary()  # type: ignore[arg-type]
    assert empty["n_units"].to_list() == [1] * len(measures)
    values = {(r["table"], r["measure"]): r["value"] for r in actual.iter_rows(named=True)}
    values |= {("empty", r["measure"]): r["value"] for r in empty.iter_rows(named=True)}
    for (table, name), value in values.items():
        expected = of_table(
            table, next(m for m in measures if str(m) == name), None if undefined == "null" else float(undefined)
        )
        assert value == (None if expected is None else pytest.approx(expected, rel=1e-12, abs=1e-12)), (table, name)


def of_table(table: str, measure: Measure, undefined: float | None) -> float | None:
    items = [item((a,), (b,)) for a, b in TABLES[table]]
    return oracle.value(measure.name, items, positive="a", undefined=undefined, **dict(measure.values))


@engines
def test_an_empty_table_has_no_units(engine: str) -> None:
    frame = pl.DataFrame(schema={"table": pl.String, "label": pl.String, "prediction": pl.String})
    evaluation = ir.Labels(frame, unit="table", engine=engine).evaluate("MCC NumItems")
    assert evaluation.per_unit().columns == ["table", "measure", "value"]
    assert evaluation.per_unit().height == 0
    assert evaluation.summary().select("measure", "value", "n_units").rows() == [("MCC", None, 0), ("NumItems", 0.0, 0)]
    assert ir.Labels(frame, by="table", engine=engine).evaluate("MCC").summary().height == 0
