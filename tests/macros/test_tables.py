"""Tables and views of results in the caller's database: every family, any name, and what is refused."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import polars as pl
import pytest
from polars.testing import assert_frame_equal

import ireval_frames as ir
from ireval_frames.errors import EngineError, InvalidParameter, NotDefined
from tests.macros.cases import rankings
from tests.macros.test_values import tables

Con = duckdb.DuckDBPyConnection
EVALUATIONS: dict[str, Callable[[Con], Any]] = {
    "ranking": lambda con: ir.evaluate("qrels", "run", "AP P@5", con=con),
    "labels": lambda con: ir.Labels("several", unit="unit_id", con=con).evaluate("MCC F1(average='macro')"),
    "clusters": lambda con: ir.Clusters("clusters", unit="unit_id", con=con).evaluate("Purity"),
    "points": lambda con: ir.Points("points", features=["x", "y"], con=con).evaluate("RSquared"),
    "organization": lambda con: ir.Organization("gold", "system", con=con).evaluate("NumItems"),
    "similarity": lambda con: ir.Similarity("run", con=con).evaluate("Overlap@3"),
}
NAMES = ("plain", '"it\'s ""odd"".table"', 'other."a schema".kept', 'temp."x y"')


@pytest.fixture(scope="module")
def con(tmp_path_factory: pytest.TempPathFactory) -> Con:
    con = duckdb.connect(config={"threads": 1})
    points = pl.DataFrame({"cluster_id": [*"aabb"], "x": [0.0, 1.0, 5.0, 6.0], "y": [0.0, 1.0, 5.0, 7.0]})
    for name, frame in (tables() | {"points": points}).items():
        con.from_arrow(frame.to_arrow()).create(name)
    con.execute(f"ATTACH '{tmp_path_factory.mktemp('other') / 'o.duckdb'}' AS other; CREATE SCHEMA other.\"a schema\"")
    return con


@pytest.mark.parametrize("family", EVALUATIONS)
def test_every_family(con: Con, family: str) -> None:
    evaluation = EVALUATIONS[family](con)
    for i, (result, wide) in enumerate([("per_unit", False), ("summary", False), ("summary", True)]):
        table = getattr(evaluation, result)
        frame, name = table(wide=wide), NAMES[i]
        table.to_table(name, wide=wide, replace=True)
        assert_frame_equal(con.sql(f"FROM {name}").pl(), frame)
        table.to_view(f"{family}_{i}", wide=wide)
        assert_frame_equal(con.sql(f"FROM {family}_{i}").pl(), frame)


def test_a_table_keeps_its_values() -> None:
    con = duckdb.connect(config={"threads": 1})
    for name, frame in zip(("qrels", "run"), rankings(), strict=True):
        con.from_arrow(frame.to_arrow()).create(name)
    ev = ir.evaluate("qrels", "run", "P@5 AP", con=con)
    ev.per_unit.to_table("kept", wide=True)
    ev.per_unit.to_view("seen", wide=True)
    assert con.sql("FROM kept").fetchall() == con.sql("FROM seen").fetchall()
    con.execute("DELETE FROM run")
    assert (len(con.sql("FROM kept").fetchall()), len(con.sql("FROM seen").fetchall())) == (14, 0)
    with pytest.raises(EngineError, match="exists"):
        ev.per_unit.to_table("kept")
    with pytest.raises(EngineError, match="type View"):
        ev.per_unit.to_table("seen", replace=True)
    ir.evaluate("qrels", "run", "P@5", con=con, policy="overlap=allow").summary.to_table("kept", replace=True)
    assert "n_units" in con.sql("FROM kept").columns


@pytest.mark.parametrize("name", ["", ".", '"', "a.", "a.b.c.d", 5, None])
def test_invalid_names(con: Con, name: Any) -> None:
    evaluation = EVALUATIONS["ranking"](con)
    for make in (evaluation.per_unit.to_table, evaluation.per_unit.to_view):
        with pytest.raises(InvalidParameter, match="must be a name"):
            make(name)


def test_a_name_is_not_run_as_a_statement(con: Con) -> None:
    EVALUATIONS["ranking"](con).per_unit.to_table("a; DROP TABLE qrels --")
    assert con.sql('SELECT count(*) FROM "a; DROP TABLE qrels --"').fetchall() == [(28,)]
    assert con.sql("SELECT count(*) FROM qrels").fetchall() == [(94,)]


def test_where_no_table_can_be_created(tmp_path: Path) -> None:
    path = tmp_path / "read_only.duckdb"
    with duckdb.connect(str(path)) as writable:
        for name, frame in zip(("qrels", "run"), rankings(), strict=True):
            writable.from_arrow(frame.to_arrow()).create(name)
    with duckdb.connect(str(path), read_only=True) as con:
        evaluation = EVALUATIONS["ranking"](con)
        for make in (evaluation.per_unit.to_table, evaluation.per_unit.to_view):
            with pytest.raises(EngineError, match="read-only"):
                make("kept")
    with pytest.raises(NotDefined, match="A table is created in a DuckDB connection"):
        ir.evaluate(*rankings(), "AP").per_unit.to_table("kept")
