"""Measures of scores equal plain loops on both engines, in every shape of a table."""

from __future__ import annotations

import polars as pl
import pytest

import ireval_frames as ir
from ireval_frames.errors import InvalidValue, MismatchedTables, MissingColumn, NotDefined
from tests.contract.kit import ENGINES, Values, assert_same, by_measure, values
from tests.labels.suite_scores import SCORES

engines = pytest.mark.parametrize("engine", ENGINES)


CASES, SOME = SCORES.cases["weights"], SCORES.first_variants("weights")


def expected(measures: list) -> Values:
    return {k: v for m in measures for k, v in SCORES.expected("weights", m).items()}


@engines
def test_row_order_and_names(engine: str) -> None:
    """Rows in another order, labels as text, a monotone change of the scores."""
    text = pl.when(pl.col("label") == 1).then(pl.lit("ham")).when(pl.col("label") == 0).then(pl.lit("spam"))
    other = (
        CASES.frame().sample(fraction=1, shuffle=True, seed=3).with_columns(label=text, score=pl.col("score") * 8 + 3)
    )
    evaluation = ir.Labels(other, unit="part", positive="ham", engine=engine).evaluate(
        [m for m in SOME if m.name != "Hinge"]
    )
    expected = SCORES.compute("weights", SOME, engine)
    for name, of in by_measure(values(evaluation)).items():
        assert_same(of, expected[name], 1e-12)


@engines
def test_a_table_alone_and_in_groups(engine: str) -> None:
    """One unit without keys, on the path of many distinct scores and on that of few; and the same as a group."""
    for shape in ("distinct", "few"):
        part = CASES.frame().filter(pl.col("part") == shape)
        table = ir.Labels(part.drop("part"), engine=engine).evaluate(SOME).summary()
        assert_same(
            {(m, shape): v for m, v in table.select("measure", "value").iter_rows()},
            {k: v for k, v in expected(SOME).items() if k[1] == shape},
            1e-12,
        )
        group = (
            ir.Labels(CASES.frame(), by="part", engine=engine)
            .evaluate(SOME[:3])
            .summary()
            .filter(pl.col("part") == shape)
        )
        assert group["value"].to_list() == pytest.approx(table["value"].to_list()[:3], rel=1e-12)


@engines
def test_several_classifiers(engine: str) -> None:
    both = pl.concat(
        [
            CASES.frame().with_columns(run_id=pl.lit("a")),
            CASES.frame().with_columns(pl.col("score") * -1, run_id=pl.lit("b")),
        ]
    )
    gini = values(ir.Labels(both, unit="part", engine=engine).evaluate("Gini"))
    for (_, run, part), value in gini.items():
        forward = expected([ir.labels.Gini])["Gini", part]
        assert value == (None if forward is None else pytest.approx(forward if run == "a" else -forward, abs=1e-12))


@engines
def test_with_predictions_beside_scores(engine: str) -> None:
    """Measures of scores and counts in one call; and scores alone make no cells."""
    table = CASES.frame().with_columns(prediction=(pl.col("score") > 0.5).cast(pl.Int64))
    together = values(ir.Labels(table, unit="part", engine=engine).evaluate("ROCAUC Accuracy AveragePrecision"))
    apart = values(ir.Labels(table, unit="part", engine=engine).evaluate("ROCAUC AveragePrecision"))
    counted = values(ir.Labels(table, unit="part", engine=engine).evaluate("Accuracy"))
    assert_same(together, apart | counted, 1e-12)
    plan = ir.Labels(table, engine=engine).evaluate("ROCAUC").explain()
    assert "thresholds" in plan
    assert "cells" not in plan


@engines
@pytest.mark.parametrize("undefined", ["0", "1"])
def test_policies(undefined: str, engine: str) -> None:
    evaluation = ir.Labels(CASES.frame(), unit="part", engine=engine, policy=f"undefined={undefined}").evaluate(SOME)
    instead = {k: float(undefined) if v is None else v for k, v in expected(SOME).items()}
    assert_same(values(evaluation), instead, 1e-12)


@engines
def test_no_items(engine: str) -> None:
    summary = ir.Labels(CASES.frame().clear().drop("part"), engine=engine).evaluate(SOME).summary()
    assert summary["value"].to_list() == [None] * len(SOME)
    assert summary["n_units"].to_list() == [1] * len(SOME)


@engines
def test_refused(engine: str) -> None:
    table = CASES.frame().drop("part")

    def refused(labels: pl.DataFrame, error: type[Exception], message: str, measure: str = "ROCAUC", **options) -> None:
        with pytest.raises(error, match=message):
            ir.Labels(labels, engine=engine, **options).evaluate(measure).summary()

    for odd in (None, float("nan"), float("inf")):
        refused(
            table.with_columns(score=pl.when(pl.col("label") == 1).then(odd).otherwise("score")),
            InvalidValue,
            "null or not finite",
        )
    refused(table.with_columns(pl.col("label") + 1), MismatchedTables, r"labels are 2, too(.|\n)*positive=2")
    refused(table.with_columns(pl.col("label").cast(pl.String)), NotDefined, "positive=")
    refused(table.drop("score"), MissingColumn, "ROCAUC needs a score")
    refused(table.with_columns(pl.concat_list("label"), item_id=pl.int_range(pl.len())), NotDefined, "one label each")
    # Scores that nothing asks for may be anything.
    odd = table.with_columns(score=None, prediction=0)
    assert ir.Labels(odd.cast({"score": pl.Float64}), engine=engine).evaluate("NumItems").summary().height == 1
