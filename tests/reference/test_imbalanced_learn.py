"""Specificity, geometric means and the index of balanced accuracy equal imbalanced-learn's.

Its specificity counts the items, not their weights, for those that lack a class; so
weights are tried with recall alone.
"""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from imblearn import metrics

import ireval_frames as ir

engines = pytest.mark.parametrize("engine", ["polars", "duckdb"])


def table(classes: int) -> pl.DataFrame:
    rng = np.random.default_rng(classes)
    label = rng.integers(0, classes, 200)
    guess = np.where(rng.random(200) < 0.6, label, rng.integers(0, classes, 200))
    return pl.DataFrame({"label": label, "prediction": guess, "weight": rng.choice([0.5, 1.0, 2.25], 200)})


def values_of(frame: pl.DataFrame, measures: list[str], engine: str) -> list[float]:
    return ir.Labels(frame, engine=engine).evaluate(measures).summary()["value"].to_list()


@engines
def test_several_classes(engine: str, agrees) -> None:
    frame = table(4)
    y, z, w = (frame[c].to_numpy() for c in frame.columns)
    expected = {
        f"Specificity(average={a!r})": metrics.specificity_score(y, z, average=a)
        for a in ("micro", "macro", "weighted")
    }
    assert values_of(frame.drop("weight"), list(expected), engine) == pytest.approx(list(expected.values()), rel=1e-12)
    expected = {"GMean": metrics.geometric_mean_score(y, z, average="multiclass", sample_weight=w)}
    assert values_of(frame, list(expected), engine) == pytest.approx(list(expected.values()), rel=1e-12)
    never = frame.with_columns(prediction=pl.when(pl.col("prediction") == 3).then(0).otherwise("prediction"))
    z = never["prediction"].to_numpy()
    expected = {
        "GMean": metrics.geometric_mean_score(y, z, average="multiclass", sample_weight=w),
        "GMean(correction=0.001)": metrics.geometric_mean_score(
            y, z, average="multiclass", sample_weight=w, correction=0.001
        ),
    }
    assert expected["GMean"] == 0
    assert values_of(never, list(expected), engine) == pytest.approx(list(expected.values()), rel=1e-12)
    agrees("imbalanced-learn", *expected, family="labels")


@engines
def test_two_classes(engine: str, agrees) -> None:
    frame = table(2).drop("weight")
    y, z = (frame[c].to_numpy() for c in frame.columns)
    expected = {
        "Specificity": metrics.specificity_score(y, z),
        "GMean": metrics.geometric_mean_score(y, z),
        "IBA": metrics.make_index_balanced_accuracy(alpha=0.1, squared=True)(metrics.geometric_mean_score)(
            y, z, average="binary"
        ),
        "IBA(alpha=0.5)": metrics.make_index_balanced_accuracy(alpha=0.5, squared=True)(metrics.geometric_mean_score)(
            y, z, average="binary"
        ),
    }
    assert values_of(frame, list(expected), engine) == pytest.approx(list(expected.values()), rel=1e-12)
    agrees("imbalanced-learn", *expected, family="labels")


@engines
def test_distances_of_grades(engine: str, agrees) -> None:
    frame = table(5)
    y, z, w = (frame[c].to_numpy() for c in frame.columns)
    expected = {"MacroMAE": metrics.macro_averaged_mean_absolute_error(y, z, sample_weight=w)}
    assert values_of(frame, list(expected), engine) == pytest.approx(list(expected.values()), rel=1e-12)
    agrees("imbalanced-learn", *expected, family="labels")
