"""Measures of scores and probabilities, and their curves, equal scikit-learn's where it defines them."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from sklearn import metrics
from sklearn.calibration import calibration_curve

import ireval_frames as ir
from tests.labels.scored import CLASSES
from tests.labels.scored import frame as frame_of_classes
from tests.labels.scored import scored as of_classes
from tests.reference.scikit_learn import engines, values_of


def scored(seed: int, n: int = 400, *, decimals: int = 1) -> pl.DataFrame:
    """Weighted items with scores, of which many are equal with few decimals."""
    rng = np.random.default_rng(seed)
    label = rng.integers(0, 2, n)
    score = np.round(np.clip(0.3 * label + rng.random(n) * 0.7, 0, 1), decimals)
    return pl.DataFrame({"label": label, "score": score, "weight": rng.choice([0.25, 1.0, 2.0, 3.7], n)})


@engines
@pytest.mark.parametrize("decimals", [1, 12])
def test_scores(decimals: int, engine: str, agrees) -> None:
    frame = scored(7, decimals=decimals)
    y, s, w = (frame[c].to_numpy() for c in frame.columns)
    precision, recall, _ = metrics.precision_recall_curve(y, s, sample_weight=w)
    fpr, tpr, _ = metrics.roc_curve(y, s, sample_weight=w)
    expected = {
        "ROCAUC": metrics.roc_auc_score(y, s, sample_weight=w),
        "ROCAUC(max_fpr=0.3)": metrics.roc_auc_score(y, s, sample_weight=w, max_fpr=0.3),
        "ROCAUC(max_fpr=0.001)": metrics.roc_auc_score(y, s, sample_weight=w, max_fpr=0.001),
        "AveragePrecision": metrics.average_precision_score(y, s, sample_weight=w),
        "PRAUC": metrics.auc(recall, precision),
        "KS": (tpr - fpr).max(),
        "PrecisionAtRecall@0.6": precision[recall >= 0.6].max(),
        "RecallAtPrecision@0.7": recall[:-1][precision[:-1] >= 0.7].max(),
        "FallOutAtRecall@0.8": fpr[tpr >= 0.8].min(),
        "SpecificityAtRecall@0.8": 1 - fpr[tpr >= 0.8].min(),
        "RecallAtSpecificity@0.8": tpr[fpr <= 0.2].max(),
        "Hinge": metrics.hinge_loss(2 * y - 1, s, sample_weight=w),
    }
    assert values_of(frame, list(expected), engine) == pytest.approx(expected, rel=1e-12)
    agrees("scikit-learn", *expected, family="labels")


@engines
def test_hinge_of_one_class(engine: str) -> None:
    """scikit-learn takes the only class of a table for the negative one."""
    frame = pl.DataFrame({"label": [1, 1], "score": [0.5, 2.0]})
    assert values_of(frame, ["Hinge"], engine)["Hinge"] == pytest.approx(0.25)
    assert metrics.hinge_loss(frame["label"], frame["score"]) == pytest.approx((1.5 + 3.0) / 2)


@engines
def test_probabilities(engine: str, agrees) -> None:
    frame = scored(8, decimals=12)
    y, s, w = (frame[c].to_numpy() for c in frame.columns)
    expected = {
        "LogLoss": metrics.log_loss(y, s, sample_weight=w),
        "Brier": metrics.brier_score_loss(y, s, sample_weight=w),
        "D2LogLoss": metrics.d2_log_loss_score(y, s, sample_weight=w),
        "D2Brier": metrics.d2_brier_score(y, s, sample_weight=w),
    }
    assert values_of(frame, list(expected), engine) == pytest.approx(expected, rel=1e-12)
    agrees("scikit-learn", *expected, family="labels")


@engines
def test_probabilities_of_several_classes(engine: str, agrees) -> None:
    rng = np.random.default_rng(9)
    p = rng.dirichlet(np.ones(4), 300)
    p[:3] = np.eye(4)[:3]
    y = np.array([rng.choice(4, p=row) for row in p])
    w = rng.choice([0.25, 1.0, 3.7], 300)
    columns = {f"p{i}": p[:, i] for i in range(4)}
    frame = pl.DataFrame({"item_id": range(300), "label": y, "weight": w, **columns})
    expected = {
        "LogLoss": metrics.log_loss(y, p, sample_weight=w),
        "Brier": metrics.brier_score_loss(y, p, sample_weight=w),
        "D2LogLoss": metrics.d2_log_loss_score(y, p, sample_weight=w),
        "D2Brier": metrics.d2_brier_score(y, p, sample_weight=w),
        "Hinge": metrics.hinge_loss(y, p, sample_weight=w),
    }
    assert values_of(frame, list(expected), engine, probabilities={i: f"p{i}" for i in range(4)}) == pytest.approx(
        expected, rel=1e-12
    )
    agrees("scikit-learn", *expected, family="labels")


@engines
@pytest.mark.parametrize("decimals", [1, 12])
def test_curves(decimals: int, engine: str) -> None:
    frame = scored(10, decimals=decimals)
    y, s, w = (frame[c].to_numpy() for c in frame.columns)
    labels = ir.Labels(frame, engine=engine)
    fpr, tpr, thresholds = metrics.roc_curve(y, s, sample_weight=w, drop_intermediate=False)
    assert labels.curve("roc").to_numpy() == pytest.approx(
        np.column_stack([thresholds, fpr, tpr]), rel=1e-12, abs=1e-12
    )
    precision, recall, thresholds = metrics.precision_recall_curve(y, s, sample_weight=w)
    theirs = np.column_stack([[*thresholds, np.inf], precision, recall])[::-1]
    assert labels.curve("precision-recall").to_numpy() == pytest.approx(theirs, rel=1e-12, abs=1e-12)
    fpr, fnr, thresholds = metrics.det_curve(y, s, sample_weight=w, drop_intermediate=False)
    ours = labels.curve("det")
    assert {tuple(np.round(r, 9)) for r in zip(thresholds, fpr, fnr, strict=True)} <= {
        tuple(np.round(r, 9)) for r in ours.iter_rows()
    }
    unweighted = ir.Labels(frame.drop("weight"), engine=engine)
    corners = unweighted.curve("roc", corners=True)
    fpr, tpr, _ = metrics.roc_curve(y, s, drop_intermediate=True)
    # It keeps points where a run of equal steps ends, we those where the slope changes; both lose no area.
    assert metrics.auc(corners["fpr"], corners["tpr"]) == pytest.approx(metrics.auc(fpr, tpr), rel=1e-12)
    assert corners.height <= len(fpr)


@engines
def test_calibration_curve(engine: str) -> None:
    frame = scored(11, decimals=2).drop("weight")
    observed, mean = calibration_curve(frame["label"], frame["score"], n_bins=8)
    ours = ir.Labels(frame, engine=engine).curve("calibration", bins=8, closed="right")
    assert ours["probability"].to_list() == pytest.approx(mean.tolist(), rel=1e-12)
    assert ours["observed"].to_list() == pytest.approx(observed.tolist(), rel=1e-12)


def test_classes_in_order_of_probability(agrees) -> None:
    items = of_classes(6, 80, sets=False, ties=False)
    truth = [CLASSES.index(next(iter(has))) for has, _, _ in items]
    chances, weights = [[p[c] for c in CLASSES] for _, p, _ in items], [w for *_, w in items]
    subject = ir.Labels(frame_of_classes(items, sets=False), probabilities=list(CLASSES))
    expected = {
        "TopK@2": metrics.top_k_accuracy_score(truth, chances, k=2, sample_weight=weights),
        "OneVsRestAUC": metrics.roc_auc_score(truth, chances, multi_class="ovr", sample_weight=weights),
        "OneVsRestAUC(average='weighted')": metrics.roc_auc_score(
            truth, chances, multi_class="ovr", average="weighted", sample_weight=weights
        ),
    }
    assert dict(subject.evaluate(list(expected)).summary().select("measure", "value").iter_rows()) == pytest.approx(
        expected, rel=1e-12
    )
    # There ovo knows no weights.
    plain = ir.Labels(frame_of_classes(items, sets=False).drop("weight"), probabilities=list(CLASSES))
    assert plain.evaluate("HandTill").summary()["value"].item() == pytest.approx(
        metrics.roc_auc_score(truth, chances, multi_class="ovo"), rel=1e-12
    )
    agrees("scikit-learn", *expected, "HandTill", family="labels")


@pytest.mark.filterwarnings("ignore:No positive class found")
def test_probabilities_of_sets(agrees) -> None:
    for ties in (False, True):
        items = of_classes(7, 60, sets=True, ties=ties)
        truth = [[int(c in has) for c in CLASSES] for has, _, _ in items]
        chances, weights = [[p[c] for c in CLASSES] for _, p, _ in items], [w for *_, w in items]
        expected = {
            "LRAP": metrics.label_ranking_average_precision_score(truth, chances, sample_weight=weights),
            "CoverageError": metrics.coverage_error(truth, chances, sample_weight=weights),
            "RankingLoss": metrics.label_ranking_loss(truth, chances, sample_weight=weights),
        }
        for name, tool in (("ROCAUC", metrics.roc_auc_score), ("AveragePrecision", metrics.average_precision_score)):
            for ours, theirs in (("macro", "macro"), ("weighted", "weighted"), ("micro", "micro"), ("item", "samples")):
                if (name, ours) != ("ROCAUC", "item"):
                    expected[f"{name}(average={ours!r})"] = tool(truth, chances, average=theirs, sample_weight=weights)
        # Items with no class, or all, have no area; there the mean of the items has none then.
        some = [i for i, row in enumerate(truth) if 0 < sum(row) < len(row)]
        expected["ROCAUC(average='item')"] = metrics.roc_auc_score(
            [truth[i] for i in some],
            [chances[i] for i in some],
            average="samples",
            sample_weight=[weights[i] for i in some],
        )
        # Items without classes count 0 in its mean precision over the items.
        of_items = {"AveragePrecision(average='item')": expected.pop("AveragePrecision(average='item')")}
        zero = (
            ir.Labels(frame_of_classes(items, sets=True), probabilities=list(CLASSES), policy="undefined=0")
            .evaluate(list(of_items))
            .summary()
        )
        assert zero["value"].to_list() == pytest.approx(list(of_items.values()), rel=1e-12)
        actual = (
            ir.Labels(frame_of_classes(items, sets=True), probabilities=list(CLASSES))
            .evaluate(list(expected))
            .summary()
        )
        assert dict(actual.select("measure", "value").iter_rows()) == pytest.approx(expected, rel=1e-12)
        agrees("scikit-learn", *expected, *of_items, family="labels")
