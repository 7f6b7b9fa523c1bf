"""Measures of scores equal plain loops on both engines, in every shape of a table."""

from __future__ import annotations

import functools
import random
from fractions import Fraction

import duckdb
import polars as pl
import pytest

import ireval_frames as ir
from ireval_frames import catalog
from ireval_frames.errors import InvalidValue, MismatchedTables, MissingColumn, NotDefined
from tests.contract.asked import nothing_differs
from tests.labels.asked import ENGINES, Values, by_measure, values
from tests.oracles import labels_scores as oracle

engines = pytest.mark.parametrize("engine", ENGINES)
SHAPES = (
    "distinct", "few", "all_tied", "one_positive", "one_negative", "only_positive", "only_negative", "one_item",
    "in_order", "reversed",
    "weights", "no_weight", "gaps", "signed",
)  # fmt: skip
TRIED = {
    "max_fpr": (0.5, 0.1, 0.013),
    "sided": ("two",),
    "share": (0.1, 0.25, 0.9),
    "start": ("first",),
    "points": (2, 5, 21),
    "recall": (0.3, 0.05, 0.95),
    "precision": (0.5, 0.9, 0.2),
    "specificity": (0.5, 0.95, 0.0),
    "low": (0.01, 0.3),
    "high": (0.1, 0.5),
}
NEEDED = ("share", "recall", "precision", "specificity")


def variants(name: str) -> list:
    definition = catalog.find(name, "labels")
    out = [] if set(NEEDED) & set(definition.parameters) else [definition()]
    return out + [definition(**{n: v}) for n in definition.parameters for v in TRIED.get(n, ())]


ASKED = [m for name in oracle.ORACLES for m in variants(name)]
SOME = list({m.name: m for m in ASKED}.values())


def unit(rng: random.Random, shape: str) -> list[tuple[int | None, float, float]]:
    size = 1 if shape == "one_item" else rng.randint(5, 40)
    chosen = {"few": (0.0, 0.5, 1.5, -0.0), "all_tied": (2.0,)}.get(shape)
    rows = []
    for i in range(size):
        label = {"only_positive": 1, "only_negative": 0, "one_positive": int(i == 0), "one_negative": int(i > 0)}.get(
            shape, rng.randint(0, 1)
        )
        score = (
            rng.choice(chosen)
            if chosen
            else {"in_order": label + rng.random() / 2, "reversed": -label}.get(shape, rng.gauss(label, 1.0))
        )
        weight = (
            rng.choice((0.1, 0.2, 0.7, 3.0, 0.0))
            if shape in ("weights", "few")
            else 0.0
            if shape == "no_weight"
            else 1.0
        )
        rows.append(
            (
                None if shape == "gaps" and rng.random() < 0.3 else label,
                round(score, 1) if shape == "signed" else float(score),
                weight,
            )
        )
    return rows


@functools.cache
def world(seed: int = 1) -> dict[str, list[tuple[int | None, float, float]]]:
    rng = random.Random(seed)
    return {shape: unit(rng, shape) for shape in SHAPES}


def frame(seed: int = 1) -> pl.DataFrame:
    rows = [(shape, *row) for shape, unit_rows in world(seed).items() for row in unit_rows]
    return pl.DataFrame(
        rows, schema={"part": pl.String, "label": pl.Int64, "score": pl.Float64, "weight": pl.Float64}, orient="row"
    )


def items(rows: list[tuple[int | None, float, float]], *, weighted: bool = True) -> list[oracle.Item]:
    return [
        oracle.Item(label == 1, score, Fraction(weight) if weighted else Fraction(1)) for label, score, weight in rows
    ]


@functools.cache
def wanted(measure, part: str, *, weighted: bool) -> float | None:
    """What the oracle says, once for all tests."""
    return oracle.value(measure.name, items(world()[part], weighted=weighted), **dict(measure.values))


def expected(measures: list, *, weighted: bool = True) -> Values:
    return {(str(m), part): wanted(m, part, weighted=weighted) for m in measures for part in world()}


@functools.cache
def found(engine: str) -> dict[str, Values]:
    return by_measure(values(ir.Labels(frame(), unit="part", engine=engine).evaluate(ASKED)))


@engines
@pytest.mark.parametrize("measure", ASKED, ids=str)
def test_equals_the_oracle(measure, engine: str) -> None:
    nothing_differs(found(engine)[str(measure)], expected([measure]), 1e-12)


@pytest.mark.parametrize("measure", ASKED, ids=str)
def test_engines_agree_within_the_range(measure) -> None:
    nothing_differs(found("polars")[str(measure)], found("duckdb")[str(measure)], 1e-12)
    low, high = measure.range
    assert all(v is None or low - 1e-12 <= v <= high + 1e-12 for v in found("polars")[str(measure)].values())


