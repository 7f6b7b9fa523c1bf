"""Measures of labels and predictions equal scikit-learn's where it defines them."""

from __future__ import annotations

import functools
import warnings
from collections.abc import Callable

import numpy as np
import polars as pl
import pytest
from sklearn import metrics
from sklearn.preprocessing import MultiLabelBinarizer

import ireval_frames as ir
from tests.labels.test_report import SETS
from tests.reference.scikit_learn import POLICY, engines, values_of

AVERAGES = ("micro", "macro", "weighted")


def table(seed: int, classes: int = 5, n: int = 300, *, agree: float = 0.5) -> pl.DataFrame:
    """Weighted items; the last class is never predicted, the one before is never a label."""
    rng = np.random.default_rng(seed)
    label = rng.integers(0, classes, n)
    label[label == classes - 2] = 0
    guess = np.where(rng.random(n) < agree, label, rng.integers(0, classes, n))
    guess[guess == classes - 1] = 1
    return pl.DataFrame({"label": label, "prediction": guess, "weight": rng.choice([0.25, 1.0, 2.0, 3.7], n)})


WHOLE: dict[str, Callable[..., float]] = {
    "Accuracy": metrics.accuracy_score,
    "ErrorRate": metrics.zero_one_loss,
    "BalancedAccuracy": metrics.balanced_accuracy_score,
    "BalancedAccuracy(adjusted=True)": functools.partial(metrics.balanced_accuracy_score, adjusted=True),
    "MCC": metrics.matthews_corrcoef,
    "Kappa": metrics.cohen_kappa_score,
    "Kappa(weights='linear')": functools.partial(metrics.cohen_kappa_score, weights="linear"),
    "Kappa(weights='quadratic')": functools.partial(metrics.cohen_kappa_score, weights="quadratic"),
    "HammingLoss": metrics.hamming_loss,
}
OF_CLASSES: dict[str, Callable[..., float]] = {
    "Precision": metrics.precision_score,
    "Recall": metrics.recall_score,
    "F1": metrics.f1_score,
    "F(beta=2)": functools.partial(metrics.fbeta_score, beta=2),
    "F(beta=0.3)": functools.partial(metrics.fbeta_score, beta=0.3),
    "Jaccard": metrics.jaccard_score,
}


def call(name: str, average: str, classes: list[int] | None = None) -> str:
    arguments = f"average={average!r}" + (f", classes={classes}" if classes else "")
    return f"{name[:-1]}, {arguments})" if name.endswith(")") else f"{name}({arguments})"


@engines
def test_several_classes(engine: str, agrees) -> None:
    frame = table(1)
    y, z, w = (frame[c].to_numpy() for c in frame.columns)
    chosen = [0, 4, 3]
    expected = {}
    with warnings.catch_warnings():
        # It warns of a class that is predicted and never a label.
        warnings.simplefilter("ignore")
        expected |= {name: tool(y, z, sample_weight=w) for name, tool in WHOLE.items()}
    for name, tool in OF_CLASSES.items():
        for average in AVERAGES:
            expected[call(name, average)] = tool(y, z, average=average, sample_weight=w, zero_division=0)
            expected[call(name, average, chosen)] = tool(
                y, z, average=average, labels=chosen, sample_weight=w, zero_division=0
            )
    values = values_of(frame, list(expected), engine, policy=POLICY)
    assert values == pytest.approx(expected, rel=1e-12)
    unweighted = frame.drop("weight")
    # Its mutual information takes no weights, and is in nats.
    nats = values_of(unweighted, ["MI"], engine)["MI"] * np.log(2)
    assert nats == pytest.approx(metrics.mutual_info_score(y, z), rel=1e-12)
    agrees("scikit-learn", *expected, "MI", family="labels")


@engines
def test_text_with_nothing_undefined_needs_no_policy(engine: str, agrees) -> None:
    frame = (
        table(2, classes=4)
        .filter(pl.col("prediction") != 2, pl.col("label") != 3)
        .select(
            pl.all().exclude("label", "prediction"),
            *(pl.concat_str(pl.lit("class "), c).alias(c) for c in ("label", "prediction")),
        )
    )
    y, z, w = (frame[c].to_numpy() for c in ("label", "prediction", "weight"))
    expected = {
        call(name, a): tool(y, z, average=a, sample_weight=w) for name, tool in OF_CLASSES.items() for a in AVERAGES
    }
    assert values_of(frame, list(expected), engine) == pytest.approx(expected, rel=1e-12)
    agrees("scikit-learn", *expected, family="labels")


@engines
@pytest.mark.parametrize("agree", [0.0, 0.7, 1.0])
def test_two_classes(agree: float, engine: str, agrees) -> None:
    frame = table(3, agree=agree).with_columns(pl.col("label", "prediction") % 2)
    frame = frame.with_columns(prediction="label") if agree == 1 else frame
    y, z, w = (frame[c].to_numpy() for c in frame.columns)
    expected = {name: tool(y, z, sample_weight=w) for name, tool in (WHOLE | OF_CLASSES).items()}
    ratios = ["LRPlus", "LRMinus"]
    values = values_of(frame, [*expected, *ratios], engine)
    if agree < 1:
        expected |= dict(zip(ratios, metrics.class_likelihood_ratios(y, z, sample_weight=w), strict=True))
    else:
        assert values.pop("LRPlus") is None
        expected["LRMinus"] = 0.0
    assert values == pytest.approx(expected, rel=1e-12, abs=1e-12)
    agrees("scikit-learn", *expected, family="labels")


