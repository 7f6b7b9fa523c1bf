"""scikit-learn's work on labels, on arrays that are loaded before."""

import importlib
from collections.abc import Callable
from typing import Any

Means = dict[str, float]


def report(table: str) -> Callable[[], Means]:
    """classification_report."""
    metrics = importlib.import_module("sklearn.metrics")
    label, prediction = _columns(table, "label", "prediction")

    def work() -> Means:
        result = metrics.classification_report(label, prediction, output_dict=True)["macro avg"]
        return {"precision": result["precision"], "recall": result["recall"], "f1": result["f1-score"]}

    return work


def curves(table: str, score: str) -> Callable[[], Means]:
    """roc_auc_score and average_precision_score."""
    metrics = importlib.import_module("sklearn.metrics")
    label, scores = _columns(table, "positive", score)
    return lambda: {
        "ROCAUC": metrics.roc_auc_score(label, scores),
        "AveragePrecision": metrics.average_precision_score(label, scores),
    }


def groups(table: str) -> Callable[[], Means]:
    """A loop over the groups."""
    metrics, numpy = importlib.import_module("sklearn.metrics"), importlib.import_module("numpy")
    label, prediction, segment = _columns(table, "label", "prediction", "segment")

    def work() -> Means:
        order = numpy.argsort(segment, kind="stable")
        ends = numpy.flatnonzero(numpy.diff(segment[order])) + 1
        each = numpy.split(order, ends)
        f1 = [metrics.f1_score(label[rows], prediction[rows], average="macro") for rows in each]
        accuracy = [metrics.accuracy_score(label[rows], prediction[rows]) for rows in each]
        return {"F1(average='macro')": float(numpy.mean(f1)), "Accuracy": float(numpy.mean(accuracy))}

    return work


def _columns(table: str, *names: str) -> list[Any]:
    frame = importlib.import_module("pandas").read_parquet(table, columns=list(names))
    return [frame[name].to_numpy(object if name in ("label", "prediction") else None) for name in names]
