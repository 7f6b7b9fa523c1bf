"""Risk-coverage curves, the measures that are read off them, and what the score is taken for."""

from __future__ import annotations

import polars as pl
import pytest

import ireval_frames as ir
from ireval_frames.errors import InvalidParameter, InvalidValue, MissingColumn, NotDefined, UnknownName
from tests.contract.kit import ENGINES
from tests.labels.suite_scores import how_sure, sure_guesses, sure_tables
from tests.oracles import labels_selective

engines = pytest.mark.parametrize("engine", ENGINES)
AREAS = "AURC EAURC NAURC AUGRC"


@engines
def test_the_curve_is_that_of_the_loop_and_its_area_the_measure(engine: str) -> None:
    built = sure_guesses()
    table = sure_tables(built)["labels"]
    labels = ir.Labels(table, unit="part", engine=engine)
    actual = labels.curve("risk-coverage", score="confidence")
    assert actual.columns == ["part", "threshold", "coverage", "risk"]
    areas = dict(labels.evaluate("AURC(score='confidence')").per_unit().select("part", "value").rows())
    for unit, items in built.units.items():
        guesses = [(how_sure(unit, i), has == result, w) for i, (has, result, w) in enumerate(items)]
        rows, area, before = [], 0.0, 0.0
        for accepted in labels_selective.thresholds(guesses):
            weight = sum(w for *_, w in accepted)
            risk = sum(w for _, right, w in accepted if not right) / weight
            coverage = weight / sum(w for *_, w in guesses)
            area, before = area + (coverage - before) * risk, coverage
            rows.append((min(g[0] for g in accepted), coverage, risk))
        here = actual.filter(part=unit).drop("part").rows()
        assert len(here) == len(rows)
        assert [v for row in here for v in row] == pytest.approx([v for row in rows for v in row], abs=1e-12)
        assert areas[unit] == pytest.approx(area, abs=1e-12)


