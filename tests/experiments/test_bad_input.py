"""What cannot be meant is refused with what failed, and what degenerates has a status."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pytest

import ireval_frames as ir
from ireval_frames.experiments import Capped, Mean, Proportion, Quantile, Ratio, metrics_of

ROWS = pl.DataFrame(
    {
        "user_id": [1, 2, 3, 4, 5, 6],
        "variant": [*"aaabbb"],
        "y": [1.0, 2.0, 4.0, 2.0, 3.0, 7.0],
        "zero": [0.0] * 6,
        "word": [*"uvwxyz"],
    }
)

on_engines = pytest.mark.parametrize("engine", ["polars", "duckdb"])


@pytest.mark.parametrize("metric", [
    Mean("y"), Mean("a b", before="c", lower_is_better=True, name="my metric"), Ratio("y"), Ratio("None", "x"),
    Ratio("y", "x", before=("p", "q")), Ratio("y", before=("p", "q")), Proportion("y"), Capped("y", at=0.99),
    Capped("y", upper=3.0, lower=-1.5), Quantile("y", 0.95, of="rows"), Quantile("it's"),
])  # fmt: skip
def test_metrics_are_text_and_back(metric: ir.experiments.Metric) -> None:
    assert metrics_of(str(metric)) == (metric,)
    assert metrics_of(f"{metric} Mean(other)") == metrics_of(f"{metric}, Mean(other)") == (metric, Mean("other"))


@pytest.mark.parametrize("text, error, message", [
    ("Mena(y)", ir.errors.UnknownName, "Did you mean Mean"),
    ("Mean(y, befor=z)", ir.errors.UnknownName, "Did you mean before"),
    ("Mean(y", ir.errors.InvalidParameter, "does not parse"),
    ("Mean", ir.errors.InvalidParameter, "does not parse"),
    ("Mean(1)", ir.errors.InvalidParameter, "named by text"),
    ("Mean(y + 1)", ir.errors.InvalidParameter, "does not parse"),
    ("Capped(y)", ir.errors.InvalidParameter, "needs a quantile, or bounds"),
    ("Quantile(y, 1.5)", ir.errors.InvalidParameter, "q is 1.5; it must be a number in"),
    ("Ratio(y, x, before=y)", ir.errors.InvalidParameter, "a numerator and a denominator"),
    ("", ir.errors.InvalidParameter, "No metric"),
])  # fmt: skip
def test_metrics_that_are_none(text: str, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        metrics_of(text)


@pytest.mark.parametrize("options, error, message", [
    ({"metrics": "Mean(z)"}, ir.errors.MissingColumn, "no column 'z'"),
    ({"metrics": "Mean(word)"}, ir.errors.WrongType, "must hold numbers"),
    ({"metrics": "Proportion(y)"}, ir.errors.InvalidValue, "other values than 0 and 1"),
    ({"baseline": "c"}, ir.errors.UnknownName, "no variant 'c'"),
    ({"by": "nowhere"}, ir.errors.MissingColumn, "no column 'nowhere'"),
    ({"by": "variant"}, ir.errors.InvalidParameter, "column of the result"),
    ({"correction": "bonferoni"}, ir.errors.UnknownName, "Did you mean bonferroni"),
    ({"looks": [0.5, 0.2]}, ir.errors.InvalidParameter, "rising shares"),
    ({"looks": [0.5], "sequential": 100}, ir.errors.NotDefined, "need no looks"),
    ({"sequential": -1}, ir.errors.InvalidParameter, "above 0"),
    ({"sequential": 50, "alternative": "greater"}, ir.errors.NotDefined, "two-sided"),
    ({"metrics": "Quantile(y)", "strata": "user_id"}, ir.errors.NotDefined, "without strata"),
])  # fmt: skip
def test_what_cannot_be_asked(options: dict[str, Any], error: type[Exception], message: str) -> None:
    options_of_call = {"metrics": "Mean(y)"} | options
    with pytest.raises(error, match=message):
        ir.Experiment(ROWS, baseline=options_of_call.pop("baseline", None)).analyze(**options_of_call).table()


@pytest.mark.parametrize("engine", ["polars", "duckdb"])
@pytest.mark.parametrize("column, value, message", [
    ("y", float("nan"), "NaN"), ("y", float("inf"), "infinite"), ("y", 1e200, "too large"),
    ("variant", None, "every unit needs its variant"),
])  # fmt: skip
def test_values_that_no_mean_can_be_of(engine: str, column: str, value: Any, message: str) -> None:
    bad = ROWS.with_columns(pl.when(pl.col("user_id") == 3).then(value).otherwise(pl.col(column)).alias(column))
    with pytest.raises(ir.errors.InvalidValue, match=message):
        ir.Experiment(bad, engine=engine).analyze("Mean(y)").table()


@pytest.mark.parametrize("engine", ["polars", "duckdb"])
def test_degenerate_cells_have_a_status(engine: str) -> None:
    rows = ROWS.with_columns(
        one=pl.when(pl.col("user_id").is_in([1, 2, 4])).then("y"),
        none=pl.when(pl.col("variant") == "a").then("y"),
        flat=pl.when(pl.col("variant") == "a").then(1.0).otherwise(2.0),
        stratum=pl.when(pl.col("user_id") == 6).then(1).otherwise(0),
    )
    experiment = ir.Experiment(rows, baseline="a", engine=engine)
    options_of_call = "Mean(one) Mean(none) Mean(flat) Mean(zero) Ratio(y, zero) Mean(y, before=zero) Proportion(zero)"
    table = experiment.analyze(options_of_call).table()
    assert dict(table.select("metric", "status").rows()) == {
        "Mean(one)": "too_few",
        "Mean(none)": "no_units",
        "Mean(flat)": "constant_shift",
        "Mean(zero)": "identical",
        "Ratio(y, zero)": "zero_denominator",
        "Mean(y, before=zero)": "constant_covariate",
        "Proportion(zero)": "identical",
    }
    assert experiment.analyze("Mean(y)", strata="stratum").table()["status"].item() == "empty_stratum"
    assert not any(table[c].is_nan().any() for c in table.columns if table[c].dtype.is_float())
    with pytest.raises(ir.errors.NotDefined, match="one variant, 'a'"):
        ir.Experiment(rows.filter(pl.col("variant") == "a"), engine=engine).analyze("Mean(y)").table()
    with pytest.raises(ir.errors.NotDefined, match="there is no row"):
        ir.Experiment(rows.clear(), engine=engine).analyze("Mean(y)").table()


def test_columns_that_are_not_there() -> None:
    with pytest.raises(ir.errors.MissingColumn, match='unit="customer"; where each row is a unit: unit=None'):
        ir.Experiment(ROWS.rename({"user_id": "customer"}))
    with pytest.raises(ir.errors.NotDefined, match="no column of days"):
        ir.Experiment(ROWS).over_time("Mean(y)")
    with pytest.raises(ir.errors.NotDefined, match="Aggregates hold no units"):
        ir.Experiment.of_aggregates(ir.Experiment(ROWS).aggregates("Mean(y)")).check()


def test_numbers_that_cannot_be_meant_are_reported() -> None:
    experiment = ir.Experiment(ROWS.with_columns(seg=pl.col("user_id") % 2), baseline="a")
    for call, message in (
        (lambda: experiment.analyze(5), "5 is no metric"),  # type: ignore[arg-type]
        (lambda: experiment.analyze("Mean(y)", by="seg", strata="seg"), "strata names 'seg', which groups"),
        (lambda: experiment.plan("Mean(y)", relative=1e-12), "more units of .* than can be counted"),
        (lambda: experiment.plan("Mean(y)", relative=1e-300), "more units of .* than can be counted"),
        (lambda: experiment.srm(5), "shares is"),  # type: ignore[arg-type]
        (lambda: experiment.aa("Mean(y)", n_resamples=100, seed=-1), "seed is -1"),
    ):
        with pytest.raises(ir.errors.InvalidParameter, match=message):
            call()
    with pytest.raises(ir.errors.NotDefined, match="no units"):
        ir.Experiment(ROWS.clear()).srm()


@on_engines
def test_nobody_and_values_that_are_all_the_same(engine: str) -> None:
    """No units is an error wherever there is nothing to tell; a constant has a status."""
    nobody, flat = (ir.Experiment(f, engine=engine) for f in (ROWS.clear(), ROWS.with_columns(y=pl.lit(1.0))))
    for call in (
        lambda: nobody.bayes("Mean(y)"),
        lambda: nobody.plan("Mean(y)", relative=0.1),
        lambda: nobody.aa("Mean(y)", n_resamples=100),
    ):
        with pytest.raises(ir.errors.NotDefined, match="no units"):
            call()
    assert flat.bayes("Mean(y)")["status"].unique().to_list() == ["no_variance"]
    assert flat.plan("Mean(y)", relative=0.1).select("n", "difference", "status").rows() == [
        (None, None, "no_variance")
    ]
    assert flat.aa("Mean(y)", n_resamples=100).select("n_resamples", "verdict").rows() == [(0, "undefined")]
    with pytest.raises(ir.errors.InvalidParameter, match="beta is None"):
        flat.bayes("Mean(y)", beta=None)  # type: ignore[arg-type]
    with pytest.raises(ir.errors.InvalidParameter, match="split is 0"):
        flat.plan("Mean(y)", relative=0.1, split=0)


def test_aggregates_whose_numbers_are_none(tmp_path: Path) -> None:
    """What a metric needs is there; columns that it does not need may be null, also in a CSV file."""
    complete = ir.Experiment(ROWS).aggregates("Mean(y)").frame
    complete.write_csv(tmp_path / "day.csv")
    ok = [ir.Experiment.of_aggregates(source).analyze().table() for source in (complete, str(tmp_path / "day.csv"))]
    assert ok[0]["value"].to_list() == pytest.approx(ok[1]["value"].to_list())
    for name in ("mean_1", "product_11"):
        for value in (None, float("nan"), float("inf")):
            broken = complete.with_columns(pl.Series(name, [value, *complete[name][1:]], dtype=pl.Float64))
            with pytest.raises(ir.errors.InvalidValue, match=f"Column '{name}' of the aggregates"):
                ir.Experiment.of_aggregates(broken).analyze().table()
        with pytest.raises(ir.errors.WrongType, match=f"Column '{name}' of the aggregates holds 'many'"):
            ir.Experiment.of_aggregates(complete.with_columns(pl.lit("many").alias(name)))
