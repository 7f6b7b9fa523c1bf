"""`ireval_compare` against `ir.compare`, and its p-value against SciPy."""

from __future__ import annotations

import random
from pathlib import Path

import duckdb
import polars as pl
import pytest
from scipy import special

import ireval_frames as ir
from ireval_frames.errors import MismatchedTables
from ireval_frames.macros.comparing import two_sided_p
from tests.macros.cases import rankings

DEGREES = (1, 2, 3, 4, 7, 20, 49, 50, 51, 101, 999, 10_000, 1_000_000)
STATISTICS = (0.0, 1e-9, 1e-7, 1e-5, 0.01, 0.3, 1.0, 1.22, 1.23, 1.72, 1.74, 1.96, 3.0, 8.0, 30.0, 100.0, -2.5)


def _values(units: int = 30) -> pl.DataFrame:
    """Four systems: one like the first, one shifted by a constant, one of its own; a second measure with undefined."""
    draw = random.Random(5)
    rows = []
    for unit in range(units):
        value, other = draw.random(), draw.random()
        for name, of in (("a", value), ("b", other), ("same", value), ("shifted", value + 0.25)):
            rows += [(name, "AP", unit, of), (name, "Time", unit, None if (unit, name) == (3, "b") else of * 7)]
    return pl.DataFrame(rows, ["run_id", "measure", "query_id", "value"], orient="row")


@pytest.fixture(scope="module")
def con() -> duckdb.DuckDBPyConnection:
    con = duckdb.connect(config={"threads": 1})
    ir.macros.install_macros(con, "AP")
    con.from_arrow(_values().to_arrow()).create("results")
    return con


def test_p_is_students() -> None:
    with duckdb.connect() as con:
        con.execute(f"CREATE TABLE statistics AS SELECT unnest({list(STATISTICS)}::DOUBLE[]) AS t")
        for df in DEGREES:
            rows = con.sql(f"SELECT t, {two_sided_p('t', f'{df}e0')} FROM statistics").fetchall()
            for t, p in rows:
                # SciPy's own stdtr loses what is left of tiny statistics.
                small = 1 - special.betainc(0.5, df / 2, t * t / (df + t * t))
                assert p == pytest.approx(
                    small if abs(t) < 0.1 else 2 * special.stdtr(df, -abs(t)), rel=1e-10, abs=1e-300
                )


@pytest.mark.parametrize("baseline", [None, "a", "b"])
def test_it_gives_what_python_gives(con: duckdb.DuckDBPyConnection, baseline: str | None) -> None:
    options = "missing := 'intersect', lower_is_better := ['Time']" + (
        f", baseline := '{baseline}'" if baseline else ""
    )
    actual = con.sql(f"FROM ireval_compare('results', {options})").pl()
    table = ir.compare(_values(), baseline=baseline, missing="intersect", lower_is_better="Time").table()
    keys = ["measure", "baseline", "system"]
    # The status distinguishes null from infinity.
    expected = table.select(pl.col(c).cast(actual.schema[c]) for c in actual.columns).sort(keys)
    actual = actual.sort(keys)
    assert actual.height == expected.height > 0
    for column in actual.columns:
        values, expected_values = actual[column].to_list(), expected[column].to_list()
        if actual.schema[column].is_float():
            assert [v is None for v in values] == [v is None for v in expected_values], column
            values, expected_values = ([v for v in some if v is not None] for some in (values, expected_values))
            expected_values = pytest.approx(expected_values, rel=1e-10, abs=1e-15)
        assert values == expected_values, column
    assert set(actual["status"]) == ({"ok"} if baseline == "b" else {"ok", "identical", "constant_shift"})


def test_units_that_one_lacks_are_refused(con: duckdb.DuckDBPyConnection) -> None:
    with pytest.raises(MismatchedTables):
        ir.compare(_values()).table()
    with pytest.raises(duckdb.Error, match="for other units"):
        con.sql("FROM ireval_compare('results')").fetchall()
    con.execute("CREATE VIEW duplicated AS FROM results UNION ALL FROM results")
    with pytest.raises(duckdb.Error, match="several values of one run"):
        con.sql("FROM ireval_compare('duplicated')").fetchall()
    with pytest.raises(duckdb.Error, match="missing must be"):
        con.sql("FROM ireval_compare('results', missing := 'zero')").fetchall()


def test_few_units(con: duckdb.DuckDBPyConnection) -> None:
    con.execute("CREATE VIEW one AS FROM results WHERE query_id = 1 AND measure = 'AP'")
    assert con.sql("SELECT DISTINCT status, p_value, statistic FROM ireval_compare('one')").fetchall() == [
        ("one_unit", None, None)
    ]
    con.execute(
        "CREATE VIEW disjoint AS FROM results WHERE run_id = 'a' AND query_id = 1 OR run_id = 'b' AND query_id = 2"
    )
    actual = con.sql(
        "SELECT n, n_baseline_only, p_value, status FROM ireval_compare('disjoint', missing := 'intersect')"
    ).fetchall()
    assert actual == [(0, 1, None, "no_units")] * 2


def test_values_of_a_store(con: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
    """The exported file of a store, attached read only."""
    store, (qrels, run) = ir.Store(tmp_path / "store"), rankings()
    ev = ir.evaluate(qrels, run, "AP P@5")
    store.add(ev)
    store.export(tmp_path / "results.duckdb")
    con.execute(f"ATTACH '{tmp_path / 'results.duckdb'}' AS stored (READ_ONLY)")
    columns = "measure, n, statistic, p_value"
    actual = con.sql(f"SELECT {columns} FROM ireval_compare('stored.values') ORDER BY measure").fetchall()
    expected = ev.compare().table().select(columns.split(", ")).sort("measure").rows()
    assert [row[:2] for row in actual] == [row[:2] for row in expected]
    assert [row[2:] for row in actual] == [pytest.approx(row[2:], rel=1e-10) for row in expected]


def test_rounding_is_of_each_unit(con: duckdb.DuckDBPyConnection) -> None:
    """A huge value does not hide other units, and integers are exact."""
    huge = [1e14, *[0.9] * 5, *[0.8] * 4], [1e14, *[0.5] * 5, *[0.6] * 4]
    integers = [1.7e15 + 1000.0 * i for i in range(10)], [1.7e15 + 1000.0 * i + i % 3 for i in range(10)]
    for measure, (a, b) in {"huge": huge, "integers": integers}.items():
        rows = [(run, measure, q, x) for run, of in (("a", a), ("b", b)) for q, x in enumerate(of)]
        frame = pl.DataFrame(rows, ["run_id", "measure", "query_id", "value"], orient="row")
        con.from_arrow(frame.to_arrow()).create(measure)
        columns = ("n", "difference", "wins", "ties", "losses", "statistic", "p_value", "status")
        (actual,) = con.sql(f"SELECT {', '.join(columns)} FROM ireval_compare('{measure}')").fetchall()
        expected = ir.compare(frame).table().select(columns).row(0)
        assert actual[-1] == expected[-1] == "ok"
        assert actual[:-1] == pytest.approx(expected[:-1], rel=1e-9)


def test_an_unknown_baseline_is_an_error(con: duckdb.DuckDBPyConnection) -> None:
    with pytest.raises(duckdb.Error, match="There is no run_id 'c'"):
        con.sql("FROM ireval_compare('results', baseline := 'c', missing := 'intersect')").fetchall()