@engines
def test_of_three_ways_to_say_one_thing(engine: str) -> None:
    """A probability, the probabilities of both classes, and a prediction with its confidence."""
    p = [0.9, 0.2, 0.7, 0.4, 0.35, 0.8, 0.15, 0.6]
    label = [1, 0, 0, 0, 1, 1, 0, 1]
    # Of a hundred and of a thousand some 1 − p is not the float of the decimal: it is equally sure all the same.
    mirrored = pl.DataFrame(
        {
            "score": [x for k in range(1, 500) for x in (k / 1000, (1000 - k) / 1000)],
            "label": [k % 3 // 2 for k in range(1, 500) for _ in range(2)],
        }
    ).with_row_index("item_id")
    equal = mirrored.with_columns(
        prediction=(pl.col("score") > 0.5).cast(pl.Int64),
        score=pl.Series([(1000 - k) / 1000 for k in range(1, 500) for _ in range(2)]),
    )
    areas = ir.Labels(mirrored, engine=engine).evaluate(AREAS).summary()["value"].to_list()
    expected = (
        ir.Labels(equal).evaluate([f"{m}(score='confidence')" for m in AREAS.split()]).summary()["value"].to_list()
    )
    assert areas == pytest.approx(expected, abs=1e-12)
    assert len(ir.Labels(mirrored, engine=engine).curve("risk-coverage")) == 499
    one = pl.DataFrame({"item_id": range(8), "label": label, "score": p})
    both = one.select("item_id", "label", yes="score", no=1 - pl.col("score"))
    row = one.select(
        "item_id",
        "label",
        prediction=(pl.col("score") > 0.5).cast(pl.Int64),
        score=pl.max_horizontal("score", 1 - pl.col("score")),
    )
    measures = f"{AREAS} SelectiveAccuracy@0.5 SelectiveAccuracy@0.3 SelectiveAccuracy@1"
    values = ir.Labels(one, engine=engine).evaluate(measures).summary()["value"].to_list()
    of_classes = ir.Labels(both, probabilities={1: "yes", 0: "no"}, engine=engine)
    assert of_classes.evaluate(measures).summary()["value"].to_list() == pytest.approx(values)
    names = [m.replace("@", "(coverage=") + ", score='confidence')" if "@" in m else f"{m}(score='confidence')"
             for m in measures.split()]  # fmt: skip
    confident = ir.Labels(row, engine=engine)
    assert confident.evaluate(names).summary()["value"].to_list() == pytest.approx(values)
    assert values[-1] == pytest.approx(confident.evaluate("Accuracy").summary()["value"].item())
    # Predictions that are the more likely class change nothing.
    beside = one.with_columns(prediction=row["prediction"])
    assert ir.Labels(beside, engine=engine).evaluate(measures).summary()["value"].to_list() == pytest.approx(values)
    curves = [
        ir.Labels(one, engine=engine).curve("risk-coverage"),
        of_classes.curve("risk-coverage"),
        confident.curve("risk-coverage", score="confidence"),
    ]
    for curve in curves[1:]:
        assert curve["risk"].to_list() == pytest.approx(curves[0]["risk"].to_list())


@engines
def test_the_best_and_the_worst(engine: str) -> None:
    right = [1, 1, 1, 0, 0]
    table = pl.DataFrame({"label": [1] * 5, "prediction": right, "score": [5.0, 4, 3, 2, 1]})
    measures = [f"{m}(score='confidence')" for m in AREAS.split()]
    best = dict(ir.Labels(table, engine=engine).evaluate(measures).summary().select("measure", "value").rows())
    worst = ir.Labels(table.with_columns(-pl.col("score")), engine=engine).evaluate(measures).summary()
    assert all(one > best[m] for m, one in worst.select("measure", "value").rows())
    # 1/5·(1/4 + 2/5), and an error in one of five accepted twice.
    assert best["AURC(score='confidence')"] == pytest.approx((1 / 4 + 2 / 5) / 5)
    assert best["AUGRC(score='confidence')"] == pytest.approx(0.4**2 / 2)
    constant = ir.Labels(table.with_columns(score=0.0), engine=engine).evaluate(measures).summary()["value"]
    assert constant.to_list()[::2] == pytest.approx([0.4, 1.0])
    sure = ir.Labels(table.filter(pl.col("prediction") == 1), engine=engine).evaluate(measures).summary()["value"]
    assert sure.to_list() == [0.0, 0.0, None, 0.0]


def test_what_the_score_is_taken_for() -> None:
    table = pl.DataFrame({"label": ["a", "b"], "prediction": ["a", "a"], "score": [0.9, 0.8]})
    with pytest.raises(NotDefined, match="positive"):
        ir.Labels(table).evaluate("AURC").summary()
    with pytest.raises(
        InvalidValue, match=r"not the more likely class; the first is 'a' with 0.9(.|\n)*AURC\(score="
    ) as e:
        ir.Labels(table, positive="b").evaluate("AURC").summary()
    assert "AURC(score='confidence')" in str(e.value.hint)
    assert ir.Labels(table).evaluate("AURC(score='confidence')").summary()["value"].item() == 0.25
    with pytest.raises(InvalidValue, match=r"SelectiveAccuracy\(score='confidence'\)@0.5"):
        ir.Labels(table, positive="b").evaluate("SelectiveAccuracy(coverage=0.5)").summary()
    with pytest.raises(InvalidValue, match='score="confidence"'):
        ir.Labels(table, positive="b").curve("risk-coverage")
    logits = table.with_columns(score=pl.Series([3.0, -1.0]))
    with pytest.raises(InvalidValue, match="outside of 0 to 1"):
        ir.Labels(logits, positive="a").evaluate("AURC").summary()
    with pytest.raises(InvalidValue, match="not finite"):
        ir.Labels(table.with_columns(score=float("nan"))).evaluate("AURC(score='confidence')").summary()
    with pytest.raises(MissingColumn, match="prediction"):
        ir.Labels(table.drop("prediction")).evaluate("AURC(score='confidence')").summary()
    with pytest.raises(InvalidParameter, match="confidence"):
        ir.Labels(table).evaluate("AURC(score='margin')")
    with pytest.raises(UnknownName, match="confidence"):
        ir.Labels(table).curve("risk-coverage", score="margin")
    sets = pl.DataFrame({"label": [["a"]], "prediction": [["a"]], "score": [0.5]})
    with pytest.raises(NotDefined, match="sets of labels"):
        ir.Labels(sets).evaluate("AURC(score='confidence')").summary()


def test_the_picture_of_the_curve() -> None:
    frame = pl.DataFrame({"label": [1, 0, 1, 1], "score": [0.9, 0.2, 0.7, 0.4]})
    two = pl.concat([frame.with_columns(run_id=pl.lit(r), score=pl.col("score") ** k) for r, k in (("x", 1), ("y", 2))])
    for labels in (ir.Labels(frame), ir.Labels(two)):
        rows = ir.plots.curve.frame(labels, "risk-coverage")
        expected = labels.curve("risk-coverage")
        assert rows.select("x", "y").rows() == expected.select("coverage", "risk").rows()
    assert "dashed: the share of all that is wrong" in str(ir.plots.curve(ir.Labels(frame), "risk-coverage").to_dict())
    assert ir.Labels(frame).curve.plot("risk-coverage").to_dict()["title"]["text"] == "Risk and coverage"
