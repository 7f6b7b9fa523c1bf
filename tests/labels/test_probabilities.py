"""Measures of probabilities equal plain loops and scikit-learn, on both engines, in every form of probabilities."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import duckdb
import polars as pl
import pytest

import ireval_frames as ir
from ireval_frames.errors import InvalidParameter, MissingColumn, NotDefined, WrongType
from tests.labels.scored import CLASSES, frame, of_classes, scored
from tests.oracles import labels_scores

ENGINES = ("polars", "duckdb")
engines = pytest.mark.parametrize("engine", ENGINES)


@engines
@pytest.mark.parametrize("sets", [False, True])
def test_areas_of_every_class(engine: str, *, sets: bool) -> None:
    case = of_classes(1, 25, sets=sets)
    cases, table = case.units, case.frame()
    measures = "ROCAUC(average='macro') AveragePrecision(average='micro') PRAUC(start='first', average='macro')"
    actual = ir.Labels(table, probabilities=list(CLASSES), by="part", engine=engine).evaluate(measures).per_class()
    assert actual.columns == ["part", "class_id", "measure", "value"]
    for (part, name), rows in actual.group_by("part", "class_id"):
        one = [labels_scores.Item(name in has, chances[name], Fraction(w)) for has, chances, w in cases[part]]
        expected = [
            labels_scores.roc_auc(one),
            labels_scores.average_precision(one),
            labels_scores.area_of_lines(one, "first"),
        ]
        assert rows["value"].to_list() == [
            None if w is None else pytest.approx(float(w), rel=1e-12, abs=1e-12) for w in expected
        ]
    with pytest.raises(NotDefined, match="separately"):
        ir.Labels(table.with_columns(prediction="label"), probabilities=list(CLASSES)).evaluate(
            "ROCAUC(average='macro') F1"
        ).per_class()


def test_one_score_per_item_has_no_average() -> None:
    wide = frame(scored(3, 20, sets=False, ties=False), sets=False)
    with pytest.raises(MissingColumn, match=r"ROCAUC\(average='macro'\)"):
        ir.Labels(wide, probabilities=list(CLASSES)).evaluate("ROCAUC")
    with pytest.raises(MissingColumn, match=r"score=.* positive="):
        ir.Labels(wide, probabilities=list(CLASSES)).evaluate("KS")
    with pytest.raises(MissingColumn, match="probabilities="):
        ir.Labels(ir.examples.scores()).evaluate("ROCAUC(average='macro')")
    binary = ir.Labels(ir.examples.scores()).evaluate("AUC(average='binary') AUC")
    assert binary.summary()["measure"].to_list() == ["ROCAUC"]


@engines
def test_groups(engine: str) -> None:
    items = scored(9, 40, sets=False, ties=True)
    table = frame(items, sets=False).with_columns(part=pl.col("item_id") % 3)
    actual = (
        ir.Labels(table, probabilities=list(CLASSES), by="part", engine=engine)
        .evaluate("TopK@2 HandTill LRAP")
        .summary()
    )
    for part in range(3):
        rows = (
            ir.Labels(table.filter(pl.col("part") == part), probabilities=list(CLASSES))
            .evaluate("TopK@2 HandTill LRAP")
            .summary()
        )
        assert actual.filter(pl.col("part") == part)["value"].to_list() == pytest.approx(
            rows["value"].to_list(), rel=1e-12
        )


@engines
def test_every_form(engine: str) -> None:
    items = scored(4, 30, sets=False, ties=True)
    wide = frame(items, sets=False)
    plain, classes = wide.select("item_id", "label", "weight"), list(CLASSES)
    forms: list[tuple[pl.DataFrame, dict[str, Any]]] = [
        (wide, {"probabilities": {c: c for c in classes}}),
        (wide.rename({c: f"p_{c}" for c in classes}), {"probabilities": {c: f"p_{c}" for c in classes}}),
        (wide.select("item_id", "label", "weight", p=pl.struct(classes)), {"probabilities": "p"}),
        (
            wide.select("item_id", "label", "weight", p=pl.concat_list(classes)),
            {"probabilities": "p", "probability_classes": classes},
        ),
        (
            plain,
            {
                "probabilities": wide.select("item_id", *classes).unpivot(
                    classes, index="item_id", variable_name="label", value_name="probability"
                )
            },
        ),
    ]
    measures = "TopK@1 HandTill"
    expected = ir.Labels(wide, probabilities=classes).evaluate(measures).summary()["value"].to_list()
    for table, options in forms:
        actual = ir.Labels(table, engine=engine, **options).evaluate(measures).summary()["value"].to_list()
        assert actual == pytest.approx(expected, rel=1e-12)


@engines
def test_a_long_table_takes_its_keys_from_the_labels(engine: str) -> None:
    """Groups, other names of ids, several classifiers; probabilities of items that are not there count nothing."""
    items = scored(8, 30, sets=False, ties=True)
    wide, measures = frame(items, sets=False).with_columns(part=pl.col("item_id") % 2), "TopK@1 OneVsRestAUC"
    plain = wide.select("item_id", "label", "weight", "part")
    long = wide.drop("label").unpivot(
        CLASSES, index=["item_id", "part"], variable_name="label", value_name="probability"
    )
    expected = ir.Labels(wide, probabilities=list(CLASSES), by="part").evaluate(measures).summary()["value"].to_list()
    more = pl.concat([long, long.with_columns(pl.col("item_id") + 1000)])
    renamed = {"item_id": "doc", "label": "gold"}
    for labels, chances, options in (
        (plain, long, {}),
        (plain, more.drop("part"), {}),
        (plain.rename(renamed), long.rename(renamed), {"item": "doc", "label": "gold"}),
        (plain.with_columns(run_id=pl.lit("r")), long.drop("part"), {}),
        (plain, long.with_columns(run_id=pl.lit("r")), {}),
    ):
        actual = (
            ir.Labels(labels, probabilities=chances, by="part", engine=engine, **options).evaluate(measures).summary()
        )
        assert actual["value"].to_list() == pytest.approx(expected, rel=1e-12)
        assert ("run_id" in actual.columns) == ("run_id" in labels.columns or "run_id" in chances.columns)
    two = pl.concat(
        [long.with_columns(run_id=pl.lit("r")), long.with_columns(pl.col("probability") * -1, run_id=pl.lit("s"))]
    )
    actual = ir.Labels(plain, probabilities=two, by="part", engine=engine).evaluate("OneVsRestAUC").summary()
    assert (actual.filter(run_id="r")["value"] + actual.filter(run_id="s")["value"]).to_list() == pytest.approx(
        [1.0, 1.0]
    )


def test_sql_text() -> None:
    wide = frame(scored(8, 20, sets=False, ties=True), sets=False)
    struct = wide.select("item_id", "label", "weight", p=pl.struct(CLASSES))
    long = wide.drop("label").unpivot(CLASSES, index="item_id", variable_name="label", value_name="probability")
    for table, chances in ((wide, list(CLASSES)), (struct, "p"), (wide.select("item_id", "label", "weight"), long)):
        evaluation = ir.Labels(table, probabilities=chances).evaluate("TopK@1 HandTill")
        with duckdb.connect() as con:
            con.from_arrow(table.to_arrow()).create("labels")
            con.from_arrow(long.to_arrow()).create("probabilities")
            assert con.sql(evaluation.per_unit.sql(wide=True)).pl().row(0) == pytest.approx(
                tuple(evaluation.summary()["value"]), rel=1e-12
            )


@engines
def test_classes_that_are_numbers(engine: str) -> None:
    items = scored(5, 20, sets=False, ties=False)
    wide = frame(items, sets=False)
    numbers = wide.with_columns(
        label=pl.col("label").replace_strict({c: i for i, c in enumerate(CLASSES)}, return_dtype=pl.Int8)
    )
    numbers = numbers.rename({c: str(i) for i, c in enumerate(CLASSES)})
    actual = (
        ir.Labels(numbers, probabilities=["0", "1", "2", "3"], engine=engine)
        .evaluate("TopK@1 HandTill")
        .summary()["value"]
    )
    assert actual.to_list() == pytest.approx(
        ir.Labels(wide, probabilities=list(CLASSES)).evaluate("TopK@1 HandTill").summary()["value"].to_list()
    )


TABLE = frame(scored(8, 5, sets=False, ties=False), sets=False)


@pytest.mark.parametrize(
    "options, error, message",
    [
        ({}, MissingColumn, "probabilities="),
        ({"probabilities": ["a", "zebra"]}, MissingColumn, "'zebra'"),
        ({"probabilities": ["a"]}, InvalidParameter, "at least two"),
        ({"probabilities": "a"}, WrongType, "structs or lists"),
    ],
)
def test_errors(options: dict[str, Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        ir.Labels(TABLE, **options).evaluate("TopK@1").summary()


def test_lists_must_name_their_classes() -> None:
    with pytest.raises(InvalidParameter, match="probability_classes="):
        ir.Labels(TABLE.with_columns(p=pl.concat_list(CLASSES)), probabilities="p").evaluate("LRAP")


def test_top_k_of_sets() -> None:
    with pytest.raises(NotDefined, match="one label each"):
        ir.Labels(frame(scored(1, 5, sets=True, ties=False), sets=True), probabilities=list(CLASSES)).evaluate("TopK@1")


@pytest.mark.filterwarnings("ignore:No probabilities are of")
@engines
def test_pairs_of_which_one_class_has_no_probability_are_left_out(engine: str) -> None:
    """A label without a probability meets the other classes from one side only, which is half a pair."""
    wide = pl.DataFrame(
        {"item_id": [1, 2, 3, 4], "label": [*"abca"], "a": [0.9, 0.2, 1.0, 0.7], "b": [0.1, 0.8, 0.0, 0.3]}
    )
    without = wide.filter(pl.col("label") != "c")
    measures = "HandTill HandTill(average='weighted')"
    for source in (wide, without):
        actual = ir.Labels(source, probabilities=["a", "b"], engine=engine).evaluate(measures).summary()
        assert actual["value"].to_list() == [1.0, 1.0]