@engines
def test_one_class(engine: str) -> None:
    """Where scikit-learn divides 0 by 0 it gives 0 or nan; the policy says which we give, by default none."""
    frame = pl.DataFrame({"label": [1, 1, 1], "prediction": [1, 1, 1]})
    y = frame["label"].to_numpy()
    assert values_of(frame, ["MCC", "Kappa", "Specificity"], engine) == dict.fromkeys(["MCC", "Kappa", "Specificity"])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        theirs = metrics.matthews_corrcoef(y, y)
    assert values_of(frame, ["MCC"], engine, policy=POLICY)["MCC"] == theirs == 0
    assert values_of(frame, ["Accuracy", "BalancedAccuracy", "F1"], engine) == dict.fromkeys(
        ["Accuracy", "BalancedAccuracy", "F1"], 1.0
    )


@engines
def test_undefined_values_left_out(engine: str, agrees) -> None:
    """zero_division=nan is our default: F is 0, not undefined, where only one of precision and recall is."""
    frame = table(4)
    y, z, w = (frame[c].to_numpy() for c in frame.columns)
    expected = {
        call(name, a): tool(y, z, average=a, sample_weight=w, zero_division=np.nan)
        for name, tool in OF_CLASSES.items()
        for a in AVERAGES
        if name != "Jaccard"
    }
    assert values_of(frame, list(expected), engine) == pytest.approx(expected, rel=1e-12)
    agrees("scikit-learn", *expected, family="labels")


@engines
def test_sets_of_labels(engine: str, agrees) -> None:
    rng = np.random.default_rng(5)
    classes = np.array(["a", "b", "c", "d", "e"])
    sides = {
        side: [classes[rng.random(5) < share].tolist() for _ in range(200)]
        for side, share in (("label", 0.4), ("prediction", 0.3))
    }
    frame = pl.DataFrame({"item_id": range(200), **sides, "weight": rng.choice([0.5, 1.0, 2.25], 200)})
    binarizer = MultiLabelBinarizer(classes=classes)
    y, z = (binarizer.fit_transform(sides[side]) for side in ("label", "prediction"))
    w = frame["weight"].to_numpy()
    expected = {
        "SubsetAccuracy": metrics.accuracy_score(y, z, sample_weight=w),
        "HammingLoss": metrics.hamming_loss(y, z, sample_weight=w),
    }
    for name, tool in OF_CLASSES.items():
        for ours, theirs in (("micro", "micro"), ("macro", "macro"), ("weighted", "weighted"), ("item", "samples")):
            expected[call(name, ours)] = tool(y, z, average=theirs, sample_weight=w, zero_division=0)
    assert values_of(frame, list(expected), engine, policy=POLICY) == pytest.approx(expected, rel=1e-12)
    agrees("scikit-learn", *expected, family="labels")


@engines
def test_report(engine: str, agrees) -> None:
    frame = table(6, classes=4).drop("weight").with_columns(pl.col("label", "prediction").cast(pl.String))
    expected = metrics.classification_report(frame["label"], frame["prediction"], output_dict=True, zero_division=0)
    rows = {r["class_id"]: r for r in ir.Labels(frame, engine=engine, policy=POLICY).report().iter_rows(named=True)}
    for ours, theirs in (
        ("0", "0"),
        ("1", "1"),
        ("2", "2"),
        ("3", "3"),
        ("macro average", "macro avg"),
        ("weighted average", "weighted avg"),
    ):
        row = [rows[ours][c] for c in ("precision", "recall", "f1", "support")]
        assert row == pytest.approx(
            [expected[theirs][c] for c in ("precision", "recall", "f1-score", "support")], rel=1e-12
        )
    assert rows["micro average"]["f1"] == pytest.approx(expected["accuracy"], rel=1e-12)
    agrees("scikit-learn", "Precision", "Recall", "F1", "Support", family="labels")


@engines
def test_report_of_sets(engine: str, agrees) -> None:
    """As scikit-learn's report of a table of indicators says, with its zeros."""
    truth, guess = ([[int(c in s) for c in "abc"] for s in SETS[side]] for side in ("label", "prediction"))
    expected = metrics.classification_report(
        truth, guess, output_dict=True, zero_division=0, target_names=["a", "b", "c"]
    )
    names = {
        "micro avg": "micro average",
        "macro avg": "macro average",
        "weighted avg": "weighted average",
        "samples avg": "item average",
    }
    actual = ir.Labels(SETS, engine=engine, policy="undefined=0").report()
    assert actual["class_id"].to_list() == ["a", "b", "c", *names.values()]
    for name, row in expected.items():
        values = actual.filter(class_id=names.get(name, name)).row(0)[1:]
        assert values == pytest.approx([row[k] for k in ("precision", "recall", "f1-score", "support")])
    agrees("scikit-learn", "Precision", "Recall", "F1", "Support", family="labels")
