"""The conventions: what stands for undefined values, and items without a label."""

from __future__ import annotations

import polars as pl
import pytest

import ireval_frames as ir
from ireval_frames.errors import InvalidParameter, MismatchedTables, UnknownName
from tests.contract.kit import ENGINES, assert_same, by_measure
from tests.labels.cases import Case
from tests.labels.suite import CASES, FIRST, LABELS, evaluated, expected

engines = pytest.mark.parametrize("engine", ENGINES)


@pytest.mark.parametrize(
    "where, undefined", [("text", "1"), ("two", "1"), ("sets", "0"), ("text", "propagate"), ("sets", "propagate")]
)
def test_undefined_values(where: str, undefined: str) -> None:
    measures = LABELS.measures(where)
    meant = undefined if undefined == "propagate" else float(undefined)
    options = {m: expected(CASES[where], m, meant) for m in measures}
    for engine in ENGINES:
        actual = LABELS.compute(where, measures, engine, policy=f"undefined={undefined}")
        for measure in measures:
            assert_same(actual[str(measure)], options[measure], 1e-12)


@engines
def test_what_rests_on_an_undefined_ratio_is_undefined(engine: str) -> None:
    """Five classifiers of 100 relevant and 20 other documents, of which the fourth returns none."""
    cells = {
        "1": (80, 20, 0, 20),
        "2": (70, 30, 20, 0),
        "3": (100, 0, 20, 0),
        "4": (0, 100, 0, 20),
        "5": (50, 50, 0, 20),
    }
    sides = [(1, 1), (1, 0), (0, 1), (0, 0)]
    rows = [(m, *side, n) for m, counts in cells.items() for side, n in zip(sides, counts, strict=True)]
    table = pl.DataFrame(rows, schema=["run_id", "label", "prediction", "weight"], orient="row")
    labels = ir.Labels(table, engine=engine, policy="undefined=propagate")
    actual = labels.evaluate("Precision Recall F1 Accuracy").wide().with_columns(pl.col(pl.Float64).round(2))
    assert actual.rows() == [
        ("1", 1.0, 0.8, 0.89, 0.83),
        ("2", 0.78, 0.7, 0.74, 0.58),
        ("3", 0.83, 1.0, 0.91, 0.83),
        ("4", None, 0.0, None, 0.17),
        ("5", 1.0, 0.5, 0.67, 0.58),
    ]
    assert ir.Labels(table, engine=engine).evaluate("F1").wide().filter(run_id="4")["F1"].item() == 0.0
    report = labels.report().filter(run_id="4").select("class_id", "precision", "f1")
    assert report.filter(pl.col("precision").is_null())["class_id"].to_list() == [
        "1",
        "macro average",
        "weighted average",
    ]
    assert report.filter(pl.col("f1").is_null())["class_id"].to_list() == ["1", "macro average", "weighted average"]
    left_out = labels.evaluate("F1(average='macro')").undefined().filter(run_id="4")
    assert left_out["n_undefined"].item() == 1
    scored = pl.DataFrame(
        {
            "item_id": [1, 2, 3],
            "label": ["a", "b", "b"],
            "a": [0.7, 0.2, 0.5],
            "b": [0.2, 0.5, 0.4],
            "c": [0.1, 0.3, 0.1],
        }
    )
    several = ir.Labels(scored, probabilities=["a", "b", "c"], engine=engine).evaluate
    areas = "ROCAUC(average='macro') ROCAUC(average='weighted') AveragePrecision(average='macro')"
    assert None not in several(areas).summary()["value"]
    values = several(areas, policy="undefined=propagate").summary()["value"]
    assert (values[0], values[2]) == (None, None)
    assert values[1] is not None
    scores = pl.DataFrame({"label": [1, 0], "score": [0.7, 0.2]})
    for policy, first in (("undefined=propagate", None), ("undefined=null", 0.0)):
        assert ir.Labels(scores, engine=engine).curve("thresholds", policy=policy)["f1"].to_list()[0] == first


@engines
def test_items_without_a_label_left_out(engine: str) -> None:
    """Left out is as if they were not there; units with no other item are not there either."""
    case = CASES["text"]
    units = {u: [r for r in rows if r[0] is not None] for u, rows in case.units["run0"].items()}
    rest = Case({"run0": {u: rows for u, rows in units.items() if rows}}, case.positive)
    actual = by_measure(evaluated(case, FIRST, engine, policy="unlabelled=skip"))
    for measure in FIRST:
        assert_same(actual[str(measure)], expected(rest, measure), 1e-12)


@engines
def test_items_without_a_label_refused(engine: str) -> None:
    frame = pl.DataFrame({"label": ["a", None, None], "prediction": ["a", "b", "c"]})
    with pytest.raises(MismatchedTables, match=r"2 items have no label(.|\n)*unlabelled=skip"):
        ir.Labels(frame, engine=engine).evaluate("Accuracy", policy="scikit-learn").summary()
    assert (
        ir.Labels(frame, engine=engine, policy="scikit-learn,unlabelled=skip")
        .evaluate("Accuracy")
        .summary()["value"]
        .item()
        == 1.0
    )


def test_presets_and_fields() -> None:
    with pytest.raises(UnknownName, match="scikit-learn"):
        ir.labels.LabelPolicy.named("scikit")
    with pytest.raises(InvalidParameter, match="undefined is 'zero'"):
        ir.labels.LabelPolicy.of("undefined=zero")
    with pytest.raises(InvalidParameter, match="LabelPolicy"):
        ir.Labels(ir.examples.labels(), policy=ir.ranking.RankingPolicy())


@pytest.mark.parametrize("typed, text", [(0, "0"), (0.0, "0"), (1, "1"), (None, "null"), (None, "None")])
def test_undefined_as_a_number(typed: float | None, text: str) -> None:
    assert ir.labels.LabelPolicy(undefined=typed) == ir.labels.LabelPolicy.of(f"undefined={text}")
    # The type says that there may be owls.
    birds = ir.examples.labels().cast({pl.String: pl.Enum(["cat", "cow", "dog", "owl"])})
    actual = ir.Labels(birds, positive="owl", policy={"undefined": typed}).evaluate("Recall(average='binary')")
    assert actual.summary()["value"].item() == typed
    for bad in (2, 0.5, True, float("nan"), "nan", "0", "null"):
        with pytest.raises(InvalidParameter, match="undefined is"):
            ir.labels.LabelPolicy(undefined=bad)
