"""Curves of scores: their points are the thresholds, by group and classifier, and their areas are the measures."""

from __future__ import annotations

import itertools
from fractions import Fraction

import polars as pl
import pytest

import ireval_frames as ir
from ireval_frames.errors import InvalidParameter, InvalidValue, UnknownName
from tests.contract.kit import ENGINES
from tests.labels.scored import frame as frame_of_classes
from tests.labels.suite_scores import SCORES
from tests.labels.test_probabilities import CLASSES, scored
from tests.oracles import labels_calibration, labels_scores

CASE = SCORES.cases["weights"]
engines = pytest.mark.parametrize("engine", ENGINES)


@engines
@pytest.mark.parametrize("kind", ["roc", "precision-recall", "det", "gain", "thresholds"])
def test_points_are_those_of_the_loop(kind: str, engine: str) -> None:
    actual = ir.Labels(CASE.frame(), unit="part", engine=engine).curve(kind)
    assert actual.columns[:2] == ["part", "threshold"]
    for (part,), rows in actual.group_by("part"):
        one = CASE.items(part)
        p, n = labels_scores.both(one)
        points = labels_scores.points(one)
        assert rows["threshold"].to_list() == [q.score for q in points]

        def share(above: Fraction, below: Fraction) -> float | None:
            return float(above / below) if below else None

        for row, q in zip(rows.iter_rows(named=True), points, strict=True):
            taken = q.tp + q.fp
            expected = {
                "fpr": share(q.fp, n),
                "tpr": share(q.tp, p),
                "fnr": share(p - q.tp, p),
                "precision": share(q.tp, taken) if taken or kind == "thresholds" else 1.0,
                "recall": share(q.tp, p),
                "share": share(taken, p + n),
                "gain": share(q.tp, p),
                "lift": share(q.tp * (p + n), p * taken),
                "tp": float(q.tp),
                "fp": float(q.fp),
                "fn": float(p - q.tp),
                "tn": float(n - q.fp),
                "specificity": share(n - q.fp, n),
                "f1": share(2 * q.tp, taken + p),
                "accuracy": share(q.tp + n - q.fp, p + n),
            }
            for column in rows.columns[2:]:
                assert row[column] == (
                    None if expected[column] is None else pytest.approx(expected[column], rel=1e-12, abs=1e-12)
                ), (part, column, q)


@engines
def test_areas(engine: str) -> None:
    labels = ir.Labels(CASE.frame(), by="part", engine=engine)
    expected = labels.evaluate("ROCAUC PRAUC").summary()
    for kind, x, y, name in (("roc", "fpr", "tpr", "ROCAUC"), ("precision-recall", "recall", "precision", "PRAUC")):
        for (part,), rows in labels.curve(kind).drop_nulls().group_by("part"):
            pairs = itertools.pairwise(rows.select(x, y).rows())
            area = sum((x1 - x0) * (y0 + y1) / 2 for (x0, y0), (x1, y1) in pairs)
            value = expected.filter(part=part, measure=name)["value"].item()
            assert value is None or area == pytest.approx(value, rel=1e-12, abs=1e-12)


@engines
def test_corners_keep_the_area(engine: str) -> None:
    labels = ir.Labels(CASE.frame().drop("weight"), unit="part", engine=engine)
    every, corners = labels.curve("roc"), labels.curve("roc", corners=True)
    assert corners.height < every.height
    for part in ("distinct", "in_order", "few"):
        areas = []
        for curve in (every, corners):
            pairs = itertools.pairwise(curve.filter(part=part).select("fpr", "tpr").rows())
            areas.append(sum((x1 - x0) * (y0 + y1) / 2 for (x0, y0), (x1, y1) in pairs))
        assert areas[0] == pytest.approx(areas[1], rel=1e-12)


@engines
@pytest.mark.parametrize("binning", ["width", "mass"])
def test_calibration(binning: str, engine: str) -> None:
    both = (
        CASE.frame()
        .filter(pl.col("part").is_in(["distinct", "weights"]))
        .with_columns(score=1 / (1 + (-pl.col("score")).exp()))
    )
    actual = ir.Labels(both, by="part", engine=engine).curve("calibration", bins=5, binning=binning)
    assert actual.columns == ["part", "bin", "n", "probability", "observed"]
    for (part,), rows in actual.filter(pl.col("n") > 0).group_by("part"):
        one = [labels_scores.Item(y == 1, s, Fraction(w)) for _, y, s, w in both.filter(part=part).iter_rows()]
        bins = sorted((b for b in labels_calibration.binned(one, 5, binning, "left")), key=lambda b: b[1] / b[0])
        assert rows["n"].to_list() == pytest.approx([float(n) for n, *_ in bins])
        assert rows["probability"].to_list() == pytest.approx([float(sure / n) for n, sure, _ in bins], rel=1e-12)
        assert rows["observed"].to_list() == pytest.approx(
            [float(right / n) for n, _, right in bins], rel=1e-12, abs=1e-12
        )


@engines
def test_every_class_against_all_others(engine: str) -> None:
    some = scored(4, 30, sets=False, ties=True)
    labels = ir.Labels(frame_of_classes(some, sets=False), probabilities=list(CLASSES), engine=engine)
    actual = labels.curve("roc")
    assert actual.columns == ["class_id", "threshold", "fpr", "tpr"]
    for (name,), rows in actual.group_by("class_id", maintain_order=True):
        one = [labels_scores.Item(name in has, chances[name], Fraction(w)) for has, chances, w in some]
        p, n = labels_scores.both(one)
        expected = [(q.score, float(q.fp / n), float(q.tp / p)) for q in labels_scores.points(one)]
        assert rows.drop("class_id").rows() == [pytest.approx(w, rel=1e-12, abs=1e-12) for w in expected]
    assert actual["class_id"].n_unique() == len(CLASSES)


@engines
def test_several_classifiers_and_none(engine: str) -> None:
    both = pl.concat([CASE.frame().with_columns(run_id=pl.lit(r)) for r in "ab"])
    actual = ir.Labels(both, by="part", engine=engine).curve("roc")
    assert actual.columns == ["run_id", "part", "threshold", "fpr", "tpr"]
    assert actual.filter(run_id="a").drop("run_id").equals(actual.filter(run_id="b").drop("run_id"))
    assert ir.Labels(CASE.frame().clear(), engine=engine).curve("roc").height == 0
    assert ir.Labels(CASE.frame().clear(), by="part", engine=engine).curve("gain").height == 0


def test_refused() -> None:
    labels = ir.Labels(CASE.frame().drop("part"))
    with pytest.raises(UnknownName, match="precision-recall"):
        labels.curve("precision_recall")
    with pytest.raises(UnknownName, match="mass"):
        labels.curve("calibration", binning="quantile")
    with pytest.raises(InvalidParameter, match="bins=10"):
        labels.curve("calibration", bins=0)
    with pytest.raises(InvalidValue, match="probabilities"):
        labels.curve("calibration")
    with pytest.raises(InvalidValue, match="not finite"):
        ir.Labels(CASE.frame().with_columns(score=float("nan"))).curve("roc")
