"""Rows without a unit or variant, and units in several variants: errors that name the ways out, and these."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pytest

import ireval_frames as ir
from tests.cli.commands import invoke as command

ENGINES = pytest.mark.parametrize("engine", ["polars", "duckdb"])
ROWS = pl.DataFrame(
    [(u, "ab"[u % 2], float(u % 7)) for u in range(60)] + [(3, "b", 9.0), (8, "b", 9.0), (9, "a", 9.0)],
    schema=["user_id", "variant", "y"],
    orient="row",
)
UNKNOWN = pl.concat([ROWS.head(60), pl.DataFrame({"user_id": [None] * 5, "variant": [*"ababa"], "y": [50.0] * 5})])


def analysis(rows: pl.DataFrame, **options: Any) -> list[tuple[Any, ...]]:
    return ir.Experiment(rows, **options).analyze("Mean(y)").table().select("n_baseline", "n", "difference").rows()


@ENGINES
def test_rows_without_a_unit(engine: str) -> None:
    with pytest.raises(ir.errors.InvalidValue, match=r"5 rows have no unit: column 'user_id'") as caught:
        analysis(UNKNOWN, engine=engine)
    assert 'units="drop-null"' in str(caught.value)
    assert analysis(UNKNOWN, engine=engine, units="drop-null") == analysis(ROWS.head(60))
    experiment = ir.Experiment(UNKNOWN, engine=engine)
    for ask in (experiment.srm, lambda: experiment.aa("Mean(y)"), lambda: experiment.bayes("Mean(y)")):
        with pytest.raises(ir.errors.InvalidValue, match="no unit"):
            ask()
    with pytest.raises(ir.errors.InvalidValue, match="no unit"):
        experiment.analyze("Quantile(y, 0.5)").table()
    actual = experiment.check("Mean(y)")
    assert actual.filter(check="units").select("status", "n").rows() == [("wrong", 5)]
    assert "values" in actual["check"].to_list()
    left = ir.Experiment(UNKNOWN, engine=engine, units="drop-null")
    assert left.check().filter(check="units").select("status", "n").rows() == [("doubtful", 5)]
    assert "left out: rows without user_id" in left.analyze("Mean(y)").explain()
    lacking = ROWS.head(60).with_columns(variant=pl.when(pl.col("user_id") < 4).then(None).otherwise("variant"))
    with pytest.raises(ir.errors.InvalidValue, match="4 rows have no variant"):
        analysis(lacking, engine=engine)
    assert analysis(lacking, engine=engine, units="drop-null") == analysis(ROWS.head(60).filter(pl.col("user_id") > 3))


@ENGINES
def test_units_in_several_variants(engine: str) -> None:
    with pytest.raises(ir.errors.InvalidValue, match="2 units are in several variants") as caught:
        analysis(ROWS, engine=engine)
    assert 'several_variants="drop"' in str(caught.value)
    assert 'several_variants="keep"' in str(caught.value)
    apart = ROWS.filter(~pl.col("user_id").is_in([8, 9]))
    assert analysis(ROWS, engine=engine, several_variants="drop") == analysis(apart)
    (n_a, n_b, _), *_ = analysis(ROWS, engine=engine, several_variants="keep")
    assert (n_a, n_b) == (31, 31)
    dropped = ir.Experiment(ROWS, engine=engine, several_variants="drop")
    actual = dropped.check().filter(check="units in two variants").row(0, named=True)
    assert (actual["status"], actual["n"]) == ("doubtful", 2)
    assert "they are left out" in actual["message"]
    retained = ir.Experiment(ROWS, engine=engine).check().filter(check="units in two variants").row(0, named=True)
    assert (retained["status"], retained["n"]) == ("wrong", 2)
    assert "several variants" in dropped.analyze("Mean(y)").explain()
    # Rows that are units of their own, and units that are promised one row, are not grouped for it.
    assert analysis(ROWS, engine=engine, unit=None)[0][:2] == (31, 32)
    assert analysis(ROWS, engine=engine, one_row=True)[0][:2] == (31, 32)


def test_a_group_that_is_null_is_a_group() -> None:
    rows = ROWS.head(60).with_columns(country=pl.when(pl.col("user_id") < 30).then(pl.lit("de")))
    actual = ir.Experiment(rows, by="country").analyze("Mean(y)").table()
    assert sorted(actual["country"].to_list(), key=str) == [None, "de"]


def test_words_that_are_none() -> None:
    for wrong in ({"units": "drop"}, {"several_variants": "first"}):
        with pytest.raises(ir.errors.UnknownName):
            ir.Experiment(ROWS, **wrong)  # type: ignore[arg-type]


def test_the_log_and_the_command_say_so_too(tmp_path: Path) -> None:
    log = ir.examples.click_log().with_columns(variant=pl.col("serp_id").hash(1) % 2)
    lacking = log.with_columns(user_id=pl.when(pl.col("user_id") == "u2").then(None).otherwise("user_id"))
    with pytest.raises(ir.errors.InvalidValue, match="no unit"):
        ir.Impressions(lacking).experiment().srm()
    left = ir.Impressions(lacking).experiment(units="drop-null", several_variants="keep")
    assert left.srm()["n"].sum() <= 2
    path = tmp_path / "rows.csv"
    ROWS.write_csv(path)
    refused = command("experiment", str(path), "-m", "Mean(y)")
    assert refused.exit_code != 0
    assert "--several-variants drop" in refused.stderr
    assert command("experiment", str(path), "-m", "Mean(y)", "--several-variants", "drop").exit_code == 0