@engines
def test_without_weights(engine: str) -> None:
    some = SOME if engine == "polars" else SOME[::2]
    nothing_differs(
        values(ir.Labels(frame().drop("weight"), unit="part", engine=engine).evaluate(some)),
        expected(some, weighted=False),
        1e-12,
    )


@engines
def test_row_order_and_names(engine: str) -> None:
    """Rows in another order, labels as text, a monotone change of the scores."""
    text = pl.when(pl.col("label") == 1).then(pl.lit("ham")).when(pl.col("label") == 0).then(pl.lit("spam"))
    other = frame().sample(fraction=1, shuffle=True, seed=3).with_columns(label=text, score=pl.col("score") * 8 + 3)
    evaluation = ir.Labels(other, unit="part", positive="ham", engine=engine).evaluate(
        [m for m in SOME if m.name != "Hinge"]
    )
    for name, of in by_measure(values(evaluation)).items():
        nothing_differs(of, found(engine)[name], 1e-12)


@engines
def test_a_table_alone_and_in_groups(engine: str) -> None:
    """One unit without keys, on the path of many distinct scores and on that of few; and the same as a group."""
    for turn, shape in enumerate(("distinct", "few")):
        part = frame().filter(pl.col("part") == shape)
        # DuckDB goes one path for both.
        some = SOME if engine == "polars" else SOME[turn::2]
        alone = ir.Labels(part.drop("part"), engine=engine).evaluate(some).summary()
        nothing_differs(
            {(m, shape): v for m, v in alone.select("measure", "value").iter_rows()},
            {k: v for k, v in expected(some).items() if k[1] == shape},
            1e-12,
        )
        group = (
            ir.Labels(frame(), by="part", engine=engine).evaluate(some[:3]).summary().filter(pl.col("part") == shape)
        )
        assert group["value"].to_list() == pytest.approx(alone["value"].to_list()[:3], rel=1e-12)


@engines
def test_several_classifiers(engine: str) -> None:
    both = pl.concat(
        [frame().with_columns(run_id=pl.lit("a")), frame().with_columns(pl.col("score") * -1, run_id=pl.lit("b"))]
    )
    gini = values(ir.Labels(both, unit="part", engine=engine).evaluate("Gini"))
    for (_, run, part), value in gini.items():
        forward = expected([ir.labels.Gini])["Gini", part]
        assert value == (None if forward is None else pytest.approx(forward if run == "a" else -forward, abs=1e-12))


@engines
def test_with_predictions_beside_scores(engine: str) -> None:
    """Measures of scores and counts in one call; and scores alone make no cells."""
    table = frame().with_columns(prediction=(pl.col("score") > 0.5).cast(pl.Int64))
    together = values(ir.Labels(table, unit="part", engine=engine).evaluate("ROCAUC Accuracy AveragePrecision"))
    apart = values(ir.Labels(table, unit="part", engine=engine).evaluate("ROCAUC AveragePrecision"))
    counted = values(ir.Labels(table, unit="part", engine=engine).evaluate("Accuracy"))
    nothing_differs(together, apart | counted, 1e-12)
    plan = ir.Labels(table, engine=engine).evaluate("ROCAUC").explain()
    assert "thresholds" in plan
    assert "cells" not in plan


@pytest.mark.parametrize("undefined, engine", [("0", "polars"), ("1", "duckdb")])
def test_policies(undefined: str, engine: str) -> None:
    evaluation = ir.Labels(frame(), unit="part", engine=engine, policy=f"undefined={undefined}").evaluate(SOME)
    instead = {k: float(undefined) if v is None else v for k, v in expected(SOME).items()}
    nothing_differs(values(evaluation), instead, 1e-12)


@engines
def test_no_items(engine: str) -> None:
    summary = ir.Labels(frame().clear().drop("part"), engine=engine).evaluate(SOME).summary()
    assert summary["value"].to_list() == [None] * len(SOME)
    assert summary["n_units"].to_list() == [1] * len(SOME)


@engines
def test_refused(engine: str) -> None:
    table = frame().drop("part")

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


def test_sql_text() -> None:
    evaluation = ir.Labels(frame(), unit="part").evaluate(SOME)
    with duckdb.connect() as con:
        con.from_arrow(frame().to_arrow()).create("labels")
        rows = con.sql(evaluation.sql(wide=True)).pl()
    nothing_differs(
        {(str(m), r["part"]): r[str(m)] for r in rows.iter_rows(named=True) for m in SOME}, values(evaluation), 1e-12
    )
