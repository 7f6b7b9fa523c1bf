"""Huge and tiny weights, counts and scores: ratios are free of the weights' scale, and small rests count."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from fractions import Fraction

import polars as pl
import pytest

import ireval_frames as ir
from ireval_frames import catalog
from ireval_frames.errors import InvalidValue
from ireval_frames.labels.decisions.by_class import CLASS_VALUES
from tests.contract.kit import ENGINES, Values, assert_same
from tests.labels.scored import CLASSES, scored
from tests.labels.scored import frame as frame_of_classes
from tests.labels.suite import CASES, evaluated
from tests.labels.suite_scores import SCORES
from tests.oracles import labels as oracle
from tests.oracles import labels_scores
from tests.oracles.labels_items import item

engines = pytest.mark.parametrize("engine", ENGINES)
factors = pytest.mark.parametrize("factor", [2.0**530, 1e160, 2.0**-560, 1e-170, 1e-290])
# They count items, or add a part of one.
COUNTS = {"Support", "NumItems", "NumClasses", "Utility", "ChiSquare", "HosmerLemeshow", "Lam"}
SCALE_FREE = [d for d in catalog.definitions("labels") if d.name not in COUNTS]
OF_CELLS = [d for d in SCALE_FREE if d.name in oracle.ORACLES and d.name not in oracle.NUMBERS]
NEEDED = {"share": 0.3, "recall": 0.3, "precision": 0.5, "specificity": 0.5}


def scaled(frame: pl.DataFrame, factor: float) -> pl.DataFrame:
    return frame.with_columns(weight=factor)


@functools.cache
def of_cells(engine: str, factor: float) -> Values:
    case = CASES["text"]
    averages = ("binary", "micro", "macro", "weighted")
    measures = [
        *(d(average=averages[i % 4]) if d.name in CLASS_VALUES else d() for i, d in enumerate(OF_CELLS)),
        ir.labels.Lam(smoothed=False),
        ir.labels.Kappa(weights="linear"),
        ir.labels.Kappa(weights="quadratic"),
    ]
    return evaluated(case, measures, engine, scaled(case.frame(), factor))


@engines
@factors
def test_measures_of_cells_are_scale_free(engine: str, factor: float) -> None:
    expected = of_cells(engine, 1.0)
    assert sum(v is not None for v in expected.values()) > len(expected) / 2
    assert_same(of_cells(engine, factor), expected, 1e-12)


@functools.cache
def of_scores(engine: str, factor: float) -> list[float | None]:
    names = [n for n in labels_scores.ORACLES if n not in COUNTS]
    measures = [
        d(**{n: v for n, v in NEEDED.items() if n in d.parameters})
        for d in (catalog.find(name, "labels") for name in names)
    ]
    frame = SCORES.cases["weights"].frame().filter(pl.col("part").is_in(["distinct", "few", "gaps"]))
    subject = ir.Labels(scaled(frame, factor), unit="part", engine=engine)
    return subject.evaluate([*measures, ir.labels.ROCAUC(max_fpr=0.3)]).per_unit()["value"].to_list()


@functools.cache
def of_probabilities(engine: str, factor: float) -> list[float | None]:
    frame = frame_of_classes(scored(4, 30, sets=False, ties=True), sets=False)
    measures = (
        "HandTill HandTill(average='weighted') OneVsRestAUC ROCAUC(average='micro') ROCAUC(average='macro') "
        "AveragePrecision(average='weighted') LogLoss Brier D2LogLoss D2Brier Hinge TopK@2 LRAP CoverageError "
        "RankingLoss ECE MCE RMSCE RMSCE(kind='mass')"
    )
    subject = ir.Labels(scaled(frame, factor), probabilities=list(CLASSES), engine=engine)
    return subject.evaluate(measures).summary()["value"].to_list()


@engines
@factors
@pytest.mark.parametrize("values", [of_scores, of_probabilities])
def test_measures_of_scores_and_probabilities_are_scale_free(
    values: Callable[[str, float], list[float | None]], engine: str, factor: float
) -> None:
    expected = values(engine, 1.0)
    assert None not in expected
    assert values(engine, factor) == pytest.approx(expected, rel=1e-12, abs=1e-12)


@engines
def test_information_contrast_is_scale_free(engine: str) -> None:
    frame = pl.DataFrame({"label": ["cat", "dog", "dog", "cat"], "prediction": ["dog", "dog", "cow", "cat"]})
    tree = {"cat": "pet", "dog": "pet", "pet": "animal", "cow": "animal"}
    one, quarter, tiny = (
        ir.Labels(scaled(frame, f), hierarchy=tree, engine=engine).evaluate("ICM ICMNorm").summary()["value"].to_list()
        for f in (1.0, 0.25, 1e-170)
    )
    assert quarter == pytest.approx(one, rel=1e-12)
    assert tiny == pytest.approx(one, rel=1e-12)
    # A weight of three is three items.
    three = ir.Labels(pl.concat([frame] * 3), hierarchy=tree, engine=engine).evaluate("ICM").summary()["value"].item()
    actual = ir.Labels(scaled(frame, 3.0), hierarchy=tree, engine=engine).evaluate("ICM").summary()["value"].item()
    assert actual == pytest.approx(three, rel=1e-12)


@engines
def test_small_rests_beside_large_counts(engine: str) -> None:
    cases = [
        [("a", "a", large), ("b", "b", small), ("b", "a", small)]
        for large in (1e12, 1e13, 2.0**50)
        for small in (1.0, 0.5, 3.0)
    ]
    rows = [(number, *cell) for number, cells in enumerate(cases) for cell in cells]
    frame = pl.DataFrame(rows, schema=["part", "label", "prediction", "weight"], orient="row")
    names = ("Kappa", "MCC", "Specificity", "NPV", "Informedness", "FallOut", "LRPlus", "DOR", "P4", "IBA", "FRS")
    measures = [catalog.find(n, "labels")(**({"average": "binary"} if n in CLASS_VALUES else {})) for n in names]
    table = ir.Labels(frame, positive="a", unit="part", engine=engine).evaluate(measures).per_unit(wide=True)
    for number, cells in enumerate(cases):
        items = [item((a,), (b,), w) for a, b, w in cells]
        expected = [oracle.value(m.name, items, positive="a", **dict(m.values)) for m in measures]
        assert expected[2] == 0.5, "the specificity"
        actual = table.row(by_predicate=pl.col("part") == number, named=True)
        assert [actual[str(m)] for m in measures] == [
            None if w is None else pytest.approx(w, rel=1e-9) for w in expected
        ]


@engines
def test_rests_of_rounding_do_not_count(engine: str) -> None:
    """0.1 and 0.2 and 0.7 add up to 1 in one order and to less in another."""
    cells = [("a", "a", w) for w in (0.1, 0.2, 0.7, 0.1, 0.3, 1e3)]
    frame = pl.DataFrame(cells, schema=["label", "prediction", "weight"], orient="row")
    ev = ir.Labels(frame, positive="a", engine=engine).evaluate("Specificity(average='binary') Kappa MCC")
    assert ev.summary()["value"].to_list() == [None] * 3


@engines
def test_weights_that_add_up_to_infinity_are_refused(engine: str) -> None:
    frame = pl.DataFrame({"label": ["a", "b"], "prediction": ["a", "a"], "weight": [1e308, 1e308]})
    with pytest.raises(InvalidValue, match=r"weights(.|\n)*Divide"):
        ir.Labels(frame, engine=engine).evaluate("Accuracy").summary()


@engines
def test_margins_of_huge_scores(engine: str) -> None:
    """Their sum would overflow, their mean does not."""
    frame = pl.DataFrame({"label": [1, 1, 1, 0], "score": [-1e308, -1e308, 5.0, 1e308]})
    value = ir.Labels(frame, engine=engine).evaluate("Hinge").summary()["value"].item()
    assert value == pytest.approx(0.75e308)
    wide = pl.DataFrame({"label": ["a", "b"], "a": [-1e308, 0.0], "b": [1e307, 5.0], "item_id": [1, 2]})
    value = ir.Labels(wide, probabilities=["a", "b"], engine=engine).evaluate("Hinge").summary()["value"].item()
    assert value == pytest.approx(0.55e308)
    apart = pl.DataFrame({"label": ["a", "b"], "a": [-1e308, 0.0], "b": [1e308, 5.0], "item_id": [1, 2]})
    with pytest.raises(InvalidValue, match="exceeds the largest float"):
        ir.Labels(apart, probabilities=["a", "b"], engine=engine).evaluate("Hinge").summary()


@engines
@pytest.mark.parametrize("dtype", [pl.Int64, pl.UInt64])
def test_integer_scores_that_floats_cannot_tell_apart_are_refused(engine: str, dtype) -> None:
    frame = pl.DataFrame({"label": [1, 0], "score": pl.Series([2**53 + 1, 2**53], dtype=dtype)})
    with pytest.raises(InvalidValue, match=r"9007199254740993(.|\n)*rank"):
        ir.Labels(frame, engine=engine).evaluate("ROCAUC").summary()
    small = frame.with_columns(pl.col("score") - 1)
    assert ir.Labels(small, engine=engine).evaluate("ROCAUC").summary()["value"].item() == 1.0


@engines
def test_integer_scores_of_a_text_file(engine: str, tmp_path) -> None:
    path = tmp_path / "scores.csv"
    pl.DataFrame({"label": [1, 0], "score": [2**53 + 1, 2**53]}).write_csv(path)
    with pytest.raises(InvalidValue, match=r"9007199254740993(.|\n)*rank"):
        ir.Labels(path, engine=engine).evaluate("ROCAUC").summary()
    pl.DataFrame({"label": [1, 0], "score": ["1e300", "-1e300"]}).write_csv(path)
    assert ir.Labels(path, engine=engine).evaluate("ROCAUC").summary()["value"].item() == 1.0


@engines
@pytest.mark.parametrize("level, expected", [(0, (0.0, 1.0)), (0.5, (0.5, 0.5)), (1, (0.5, 0.5))])
def test_no_recall_is_reached_by_taking_nothing(engine: str, level: float, expected: tuple[float, float]) -> None:
    frame = pl.DataFrame({"label": [1, 0, 1, 0], "score": [0.9, 0.95, 0.3, 0.2]})
    ev = ir.Labels(frame, engine=engine).evaluate(f"FallOutAtRecall@{level} SpecificityAtRecall@{level}")
    assert tuple(ev.summary()["value"]) == expected


def test_the_oracle_takes_fractions() -> None:
    """The oracles' numbers do not depend on the scale either."""
    one = [labels_scores.Item(y == 1, s, Fraction(1)) for y, s in ((1, 0.3), (0, 0.2), (1, 0.1))]
    tiny = [labels_scores.Item(i.positive, i.score, i.weight / 10**200) for i in one]
    assert labels_scores.roc_auc(one) == labels_scores.roc_auc(tiny)
    assert math.isfinite(float(labels_scores.roc_auc(one)))
